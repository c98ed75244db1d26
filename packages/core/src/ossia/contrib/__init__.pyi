# Written by tools/api_stubs.py; do not edit.
from . import (
 batching as batching, checkpoint as checkpoint, cloud as cloud, cluster_resolver as cluster_resolver,
 compiler as compiler, copy_graph as copy_graph, crf as crf, cudnn_rnn as cudnn_rnn, data as data,
 deprecated as deprecated, distribute as distribute, distributions as distributions, eager as eager,
 estimator as estimator, factorization as factorization, feature_column as feature_column, framework as framework,
 graph_editor as graph_editor, hadoop as hadoop, hooks as hooks, image as image, input_pipeline as input_pipeline,
 kafka as kafka, layers as layers, learn as learn, legacy_seq2seq as legacy_seq2seq,
 linear_optimizer as linear_optimizer, lookup as lookup, losses as losses, memory_stats as memory_stats,
 metrics as metrics, mixed_precision as mixed_precision, nn as nn, opt as opt, periodic_resample as periodic_resample,
 predictor as predictor, proto as proto, quantize as quantize, resampler as resampler, rnn as rnn,
 saved_model as saved_model, seq2seq as seq2seq, signal as signal, slim as slim, staging as staging,
 stateless as stateless, summary as summary, tensorboard as tensorboard, tensorrt as tensorrt, tpu as tpu,
 training as training, util as util
)
