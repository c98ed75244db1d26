"""A transformer in the manner of BERT: own layers, an optimizer of its own with weight decay, masked words and pairs."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import copy
import json
import math
import re

import numpy as np
import six
import tensorflow as tf


class BertConfig(object):
    def __init__(self, vocab_size, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                 hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
                 max_position_embeddings=16, type_vocab_size=2, initializer_range=0.02):
        for key, value in list(locals().items()):
            if key != "self":
                setattr(self, key, value)

    def to_json_string(self):
        return json.dumps(copy.deepcopy(self.__dict__), indent=2, sort_keys=True) + "\n"


def gelu(x):
    return x * 0.5 * (1.0 + tf.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * tf.pow(x, 3))))


def get_assignment_map_from_checkpoint(tvars, init_checkpoint):
    initialized_variable_names = {}
    name_to_variable = collections.OrderedDict()
    for var in tvars:
        name = var.name
        m = re.match("^(.*):\\d+$", name)
        if m is not None:
            name = m.group(1)
        name_to_variable[name] = var
    assignment_map = collections.OrderedDict()
    for name, _ in tf.train.list_variables(init_checkpoint):
        if name not in name_to_variable:
            continue
        assignment_map[name] = name
        initialized_variable_names[name] = 1
        initialized_variable_names[name + ":0"] = 1
    return assignment_map, initialized_variable_names


def dropout(input_tensor, dropout_prob):
    if dropout_prob is None or dropout_prob == 0.0:
        return input_tensor
    return tf.nn.dropout(input_tensor, 1.0 - dropout_prob)


def layer_norm(input_tensor, name=None):
    return tf.contrib.layers.layer_norm(inputs=input_tensor, begin_norm_axis=-1, begin_params_axis=-1, scope=name)


def create_initializer(initializer_range=0.02):
    return tf.truncated_normal_initializer(stddev=initializer_range)


def get_shape_list(tensor, expected_rank=None, name=None):
    if name is None:
        name = tensor.name
    shape = tensor.shape.as_list()
    non_static_indexes = [index for index, dim in enumerate(shape) if dim is None]
    if not non_static_indexes:
        return shape
    dyn_shape = tf.shape(tensor)
    for index in non_static_indexes:
        shape[index] = dyn_shape[index]
    return shape


def attention_layer(from_tensor, attention_mask, heads, size, config, batch_size, length, drop):
    def transpose_for_scores(tensor):
        return tf.transpose(tf.reshape(tensor, [batch_size, length, heads, size]), [0, 2, 1, 3])

    init = create_initializer(config.initializer_range)
    query = transpose_for_scores(tf.layers.dense(from_tensor, heads * size, name="query", kernel_initializer=init))
    key = transpose_for_scores(tf.layers.dense(from_tensor, heads * size, name="key", kernel_initializer=init))
    value = tf.layers.dense(from_tensor, heads * size, name="value", kernel_initializer=init)
    scores = tf.multiply(tf.matmul(query, key, transpose_b=True), 1.0 / math.sqrt(float(size)))
    scores += (1.0 - tf.cast(tf.expand_dims(attention_mask, axis=[1]), tf.float32)) * -10000.0
    probs = dropout(tf.nn.softmax(scores), drop)
    value = tf.transpose(tf.reshape(value, [batch_size, length, heads, size]), [0, 2, 1, 3])
    context = tf.transpose(tf.matmul(probs, value), [0, 2, 1, 3])
    return tf.reshape(context, [batch_size * length, heads * size])


class BertModel(object):
    def __init__(self, config, is_training, input_ids, input_mask, token_type_ids, scope=None):
        config = copy.deepcopy(config)
        if not is_training:
            config.hidden_dropout_prob = 0.0
            config.attention_probs_dropout_prob = 0.0
        batch_size, length = get_shape_list(input_ids, 2)
        width = config.hidden_size
        init = create_initializer(config.initializer_range)
        with tf.variable_scope(scope, default_name="bert"):
            with tf.variable_scope("embeddings"):
                self.embedding_table = tf.get_variable("word_embeddings", [config.vocab_size, width], initializer=init)
                flat = tf.reshape(tf.expand_dims(input_ids, axis=[-1]), [-1])
                output = tf.reshape(tf.gather(self.embedding_table, flat), [batch_size, length, width])
                types = tf.get_variable("token_type_embeddings", [config.type_vocab_size, width], initializer=init)
                one_hot = tf.one_hot(tf.reshape(token_type_ids, [-1]), depth=config.type_vocab_size)
                output += tf.reshape(tf.matmul(one_hot, types), [batch_size, length, width])
                assert_op = tf.assert_less_equal(length, config.max_position_embeddings)
                with tf.control_dependencies([assert_op]):
                    full = tf.get_variable("position_embeddings", [config.max_position_embeddings, width],
                                           initializer=init)
                    position = tf.slice(full, [0, 0], [length, -1])
                    output += tf.reshape(position, [1, length, width])
                output = dropout(layer_norm(output), config.hidden_dropout_prob)
            with tf.variable_scope("encoder"):
                to_mask = tf.cast(tf.reshape(input_mask, [batch_size, 1, length]), tf.float32)
                mask = tf.ones(shape=[batch_size, length, 1], dtype=tf.float32) * to_mask
                layer = tf.reshape(output, [-1, width])
                self.all_encoder_layers = []
                for i in range(config.num_hidden_layers):
                    with tf.variable_scope("layer_%d" % i):
                        with tf.variable_scope("attention"):
                            with tf.variable_scope("self"):
                                head = attention_layer(layer, mask, config.num_attention_heads,
                                                       width // config.num_attention_heads, config, batch_size,
                                                       length, config.attention_probs_dropout_prob)
                            with tf.variable_scope("output"):
                                head = tf.layers.dense(head, width, kernel_initializer=init)
                                head = layer_norm(dropout(head, config.hidden_dropout_prob) + layer)
                        with tf.variable_scope("intermediate"):
                            inner = tf.layers.dense(head, config.intermediate_size, activation=gelu,
                                                    kernel_initializer=init)
                        with tf.variable_scope("output"):
                            layer = tf.layers.dense(inner, width, kernel_initializer=init)
                            layer = layer_norm(dropout(layer, config.hidden_dropout_prob) + head)
                            self.all_encoder_layers.append(layer)
            self.sequence_output = tf.reshape(layer, [batch_size, length, width])
            with tf.variable_scope("pooler"):
                first = tf.squeeze(self.sequence_output[:, 0:1, :], axis=1)
                self.pooled_output = tf.layers.dense(first, width, activation=tf.tanh, kernel_initializer=init)


class AdamWeightDecayOptimizer(tf.train.Optimizer):
    def __init__(self, learning_rate, weight_decay_rate=0.0, beta_1=0.9, beta_2=0.999, epsilon=1e-6,
                 exclude_from_weight_decay=None, name="AdamWeightDecayOptimizer"):
        super(AdamWeightDecayOptimizer, self).__init__(False, name)
        self.learning_rate, self.weight_decay_rate = learning_rate, weight_decay_rate
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.exclude_from_weight_decay = exclude_from_weight_decay

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        assignments = []
        for grad, param in grads_and_vars:
            if grad is None or param is None:
                continue
            param_name = self._get_variable_name(param.name)
            m, v = [tf.get_variable(name=param_name + suffix, shape=param.shape.as_list(), dtype=tf.float32,
                                    trainable=False, initializer=tf.zeros_initializer())
                    for suffix in ("/adam_m", "/adam_v")]
            next_m = tf.multiply(self.beta_1, m) + tf.multiply(1.0 - self.beta_1, grad)
            next_v = tf.multiply(self.beta_2, v) + tf.multiply(1.0 - self.beta_2, tf.square(grad))
            update = next_m / (tf.sqrt(next_v) + self.epsilon)
            if self._do_use_weight_decay(param_name):
                update += self.weight_decay_rate * param
            next_param = param - self.learning_rate * update
            assignments.extend([param.assign(next_param), m.assign(next_m), v.assign(next_v)])
        return tf.group(*assignments, name=name)

    def _do_use_weight_decay(self, param_name):
        if not self.weight_decay_rate:
            return False
        return not any(re.search(r, param_name) for r in self.exclude_from_weight_decay or ())

    def _get_variable_name(self, param_name):
        m = re.match("^(.*):\\d+$", param_name)
        return m.group(1) if m is not None else param_name


def create_optimizer(loss, init_lr, num_train_steps, num_warmup_steps):
    global_step = tf.train.get_or_create_global_step()
    learning_rate = tf.constant(value=init_lr, shape=[], dtype=tf.float32)
    learning_rate = tf.train.polynomial_decay(learning_rate, global_step, num_train_steps, end_learning_rate=0.0,
                                              power=1.0, cycle=False)
    if num_warmup_steps:
        global_steps_int = tf.cast(global_step, tf.int32)
        warmup_steps_int = tf.constant(num_warmup_steps, dtype=tf.int32)
        done = tf.cast(global_steps_int, tf.float32) / tf.cast(warmup_steps_int, tf.float32)
        is_warmup = tf.cast(global_steps_int < warmup_steps_int, tf.float32)
        learning_rate = (1.0 - is_warmup) * learning_rate + is_warmup * init_lr * done
    optimizer = AdamWeightDecayOptimizer(learning_rate, 0.01, exclude_from_weight_decay=[
        "LayerNorm", "layer_norm", "bias"])
    tvars = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, tvars), clip_norm=1.0)
    train_op = optimizer.apply_gradients(zip(grads, tvars), global_step=global_step)
    return tf.group(train_op, [global_step.assign(global_step + 1)])


def model_fn_builder(config, init_checkpoint):
    def model_fn(features, labels, mode, params):
        tf.logging.info("*** Features ***")
        for name in sorted(features):
            tf.logging.info("  name = %s, shape = %s" % (name, features[name].shape))
        is_training = mode == tf.estimator.ModeKeys.TRAIN
        model = BertModel(config, is_training, features["input_ids"], features["input_mask"], features["segment_ids"])
        with tf.variable_scope("cls/predictions"):
            hidden = tf.layers.dense(model.sequence_output, config.hidden_size, activation=gelu, name="transform")
            bias = tf.get_variable("output_bias", shape=[config.vocab_size], initializer=tf.zeros_initializer())
            logits = tf.nn.bias_add(tf.matmul(tf.reshape(hidden, [-1, config.hidden_size]), model.embedding_table,
                                              transpose_b=True), bias)
            log_probs = tf.nn.log_softmax(logits, axis=-1)
            one_hot = tf.one_hot(tf.reshape(features["masked"], [-1]), depth=config.vocab_size, dtype=tf.float32)
            loss = tf.reduce_mean(-tf.reduce_sum(log_probs * one_hot, axis=[-1]))
        tvars = tf.trainable_variables()
        if init_checkpoint:
            assignment_map, found = get_assignment_map_from_checkpoint(tvars, init_checkpoint)
            print(len(assignment_map), "variables from the checkpoint")
            tf.train.init_from_checkpoint(init_checkpoint, assignment_map)
        if mode == tf.estimator.ModeKeys.TRAIN:
            train_op = create_optimizer(loss, params["learning_rate"], 20, 2)
            return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, loss=loss, train_op=train_op)
        if mode == tf.estimator.ModeKeys.EVAL:
            def metric_fn(log_probs, ids):
                return {"accuracy": tf.metrics.accuracy(ids, tf.argmax(log_probs, -1, output_type=tf.int32))}
            return tf.contrib.tpu.TPUEstimatorSpec(
                mode=mode, loss=loss, eval_metrics=(metric_fn, [log_probs, tf.reshape(features["masked"], [-1])]))
        return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, predictions={"pooled": model.pooled_output})
    return model_fn


def input_fn_builder(training):
    def input_fn(params):
        random = np.random.RandomState(5)
        ids = random.randint(0, 30, (16, 8)).astype(np.int32)
        d = tf.data.Dataset.from_tensor_slices({
            "input_ids": tf.constant(ids), "input_mask": tf.constant((ids > 3).astype(np.int32)),
            "segment_ids": tf.constant(ids % 2), "masked": tf.constant((ids + 1) % 30)})
        if training:
            d = d.repeat().shuffle(buffer_size=10, seed=3)
        return d.apply(tf.contrib.data.map_and_batch(lambda r: r, batch_size=params["batch_size"],
                                                     drop_remainder=True))
    return input_fn


def main(_):
    config = BertConfig(vocab_size=30)
    print(config.to_json_string())
    init = None
    for folder in ("first", "second"):
        run_config = tf.contrib.tpu.RunConfig(
            model_dir=folder, tf_random_seed=1, save_checkpoints_steps=4,
            tpu_config=tf.contrib.tpu.TPUConfig(iterations_per_loop=4, num_shards=8, per_host_input_for_training=(
                tf.contrib.tpu.InputPipelineConfig.PER_HOST_V2)))
        estimator = tf.contrib.tpu.TPUEstimator(
            use_tpu=False, model_fn=model_fn_builder(config, init), config=run_config, train_batch_size=4,
            eval_batch_size=8, predict_batch_size=8, params={"learning_rate": 1e-2})
        estimator.train(input_fn=input_fn_builder(True), max_steps=8)
        result = estimator.evaluate(input_fn=input_fn_builder(False), steps=2)
        for key in sorted(result.keys()):
            print("  %s = %s" % (key, str(result[key])))
        pooled = [p["pooled"] for p in estimator.predict(input_fn=input_fn_builder(False))]
        print(len(pooled), np.round(pooled[0][:5], 4))
        init = tf.train.latest_checkpoint(folder)
        print(init)
    print([name for name in estimator.get_variable_names()][:8])


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.app.run()
