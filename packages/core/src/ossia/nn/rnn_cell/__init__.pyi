"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.rnn.lstm import BasicLSTMCell as BasicLSTMCell
from ossia_nn.rnn.cells import BasicRNNCell as BasicRNNCell
from ossia_nn.rnn.wrappers import DeviceWrapper as DeviceWrapper
from ossia_nn.rnn.wrappers import DropoutWrapper as DropoutWrapper
from ossia_nn.rnn.cells import GRUCell as GRUCell
from ossia_nn.rnn.lstm import LSTMCell as LSTMCell
from ossia_nn.rnn.lstm import LSTMStateTuple as LSTMStateTuple
from ossia_nn.rnn.wrappers import MultiRNNCell as MultiRNNCell
from ossia_nn.rnn.cell import RNNCell as RNNCell
from ossia_nn.rnn.wrappers import ResidualWrapper as ResidualWrapper
