# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 crf as crf, distributions as distributions, framework as framework, layers as layers, learn as learn,
 legacy_seq2seq as legacy_seq2seq, lookup as lookup, nn as nn, opt as opt, rnn as rnn, seq2seq as seq2seq,
 signal as signal, slim as slim, stateless as stateless, tensorboard as tensorboard, training as training
)
