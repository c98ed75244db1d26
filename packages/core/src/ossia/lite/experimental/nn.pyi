# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_lite.convert.recurrent_cells import (
 TFLiteLSTMCell as TFLiteLSTMCell, TfLiteRNNCell as TfLiteRNNCell, dynamic_rnn as dynamic_rnn
)
