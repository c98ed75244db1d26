# Written by tools/api_stubs.py; do not edit.
from ossia_nn.rnn.cell import RNNCell as RNNCell
from ossia_nn.rnn.cells import BasicRNNCell as BasicRNNCell, GRUCell as GRUCell
from ossia_nn.rnn.lstm import BasicLSTMCell as BasicLSTMCell, LSTMCell as LSTMCell, LSTMStateTuple as LSTMStateTuple
from ossia_nn.rnn.wrappers import (
 DeviceWrapper as DeviceWrapper, DropoutWrapper as DropoutWrapper, MultiRNNCell as MultiRNNCell,
 ResidualWrapper as ResidualWrapper
)
