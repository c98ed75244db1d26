# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 batching as batching, checkpoint as checkpoint, cluster_resolver as cluster_resolver, crf as crf, data as data,
 deprecated as deprecated, estimator as estimator, factorization as factorization, feature_column as feature_column,
 framework as framework, hooks as hooks, layers as layers, learn as learn, legacy_seq2seq as legacy_seq2seq,
 lookup as lookup, losses as losses, metrics as metrics, nn as nn, proto as proto, rnn as rnn, seq2seq as seq2seq,
 signal as signal, slim as slim, stateless as stateless, summary as summary, tensorboard as tensorboard, tpu as tpu,
 training as training, util as util
)
