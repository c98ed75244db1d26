# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.rnn.cells import (
 BasicLSTMCell as BasicLSTMCell, BasicRNNCell as BasicRNNCell, DeviceWrapper as DeviceWrapper,
 DropoutWrapper as DropoutWrapper, GRUCell as GRUCell, LSTMCell as LSTMCell, LSTMStateTuple as LSTMStateTuple,
 MultiRNNCell as MultiRNNCell, RNNCell as RNNCell, ResidualWrapper as ResidualWrapper,
 static_bidirectional_rnn as static_bidirectional_rnn, static_rnn as static_rnn,
 static_state_saving_rnn as static_state_saving_rnn
)
