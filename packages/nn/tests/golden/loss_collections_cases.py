"""Weighted losses by themselves, their collections and scopes, and the totals of collections."""
import numpy as np
from golden_case import Case, raises

X = np.array([[[1.0, 9.0, 2.0], [-5.0, -2.0, 6.0]], [[0.5, 0.0, 2.0], [3.0, -1.0, 1.0]]])
REDUCTIONS = ["none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", "weighted_sum_by_nonzero_weights"]
SHAPES = [[], [1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 3], [2, 2, 1], [1, 2, 3], [2, 1, 3], [2, 2, 3]]

for _reduction in REDUCTIONS:
    for _shape in SHAPES:
        def _case(tf, reduction=_reduction, shape=_shape):
            weights = (np.arange(int(np.prod(shape))) % 3).reshape(shape).astype("float32")
            fed, x = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2, 3])
            w = tf.losses.compute_weighted_loss
            return Case([w(tf.constant(X, tf.float32), tf.constant(weights), reduction=reduction), w(tf.constant(X, tf.float32), fed, reduction=reduction), w(x, fed, reduction=reduction)], feeds={fed: weights, x: X})
        globals()["case_%s_%s" % (_reduction, "x".join(map(str, _shape)) or "scalar")] = _case

    def _case(tf, reduction=_reduction):
        w = tf.losses.compute_weighted_loss
        x, weights = tf.constant(X, tf.float32), tf.constant(np.abs(X[:, :, :1]), tf.float32)
        y = w(x, weights, reduction=reduction)
        return [y, tf.gradients(y, [x, weights])]
    globals()["case_gradients_" + _reduction] = _case

    for _kind in ["float64", "float16", "int32", "int64"]:
        def _case(tf, reduction=_reduction, kind=_kind):
            x = tf.cast(tf.constant(X), kind)
            return [tf.losses.compute_weighted_loss(x, reduction=reduction), tf.losses.compute_weighted_loss(x, tf.constant([[[1]], [[0]]], tf.int32), reduction=reduction)]
        globals()["case_%s_of_%s" % (_reduction, _kind)] = _case

    def _case(tf, reduction=_reduction):
        x = tf.placeholder(tf.float32, [None])
        return Case([tf.losses.compute_weighted_loss(x, reduction=reduction), tf.losses.compute_weighted_loss(x, tf.zeros([1]), reduction=reduction), tf.losses.compute_weighted_loss(3.0, 2.0, reduction=reduction)], feeds={x: []})
    globals()["case_empty_" + _reduction] = _case


def case_refused(tf):
    w = tf.losses.compute_weighted_loss
    x = tf.constant(X)
    bad = [[2], [1, 2], [2, 2, 1, 1], [3, 1, 1], [1, 1, 2], [2, 3, 3], [1, 2, 3, 1], [4, 2, 3]]
    return [raises(w, x, np.ones(s, "float32")) for s in bad] + [raises(w, x, None), raises(w, None), raises(w, x, "a"), raises(w, x, reduction="none ")]


for _i, _bad in enumerate([[1.0, 2.0], [[[1.0, 2.0]]], np.ones([2, 2, 2]), np.ones([1, 1, 1, 1]), np.ones([3, 1, 1])]):
    def _case(tf, bad=_bad):
        fed = tf.placeholder(tf.float32)
        return Case(tf.losses.compute_weighted_loss(tf.constant(X, tf.float32), fed), feeds={fed: bad})
    globals()["case_refused_in_run_%d" % _i] = _case

    def _case(tf, bad=_bad):
        fed, x = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        return Case(tf.losses.compute_weighted_loss(x, fed, reduction="none"), feeds={fed: bad, x: X})
    globals()["case_both_unknown_refused_in_run_%d" % _i] = _case


def case_collections(tf):
    l = tf.losses
    a = l.absolute_difference([1.0], [2.0])
    b = l.absolute_difference([1.0], [2.0], loss_collection=None)
    c = l.absolute_difference([1.0], [2.0], loss_collection="mine")
    d = l.compute_weighted_loss([1.0], loss_collection="mine")
    with tf.name_scope("outer"):
        e = l.mean_squared_error([1.0], [2.0], scope="inner")
    with tf.variable_scope("vars"):
        f = l.log_loss([1.0], [0.5])
    return [a, b, c, d, e, f, l.get_losses(), l.get_losses("outer"), l.get_losses("outer/inner"), l.get_losses(scope="vars", loss_collection="losses"), l.get_losses(loss_collection="mine"),
            l.get_losses("nothing"), l.get_total_loss(), l.get_total_loss(scope="outer"), l.get_total_loss(scope="abs", name="named")]


def case_scopes(tf):
    l = tf.losses
    x = tf.constant([[0.5, 0.25]])
    with tf.variable_scope("s"):
        y = [l.huber_loss(x, x), l.huber_loss(x, x), l.huber_loss(x, x, scope="h"), l.huber_loss(x, x, scope="h")]
    with tf.name_scope(""):
        y += [l.hinge_loss(x, x, scope="s/g"), l.hinge_loss(x, x, scope="g/")]
    with tf.name_scope("n"):
        y += [l.softmax_cross_entropy(x, x), l.sigmoid_cross_entropy(x, x), l.sparse_softmax_cross_entropy([1], x), l.cosine_distance(x, x, 1), l.mean_pairwise_squared_error(x, x)]
    return y


def case_regularization(tf):
    l = tf.losses
    with tf.variable_scope("a", regularizer=tf.nn.l2_loss):
        tf.get_variable("v", initializer=[1.0, 2.0])
        with tf.variable_scope("b", regularizer=lambda v: tf.reduce_sum(tf.abs(v))):
            tf.get_variable("v", initializer=[1.0, -2.0])
    tf.get_variable("w", initializer=[3.0], regularizer=tf.nn.l2_loss)
    return [l.get_regularization_losses(), l.get_regularization_losses("a"), l.get_regularization_losses("a/b"), l.get_regularization_loss(), l.get_regularization_loss("a"), l.get_regularization_loss(scope="none"),
            l.get_regularization_loss(name="other"), l.get_total_loss(), l.get_total_loss(scope="a")]


def case_total(tf):
    l = tf.losses
    x = tf.Variable([1.0, 2.0])
    l.mean_squared_error([0.0, 0.0], x)
    l.add_loss(tf.reduce_sum(x))
    l.add_loss(tf.reduce_sum(x), "elsewhere")
    l.add_loss(tf.reduce_sum(x), None)
    l.add_loss(tf.reduce_sum(x), loss_collection="regularization_losses")
    y = [l.get_total_loss(), l.get_total_loss(False), l.get_total_loss(add_regularization_losses=False, name="other")]
    return [y, tf.gradients(y[0], x)]


def case_no_losses(tf):
    l = tf.losses
    return [raises(l.get_total_loss), raises(l.get_total_loss, scope="x"), l.get_losses(), l.get_regularization_losses()]


def case_training(tf):
    x, labels = tf.constant(X.reshape(4, 3), tf.float32), tf.constant([[1.0], [0.0], [1.0], [0.0]])
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer(), regularizer=lambda v: 0.1 * tf.nn.l2_loss(v))
    tf.losses.sigmoid_cross_entropy(labels, tf.matmul(x, w), weights=[[1.0], [2.0], [0.5], [0.0]], label_smoothing=0.1)
    tf.losses.huber_loss(labels, tf.matmul(x, w), weights=0.25)
    loss = tf.losses.get_total_loss()
    return Case([loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)], steps=4)


def case_mixed_kinds_in_total(tf):
    tf.losses.add_loss(tf.constant(1.0))
    tf.losses.add_loss(tf.constant([1.0, 2.0]))
    return tf.losses.get_total_loss()


def case_reduction(tf):
    r = tf.losses.Reduction
    return [list(r.all()), r.validate("none"), r.validate(r.SUM), raises(r.validate, None), raises(r.validate, "SUM"), r.SUM, r.MEAN, r.NONE]
