"""Losses: their weights, reductions, collections and graphs."""
import numpy as np
from golden_case import Case, raises

P = (np.arange(6) * 37 % 11).reshape(2, 3) / 11.0 + 0.05
L = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
REDUCTIONS = ["none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", "weighted_sum_by_nonzero_weights"]
LOSSES = {"absolute_difference": {}, "hinge_loss": {}, "huber_loss": {"delta": 0.3}, "log_loss": {}, "mean_squared_error": {}, "sigmoid_cross_entropy": {"label_smoothing": 0.1},
          "softmax_cross_entropy": {"label_smoothing": 0.2}, "mean_pairwise_squared_error": {}, "cosine_distance": {"axis": 1}}

for _name, _options in LOSSES.items():
    def _case(tf, name=_name, options=_options):
        labels, predictions = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3])
        function = getattr(tf.losses, name)
        plain = {k: v for k, v in options.items() if k == "axis"}
        y = [function(labels, predictions, **plain), function(labels, predictions, weights=0.5, scope="q", **options)]
        return Case([y, tf.gradients(y, predictions)], feeds={labels: L, predictions: P})
    globals()["case_" + _name] = _case

    def _case(tf, name=_name, options=_options):
        labels, predictions, weights = tf.constant(L, tf.float32), tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2] if name == "softmax_cross_entropy" else [2, 1])
        function = getattr(tf.losses, name)
        more = {} if name == "mean_pairwise_squared_error" else {"reduction": "weighted_sum_over_batch_size"}
        y = function(labels, predictions, weights=weights, loss_collection="mine", **dict(options, **more))
        feed = np.array([1.0, 0.0]) if name == "softmax_cross_entropy" else np.array([[1.0], [0.0]])
        return Case([y, tf.get_collection("mine"), tf.get_collection("losses")], feeds={predictions: P, weights: feed})
    globals()["case_weighted_" + _name] = _case

for _name in REDUCTIONS:
    def _case(tf, name=_name):
        losses, weights = tf.placeholder(tf.float32, [2, None]), tf.placeholder(tf.float32, [2, None])
        fixed = tf.constant(P, tf.float32)
        return Case([tf.losses.compute_weighted_loss(losses, weights, reduction=name), tf.losses.compute_weighted_loss(fixed, 2.0, reduction=name),
                     tf.losses.compute_weighted_loss(fixed, [[0.0], [3.0]], reduction=name, scope="s")], feeds={losses: P, weights: [[1.0], [0.0]]})
    globals()["case_reduction_" + _name] = _case


def case_unknown(tf):
    losses, weights = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    y = tf.losses.compute_weighted_loss(losses, weights)
    return Case(None, runs=[(y, {losses: P, weights: 2.0}), (y, {losses: P, weights: [[1.0, 0.0, 1.0]]})])


def case_weights_refused_in_run(tf):
    losses, weights = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    return Case(tf.losses.compute_weighted_loss(losses, weights), feeds={losses: P, weights: [1.0, 2.0]})


def case_integers(tf):
    return [tf.losses.compute_weighted_loss(tf.constant([1, 2, 3]), tf.constant([1, 0, 1], tf.int64)), tf.losses.mean_squared_error([1, 2], [3.0, 4.0])]


def case_sparse(tf):
    labels, logits = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None, 3])
    column, weights = tf.placeholder(tf.int64, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    y = [tf.losses.sparse_softmax_cross_entropy(labels, logits), tf.losses.sparse_softmax_cross_entropy(column, logits, weights=weights)]
    return Case([y, tf.gradients(y, logits)], feeds={labels: [2, 0], logits: P, column: [[1], [2]], weights: [[1.0], [0.5]]})


def case_sparse_unknown(tf):
    labels, weights = tf.placeholder(tf.int32), tf.placeholder(tf.float32, [None])
    return Case(tf.losses.sparse_softmax_cross_entropy(labels, tf.constant(P), weights=weights), feeds={labels: [[1], [2]], weights: [1.0, 0.5]})


def case_totals(tf):
    tf.losses.mean_squared_error([1.0], [2.0])
    tf.losses.mean_squared_error([1.0], [4.0])
    tf.add_to_collection("regularization_losses", tf.constant(0.25))
    tf.losses.add_loss(tf.constant(3.0))
    return [tf.losses.get_total_loss(), tf.losses.get_regularization_loss(), tf.losses.get_total_loss(add_regularization_losses=False, name="t"),
            tf.losses.get_losses("mean_sq"), tf.losses.get_regularization_losses()]


def case_no_regularization(tf):
    return tf.losses.get_regularization_loss()


def case_reduction_names(tf):
    r = tf.losses.Reduction
    return [r.all(), r.SUM, r.MEAN, r.NONE, r.SUM_OVER_BATCH_SIZE, r.SUM_OVER_NONZERO_WEIGHTS, r.SUM_BY_NONZERO_WEIGHTS]


def case_refused(tf):
    x = tf.zeros([2, 3])
    w = tf.losses.compute_weighted_loss
    return [raises(w, x, tf.zeros([4])), raises(w, x, tf.zeros([2, 2])), raises(w, x, reduction="foo"), raises(tf.losses.absolute_difference, x, tf.zeros([2, 2])),
            raises(tf.losses.absolute_difference, None, x), raises(tf.losses.hinge_loss, x, None), raises(tf.losses.absolute_difference, x, x, None), raises(tf.losses.cosine_distance, x, x),
            raises(tf.losses.get_total_loss), raises(tf.losses.Reduction.validate, "x"), raises(tf.losses.softmax_cross_entropy, x, tf.zeros([2, 4]))]
