"""Losses and metrics of `tf.contrib.losses` and `tf.contrib.metrics`: graphs and values."""
import numpy as np

P = np.linspace(0.1, 0.9, 6, dtype=np.float32).reshape(3, 2)
Y = np.array([[0, 1], [1, 0], [1, 0]], np.float32)
W = np.array([1, 0, 2], np.float32)


def updates(*pairs):
    """What a batch makes of metrics: a value read in the same run may be of before it."""
    return [pair[1] for pair in pairs]


def case_elementwise(tf):
    losses = tf.contrib.losses
    p, y = tf.constant(P), tf.constant(Y)
    return [losses.mean_squared_error(p, y), losses.absolute_difference(p, y, weights=tf.constant(W)), losses.log_loss(p, y, weights=tf.constant(W[:, None])),
            losses.cosine_distance(p, y, axis=1), losses.cosine_distance(p, y, dim=1, weights=0.5), losses.hinge_loss(p, y),
            losses.mean_squared_error(p, y, weights=tf.constant(Y)), losses.get_losses(), losses.get_total_loss()]


def case_pairs(tf):
    losses = tf.contrib.losses
    p, y = tf.constant(P), tf.constant(Y)
    return [losses.mean_pairwise_squared_error(p, y), losses.mean_pairwise_squared_error(p, y, weights=tf.constant(W))]


def case_entropies(tf):
    losses = tf.contrib.slim.losses
    p, y = tf.constant(P), tf.constant(Y)
    return [losses.sigmoid_cross_entropy(p, y, label_smoothing=0.1), losses.softmax_cross_entropy(p, y, label_smoothing=0.1, weights=tf.constant(W)),
            losses.softmax_cross_entropy(p, y), losses.sparse_softmax_cross_entropy(p, tf.constant([[0], [1], [1]]), weights=2), losses.compute_weighted_loss(p, 0.5, scope="hi")]


def case_loss_without_labels(tf):
    return tf.contrib.losses.mean_squared_error(tf.constant(P))


def case_metric_learning(tf):
    learning = tf.contrib.losses.metric_learning
    labels = tf.constant([0, 1, 0, 1, 2])
    x = tf.constant((np.arange(15, dtype=np.float32) * 7 % 11).reshape(5, 3) / 8)
    y = tf.constant((np.arange(15, dtype=np.float32) * 5 % 13).reshape(5, 3) / 8)
    return [learning.contrastive_loss(tf.constant([0, 1, 1, 0, 1]), x, y), learning.triplet_semihard_loss(labels, x), learning.npairs_loss(labels, x, y), learning.lifted_struct_loss(labels, x)]


def case_npairs_multilabel(tf):
    learning = tf.contrib.losses.metric_learning
    labels = [tf.SparseTensor([[0]], [1.0], [3]), tf.SparseTensor([[0], [2]], [1.0, 1.0], [3])]
    return learning.npairs_loss_multilabel(labels, tf.constant(P[:2]), tf.constant(P[1:]))


def case_streaming(tf):
    metrics = tf.contrib.metrics
    p, y = tf.constant(P), tf.constant(Y)
    return updates(metrics.streaming_accuracy(tf.constant([1, 2]), tf.constant([1, 0])), metrics.streaming_mean(p), metrics.streaming_recall_at_k(p, tf.constant([0, 1, 1]), 1),
            metrics.streaming_mean_iou(tf.constant([1, 0]), tf.constant([1, 1]), 2), metrics.streaming_mean_absolute_error(p, y), metrics.streaming_percentage_less(p, 0.5),
            metrics.streaming_mean_cosine_distance(p, y, 1), metrics.streaming_root_mean_squared_error(p, y), metrics.streaming_mean_tensor(p))


def case_streaming_binary(tf):
    metrics = tf.contrib.slim.metrics
    p, y = tf.constant(P), tf.constant(Y)
    return updates(metrics.streaming_auc(p, y), metrics.streaming_precision(y, y), metrics.streaming_recall(y, y), metrics.streaming_false_positive_rate(p, y),
            metrics.streaming_false_negative_rate(y, y), metrics.streaming_true_positives(y, y), metrics.streaming_precision_at_thresholds(p, y, [0.3, 0.6]))


def case_streaming_rates_at_thresholds(tf):
    metrics = tf.contrib.metrics
    p, y = tf.constant(P), tf.constant(Y)
    return updates(metrics.streaming_false_positive_rate_at_thresholds(p, y, [0.3, 0.6]), metrics.streaming_false_negative_rate_at_thresholds(p, y, [0.3]),
            metrics.streaming_true_negatives_at_thresholds(p, y, [0.5]))


def case_streaming_covariance(tf):
    metrics = tf.contrib.metrics
    p, y = tf.constant(P), tf.constant(Y)
    return updates(metrics.streaming_covariance(p, y), metrics.streaming_pearson_correlation(p, y, weights=tf.constant(W[:, None])))


def case_streaming_sparse(tf):
    metrics = tf.contrib.metrics
    p = tf.constant(P)
    labels = tf.constant([[0], [1], [1]], tf.int64)
    return updates(metrics.streaming_sparse_precision_at_k(p, labels, 1), metrics.streaming_sparse_recall_at_k(p, labels, 1), metrics.streaming_sparse_average_precision_at_k(p, labels, 2))


def case_streaming_concat(tf):
    metrics = tf.contrib.metrics
    return updates(metrics.count(tf.constant(P)), metrics.count(tf.constant(P), tf.constant(W[:, None])), metrics.streaming_concat(tf.constant(P)), metrics.streaming_concat(tf.constant(P), axis=1, max_size=3))


def case_maps(tf):
    metrics = tf.contrib.metrics
    values, updates = metrics.aggregate_metrics(metrics.streaming_mean(tf.constant(P)), metrics.streaming_mean(tf.constant(Y)))
    named = metrics.aggregate_metric_map({"a": metrics.streaming_mean(tf.constant(P)), "b": metrics.streaming_accuracy(tf.constant([1]), tf.constant([1]))})
    return [values, updates, named[0]["a"], named[1]["b"], metrics.accuracy(tf.constant([1, 2]), tf.constant([1, 1])), metrics.accuracy(tf.constant([1, 2]), tf.constant([1, 1]), weights=tf.constant([1.0, 3.0])),
            metrics.confusion_matrix(tf.constant([1, 0]), tf.constant([1, 1])), metrics.set_size(tf.SparseTensor([[0, 0]], [3], [1, 2]))]
