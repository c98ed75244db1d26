# Written by tools/api_stubs.py; do not edit.
from ossia.nn.rnn_cell import *
