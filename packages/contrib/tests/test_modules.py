"""Modules of `tf.contrib` in every form in which programs import them, at no cost before they are used."""

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow.contrib import layers, rnn, slim; slim.conv2d, layers.conv2d, rnn.BasicLSTMCell",
        "import tensorflow.contrib.slim as slim; slim.arg_scope, slim.learning.create_train_op",
        "import tensorflow as tf; tf.contrib.layers.fully_connected",
        "from tensorflow.contrib.framework import arg_scope, add_arg_scope",
        "from tensorflow.contrib.layers.python.layers import utils; utils.collect_named_outputs",
        "from tensorflow.contrib.layers.python.layers.layers import batch_norm",
        "from tensorflow.contrib.framework.python.ops import add_arg_scope, variables; variables.model_variable",
        "from tensorflow.contrib.training.python.training import hparam; hparam.HParams",
        "from tensorflow.contrib.training.python.training.hparam import HParams",
        "from tensorflow.contrib.rnn.python.ops import core_rnn_cell; core_rnn_cell.RNNCell",
        "from tensorflow.contrib.rnn.python.ops.core_rnn_cell import _linear, _Linear",
        "from tensorflow.contrib.rnn.python.ops import rnn_cell, lstm_ops; rnn_cell.NASCell, lstm_ops.LSTMBlockCell",
        "from tensorflow.contrib.seq2seq.python.ops import attention_wrapper, beam_search_decoder, helper, decoder",
        "from tensorflow.contrib.crf.python.ops import crf; crf.viterbi_decode",
        "from tensorflow.contrib.legacy_seq2seq.python.ops import seq2seq; seq2seq.model_with_buckets",
        "from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets",
        "import tensorflow as tf; tf.contrib.learn.datasets.mnist.read_data_sets",
        "from tensorflow.contrib.slim.python.slim.nets import inception_v3; inception_v3.inception_v3_arg_scope",
        "import tensorflow.contrib.slim.python.slim.nets.inception_v3 as inception; inception.inception_v3_base",
        "from tensorflow.contrib.slim.nets import resnet_v2, vgg, inception; vgg.vgg_16, inception.inception_v1",
        "from tensorflow.contrib.slim.python.slim import evaluation; evaluation.evaluate_once",
        "from tensorflow.contrib.slim.python.slim.data import dataset, parallel_reader; parallel_reader.parallel_read",
        "from tensorflow.contrib.losses.python.metric_learning import metric_loss_ops; metric_loss_ops.npairs_loss",
        "from tensorflow.contrib.metrics.python.ops import metric_ops; metric_ops.streaming_mean",
        "from tensorflow.contrib.layers.python.layers import initializers; initializers.xavier_initializer",
        "from tensorflow.contrib.tensorboard.plugins import projector; projector.ProjectorConfig",
    ],
)
def test_forms_of_import(line):
    program = f"from ossia_tensorflow_paths import finder; finder.install()\n{line}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_is_loaded_before_it_is_used():
    code = (
        "import sys, ossia as tf; tf.contrib.slim; import ossia.contrib.layers;"
        "print([name for name in sys.modules if name.startswith('ossia_contrib.') and 'plugin' not in name"
        " and '_tables' not in name])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_what_is_not_there_is_named():
    with pytest.raises(ModuleNotFoundError, match=r"Ossia does not have tf\.contrib\.boosted_trees"):
        importlib.import_module("ossia.contrib.boosted_trees")
