"""Losses of a replica: their mean over a global batch, and the share of a regularization loss."""
from golden_case import Case, raises


def case_average(tf):
    x = tf.placeholder(tf.float32, [None])
    f = tf.nn.compute_average_loss
    return Case([f(x), f(x, sample_weight=[0.5, 2.0, 1.0]), f(x, global_batch_size=6), f(x, tf.constant([1.0, 2.0, 3.0]), 4), f(tf.cast(x, tf.float64))], feeds={x: [1.0, 2.0, 4.5]})


def case_average_static(tf):
    f = tf.nn.compute_average_loss
    return [f(tf.constant([1.0, 2.0])), f(tf.ones([3, 2])), f([1.0, 2.0, 3.0], [1.0, 0.0, 1.0]), f(tf.ones([3, 2]), tf.constant([1.0, 2.0, 0.5])), f(tf.ones([3, 2]), tf.constant([[1.0], [2.0], [0.5]])), f(tf.constant([1.0, 2.0], tf.float16), [0.5, 2.0])]


def case_average_integers(tf):
    f = tf.nn.compute_average_loss
    return Case([raises(f, tf.constant([1, 2])), raises(f, tf.constant(1.0)), raises(f, tf.constant([1.0]), global_batch_size="a"), raises(f, tf.constant([1.0, 2.0]), [1.0, 2.0, 3.0])], graph=False)


def case_average_batch_tensor(tf):
    return tf.nn.compute_average_loss(tf.constant([1.0, 2.0]), global_batch_size=tf.constant(8))


def case_scaled(tf):
    f = tf.nn.scale_regularization_loss
    return [f(tf.constant(3.0)), f(tf.constant([3.0, 1.0])), f(2.5), f([1.0, 2.0]), f(tf.constant(2.0, tf.float64))]


def case_gradient(tf):
    w = tf.get_variable("w", initializer=[1.0, 2.0, 3.0])
    loss = tf.nn.compute_average_loss(w * w) + tf.nn.scale_regularization_loss(tf.reduce_sum(w))
    return [loss, tf.gradients(loss, w)]


def case_average_of_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    f = tf.nn.compute_average_loss
    return Case([f(x), f(x, [0.5, 2.0, 1.0], 3)], feeds={x: [1.0, 2.0, 4.5]})


def case_average_of_a_scalar_of_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    return raises(tf.Session().run, tf.nn.compute_average_loss(x, global_batch_size=1), {x: 1.0})


def case_weights_of_unknown_rank(tf):
    p = tf.placeholder
    x, w = p(tf.float32), p(tf.float32)
    f = tf.nn.compute_average_loss
    return Case([f(x, w, 3), f(p(tf.float32, [None]), w, 3), f(x, p(tf.float32, [None, 1]), 3)], graph_only=True)


def case_weights_in_a_variable(tf):
    weights = tf.get_variable("weights", initializer=[0.5, 2.0, 1.0], use_resource=True)
    return Case(tf.nn.compute_average_loss(tf.constant([1.0, 2.0, 3.0]), sample_weight=weights))
