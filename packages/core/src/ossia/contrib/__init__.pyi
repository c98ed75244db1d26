# Written by ossia_core.plugins.api_stubs; do not edit.
from . import framework as framework, layers as layers, rnn as rnn, slim as slim
