"""Layers of `tf.contrib.layers`: graphs, names, collections and values."""
import numpy as np

X4 = np.arange(2 * 6 * 6 * 3, dtype=np.float32).reshape(2, 6, 6, 3) / 50 - 2
X2 = np.arange(12, dtype=np.float32).reshape(3, 4) / 7 - 1


def case_fully_connected(tf):
    return tf.contrib.layers.fully_connected(tf.constant(X2), 5)


def case_fully_connected_options(tf):
    layers = tf.contrib.layers
    y = layers.fully_connected(tf.constant(X2), 5, activation_fn=tf.tanh, weights_regularizer=layers.l2_regularizer(0.1),
                               weights_initializer=layers.variance_scaling_initializer(), biases_initializer=None,
                               variables_collections=["mine"], outputs_collections=["ends"], scope="first")
    z = layers.fully_connected(y, 5, normalizer_fn=layers.batch_norm, normalizer_params={"scale": True}, scope="second")
    return [y, z, tf.contrib.slim.utils.convert_collection_to_dict("ends"), tf.losses.get_regularization_losses()]


def case_fully_connected_reused(tf):
    layers = tf.contrib.layers
    return [layers.linear(tf.constant(X2), 2, scope="s"), layers.linear(tf.constant(X2), 2, scope="s", reuse=True),
            layers.relu(tf.constant(X2), 2), layers.elu(tf.ones([2, 3, 4]), 2)]


def case_convolutions(tf):
    layers = tf.contrib.layers
    x = tf.constant(X4)
    return [layers.conv2d(x, 4, [3, 3]), layers.conv2d(x, 2, 3, stride=2, padding="VALID", scope="named"),
            layers.conv2d(x, 2, 3, rate=2, activation_fn=None), layers.conv1d(tf.ones([2, 5, 3]), 2, 3),
            layers.conv3d(tf.ones([1, 3, 3, 3, 2]), 2, 2)]


def case_convolution_with_collections(tf):
    layers = tf.contrib.layers
    y = layers.conv2d(tf.constant(X4), 4, [3, 3], normalizer_fn=layers.batch_norm, variables_collections={"weights": ["w"], "biases": ["b"]},
                      outputs_collections="ends", weights_regularizer=layers.l1_regularizer(0.5))
    return [y, tf.get_collection("ends")[0].aliases, tf.contrib.slim.utils.get_tensor_aliases(y)]


def case_transposed(tf):
    layers = tf.contrib.layers
    return [layers.conv2d_transpose(tf.constant(X4), 2, [3, 3], stride=2), layers.conv3d_transpose(tf.ones([1, 2, 2, 2, 2]), 1, 2)]


def case_separable(tf):
    layers = tf.contrib.layers
    return [layers.separable_conv2d(tf.constant(X4), 4, [3, 3], depth_multiplier=2),
            layers.separable_conv2d(tf.constant(X4), None, [3, 3], depth_multiplier=1, stride=2, normalizer_fn=layers.batch_norm),
            layers.separable_conv2d(tf.constant(X4), None, [3, 3], rate=2)]


def case_pools(tf):
    layers = tf.contrib.layers
    x = tf.constant(X4)
    return [layers.max_pool2d(x, [2, 2]), layers.avg_pool2d(x, 3, stride=1, padding="SAME", scope="a"),
            layers.max_pool3d(tf.ones([1, 4, 4, 4, 1]), 2), layers.avg_pool3d(tf.ones([1, 4, 4, 4, 1]), 2)]


def case_pool_of_wrong_format(tf):
    return tf.contrib.layers.max_pool2d(tf.constant(X4), 2, data_format="NWC")


def case_shapes(tf):
    layers = tf.contrib.layers
    x = tf.placeholder_with_default(X4, [None, 6, 6, 3])
    return [layers.flatten(x), layers.dropout(tf.constant(X2), 0.7, is_training=False), layers.one_hot_encoding(tf.constant([1, 2]), 4),
            layers.softmax(tf.ones([2, 3, 4])), layers.maxout(tf.constant(X2), 2), layers.unit_norm(tf.constant(X2), 1),
            layers.bias_add(tf.constant(X2), activation_fn=tf.nn.relu), layers.dense_to_sparse(tf.constant([[1, 0], [0, 2]]))]


def case_dropout_seeded(tf):
    return tf.contrib.layers.dropout(tf.ones([4, 4]), seed=3)


def case_batch_norm_forms(tf):
    layers = tf.contrib.layers
    x, training = tf.constant(X4), tf.placeholder_with_default(True, [])
    return [layers.batch_norm(x), layers.batch_norm(x, scale=True, is_training=False), layers.batch_norm(x, is_training=training, decay=0.9),
            layers.batch_norm(x, center=False, activation_fn=tf.nn.relu, fused=False)]


def case_batch_norm_at_once(tf):
    layers = tf.contrib.layers
    x = tf.constant(X4)
    return [layers.batch_norm(x, updates_collections=None), layers.batch_norm(tf.constant(X2), updates_collections=None, scale=True),
            layers.batch_norm(tf.constant(X2)), layers.batch_norm(tf.constant(X2), is_training=False)]


def case_batch_norm_at_once_by_tensor(tf):
    training = tf.placeholder_with_default(True, [])
    return tf.contrib.layers.batch_norm(tf.constant(X4), updates_collections=None, is_training=training, scale=True)


def case_batch_norm_of_sequences(tf):
    layers = tf.contrib.layers
    x = tf.constant(X4[0])
    return [layers.batch_norm(x, updates_collections=None), layers.batch_norm(x, updates_collections="mine"), layers.batch_norm(x)]


def case_batch_norm_of_sequences_by_tensor(tf):
    training = tf.placeholder_with_default(False, [])
    return tf.contrib.layers.batch_norm(tf.constant(X4[0]), updates_collections=None, is_training=training)


def case_batch_norm_zero_debias(tf):
    return tf.contrib.layers.batch_norm(tf.constant(X4), zero_debias_moving_mean=True)


def case_norms(tf):
    layers = tf.contrib.layers
    return [layers.layer_norm(tf.constant(X2)), layers.layer_norm(tf.constant(X4), begin_norm_axis=-1, scale=False, activation_fn=tf.nn.relu),
            layers.instance_norm(tf.constant(X4)), layers.instance_norm(tf.constant(X4), data_format="NCHW", scope="first")]


def case_embeddings(tf):
    layers = tf.contrib.layers
    ids = tf.constant([[1, 2], [3, 1]])
    return [layers.embed_sequence(ids, 5, 3), layers.embed_sequence(ids, 5, 3, unique=True, scope="u")]


def case_repeat_and_stack(tf):
    layers = tf.contrib.layers
    x = layers.repeat(tf.constant(X4), 2, layers.conv2d, 4, [3, 3], scope="conv")
    y = layers.stack(layers.flatten(x), layers.fully_connected, [3, 2])
    return [y, layers.stack(y, layers.fully_connected, [(3,), (2,)], scope="fc"), layers.repeat(y, 2, layers.fully_connected, 2)]


def case_regularizers(tf):
    layers = tf.contrib.layers
    w = tf.constant(X2)
    return [layers.l1_regularizer(0.5)(w), layers.l2_regularizer(0.5, scope="named")(w), layers.l1_l2_regularizer(0.1, 0.2)(w), layers.l2_regularizer(0.0)(w),
            layers.sum_regularizer([layers.l1_regularizer(0.1), None])(w), layers.apply_regularization(layers.l2_regularizer(0.1), [w, w])]


def case_regularizer_of_an_integer(tf):
    return tf.contrib.layers.l2_regularizer(1)


def case_regularizer_below_zero(tf):
    return tf.contrib.layers.l1_regularizer(-1.0)


def case_initializers(tf):
    layers = tf.contrib.layers
    return [layers.xavier_initializer()([3, 4]), layers.xavier_initializer(uniform=False, seed=3)([2, 2, 3, 4]), layers.xavier_initializer_conv2d()([4]),
            layers.variance_scaling_initializer(1.0, "FAN_OUT", uniform=True)([3, 4])]


def case_initializer_of_unknown_mode(tf):
    return tf.contrib.layers.variance_scaling_initializer(mode="FAN")


def case_optimize_loss(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    return tf.contrib.layers.optimize_loss(tf.log(tf.reduce_sum(v * v)), tf.train.get_or_create_global_step(), 0.1, "SGD")


def case_optimize_loss_options(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    layers = tf.contrib.layers
    return layers.optimize_loss(
        tf.log(tf.reduce_sum(v * v)), tf.train.get_or_create_global_step(), 0.1, tf.train.AdamOptimizer, clip_gradients=5.0, name="train",
        learning_rate_decay_fn=lambda rate, step: tf.train.exponential_decay(rate, step, 10, 0.5), gradient_multipliers={"v:0": 2.0}, summaries=layers.OPTIMIZER_SUMMARIES)


def case_optimize_loss_without_step(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    return tf.contrib.layers.optimize_loss(tf.log(tf.reduce_sum(v * v)), None, None, lambda: tf.train.MomentumOptimizer(0.1, 0.9), summaries=[])


def case_optimizer_of_unknown_name(tf):
    v = tf.get_variable("v", [2])
    return tf.contrib.layers.optimize_loss(tf.reduce_sum(v), None, 0.1, "Fast")


def case_summaries(tf):
    layers = tf.contrib.slim
    y = layers.fully_connected(tf.constant(X2), 2)
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, y)
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, tf.nn.relu6(y))
    return [layers.summarize_variables(), layers.summarize_activations(), layers.summarize_tensor(tf.reduce_sum(y), "sum"),
            layers.summarize_collection("variables", "fully_connected/w")]


def case_group_norm(tf):
    layers = tf.contrib.layers
    x = tf.constant(np.arange(2 * 6 * 6 * 4, dtype=np.float32).reshape(2, 6, 6, 4) / 50 - 2)
    return [layers.group_norm(x, groups=2), layers.group_norm(x, groups=2, channels_axis=-3, reduction_axes=[-2, -1], activation_fn=tf.nn.relu),
            layers.group_norm(tf.placeholder_with_default(np.ones([2, 4], np.float32), [None, 4]), 2, reduction_axes=[], scale=False)]


def case_group_norm_of_other_groups(tf):
    return tf.contrib.layers.group_norm(tf.ones([1, 2, 2, 5]), groups=2)


def case_in_plane(tf):
    layers = tf.contrib.layers
    x = tf.constant(X4)
    return [layers.conv2d_in_plane(x, [3, 1]), layers.conv2d_in_plane(x, 2, stride=2, padding="VALID", normalizer_fn=layers.batch_norm), layers.spatial_softmax(x), layers.spatial_softmax(x, 0.5)]


def case_sequences_of_images(tf):
    layers = tf.contrib.layers
    sequence = layers.images_to_sequence(tf.constant(X4))
    return [sequence, layers.sequence_to_images(sequence, 6)]


def case_bags_of_words(tf):
    layers = tf.contrib.layers
    ids = tf.constant([[1, 2, 0], [3, 0, 0], [0, 0, 0]])
    return [layers.bow_encoder(ids, 10, 3), layers.bow_encoder(ids, 10, 3, sparse_lookup=False)]


def case_legacy(tf):
    layers = tf.contrib.layers
    return [layers.legacy_fully_connected(tf.constant(X2), 3), layers.legacy_relu(tf.ones([2, 3, 4]), 2), layers.legacy_linear(tf.constant(X2), 2, bias_init=None, name="named")]
