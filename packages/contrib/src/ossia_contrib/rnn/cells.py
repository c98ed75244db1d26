"""Cells and functions of `tf.nn` under the names of `tf.contrib.rnn`."""

import ossia as tf
from ossia_core.plugins.api_table import public_value
from ossia_nn.rnn import cell, dynamic

BasicLSTMCell = tf.nn.rnn_cell.BasicLSTMCell
BasicRNNCell = tf.nn.rnn_cell.BasicRNNCell
DeviceWrapper = tf.nn.rnn_cell.DeviceWrapper
DropoutWrapper = tf.nn.rnn_cell.DropoutWrapper
GRUCell = tf.nn.rnn_cell.GRUCell
LSTMCell = tf.nn.rnn_cell.LSTMCell
LSTMStateTuple = tf.nn.rnn_cell.LSTMStateTuple
LayerRNNCell = cell.LayerRNNCell
MultiRNNCell = tf.nn.rnn_cell.MultiRNNCell
RNNCell = tf.nn.rnn_cell.RNNCell
ResidualWrapper = tf.nn.rnn_cell.ResidualWrapper
best_effort_input_batch_size = dynamic.batch_size_of
static_bidirectional_rnn = tf.nn.static_bidirectional_rnn
static_rnn = tf.nn.static_rnn
static_state_saving_rnn = tf.nn.static_state_saving_rnn
transpose_batch_time = dynamic.swapped

for _name in (
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell", "LSTMStateTuple",
    "LayerRNNCell", "MultiRNNCell", "RNNCell", "ResidualWrapper", "best_effort_input_batch_size",
    "static_bidirectional_rnn", "static_rnn", "static_state_saving_rnn", "transpose_batch_time",
):
    public_value(f"contrib.rnn.{_name}", name=_name)
