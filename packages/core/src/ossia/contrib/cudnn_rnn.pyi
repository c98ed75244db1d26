# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import (
 CudnnGRUSaveable as CudnnGRUSaveable, CudnnLSTMSaveable as CudnnLSTMSaveable,
 CudnnParamsFormatConverterGRU as CudnnParamsFormatConverterGRU,
 CudnnParamsFormatConverterLSTM as CudnnParamsFormatConverterLSTM,
 CudnnParamsFormatConverterRelu as CudnnParamsFormatConverterRelu,
 CudnnParamsFormatConverterTanh as CudnnParamsFormatConverterTanh, CudnnRNNReluSaveable as CudnnRNNReluSaveable,
 CudnnRNNTanhSaveable as CudnnRNNTanhSaveable
)
from ossia_contrib.cudnn_rnn.cells import (
 CudnnCompatibleGRUCell as CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell
)
from ossia_contrib.cudnn_rnn.layers import (
 CudnnGRU as CudnnGRU, CudnnLSTM as CudnnLSTM, CudnnRNNRelu as CudnnRNNRelu, CudnnRNNTanh as CudnnRNNTanh
)
