# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.rnn.attention import (
 AttentionCellWrapper as AttentionCellWrapper, CompiledWrapper as CompiledWrapper, HighwayWrapper as HighwayWrapper
)
from ossia_contrib.rnn.block import (
 GRUBlockCell as GRUBlockCell, GRUBlockCellV2 as GRUBlockCellV2, LSTMBlockCell as LSTMBlockCell
)
from ossia_contrib.rnn.cells import (
 BasicLSTMCell as BasicLSTMCell, BasicRNNCell as BasicRNNCell, DeviceWrapper as DeviceWrapper,
 DropoutWrapper as DropoutWrapper, GRUCell as GRUCell, LSTMCell as LSTMCell, LSTMStateTuple as LSTMStateTuple,
 LayerRNNCell as LayerRNNCell, MultiRNNCell as MultiRNNCell, RNNCell as RNNCell, ResidualWrapper as ResidualWrapper,
 best_effort_input_batch_size as best_effort_input_batch_size, static_bidirectional_rnn as static_bidirectional_rnn,
 static_rnn as static_rnn, static_state_saving_rnn as static_state_saving_rnn,
 transpose_batch_time as transpose_batch_time
)
from ossia_contrib.rnn.convolutional import (
 Conv1DLSTMCell as Conv1DLSTMCell, Conv2DLSTMCell as Conv2DLSTMCell, Conv3DLSTMCell as Conv3DLSTMCell,
 ConvLSTMCell as ConvLSTMCell
)
from ossia_contrib.rnn.coupled import CoupledInputForgetGateLSTMCell as CoupledInputForgetGateLSTMCell
from ossia_contrib.rnn.frequency import (
 BidirectionalGridLSTMCell as BidirectionalGridLSTMCell, GridLSTMCell as GridLSTMCell,
 TimeFreqLSTMCell as TimeFreqLSTMCell
)
from ossia_contrib.rnn.fused import (
 FusedRNNCell as FusedRNNCell, FusedRNNCellAdaptor as FusedRNNCellAdaptor, LSTMBlockFusedCell as LSTMBlockFusedCell,
 LSTMBlockWrapper as LSTMBlockWrapper, TimeReversedFusedRNN as TimeReversedFusedRNN
)
from ossia_contrib.rnn.gated import (
 IntersectionRNNCell as IntersectionRNNCell, PhasedLSTMCell as PhasedLSTMCell, UGRNNCell as UGRNNCell
)
from ossia_contrib.rnn.grouped import GLSTMCell as GLSTMCell
from ossia_contrib.rnn.independent import (
 IndRNNCell as IndRNNCell, IndyGRUCell as IndyGRUCell, IndyLSTMCell as IndyLSTMCell, SRUCell as SRUCell
)
from ossia_contrib.rnn.linear import Linear as __Linear, sharded as __get_concat_variable, linear as __linear
from ossia_contrib.rnn.nas import NASCell as NASCell
from ossia_contrib.rnn.normalized import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from ossia_contrib.rnn.projection import (
 EmbeddingWrapper as EmbeddingWrapper, InputProjectionWrapper as InputProjectionWrapper,
 OutputProjectionWrapper as OutputProjectionWrapper
)
from ossia_contrib.rnn.stacked import (
 stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn as stack_bidirectional_rnn
)
_Linear = __Linear
_get_concat_variable = __get_concat_variable
_linear = __linear
