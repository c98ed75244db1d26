# Written by tools/api_stubs.py; do not edit.
from . import (
 batching as batching, checkpoint as checkpoint, cloud as cloud, cluster_resolver as cluster_resolver,
 compiler as compiler, copy_graph as copy_graph, crf as crf, data as data, deprecated as deprecated,
 distribute as distribute, distributions as distributions, eager as eager, estimator as estimator,
 factorization as factorization, feature_column as feature_column, framework as framework, hooks as hooks,
 layers as layers, learn as learn, legacy_seq2seq as legacy_seq2seq, linear_optimizer as linear_optimizer,
 lookup as lookup, losses as losses, metrics as metrics, nn as nn, opt as opt, predictor as predictor, proto as proto,
 rnn as rnn, saved_model as saved_model, seq2seq as seq2seq, signal as signal, slim as slim, stateless as stateless,
 summary as summary, tensorboard as tensorboard, tensorrt as tensorrt, tpu as tpu, training as training, util as util
)
