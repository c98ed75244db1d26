# Written by tools/api_stubs.py; do not edit.
from ossia_lite.convert.recurrent_cells import (
 TFLiteLSTMCell as TFLiteLSTMCell, TfLiteRNNCell as TfLiteRNNCell, dynamic_rnn as dynamic_rnn
)
