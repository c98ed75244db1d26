# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 feature_column as feature_column, framework as framework, layers as layers, learn as learn,
 legacy_seq2seq as legacy_seq2seq, lookup as lookup, nn as nn, rnn as rnn, seq2seq as seq2seq, slim as slim,
 tensorboard as tensorboard, tpu as tpu, training as training
)
