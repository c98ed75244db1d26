# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.cudnn_rnn.cells import (
 CudnnCompatibleGRUCell as CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell
)
