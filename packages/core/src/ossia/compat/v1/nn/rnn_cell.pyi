# Written by ossia_core.api_stubs; do not edit.
from ossia.nn.rnn_cell import *
