# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 framework as framework, layers as layers, learn as learn, legacy_seq2seq as legacy_seq2seq, lookup as lookup, nn as nn,
 rnn as rnn, seq2seq as seq2seq, slim as slim, summary as summary, tensorboard as tensorboard, training as training
)
