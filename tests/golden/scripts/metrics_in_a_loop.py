import numpy as np
import tensorflow as tf

tf.set_random_seed(1)
y = tf.placeholder(tf.int64, [None])
p = tf.placeholder(tf.float32, [None, 3])
w = tf.placeholder_with_default(tf.ones([1]), [None])
pred = tf.argmax(p, 1)
b = tf.cast(tf.equal(y, 0), tf.int32)
mets = {
    'acc': tf.metrics.accuracy(y, pred, weights=w), 'prec': tf.metrics.precision(b, tf.cast(tf.equal(pred, 0), tf.int32)), 'rec': tf.metrics.recall(b, tf.cast(tf.equal(pred, 0), tf.int32)),
    'auc': tf.metrics.auc(b, p[:, 0], num_thresholds=20), 'auc_pr': tf.metrics.auc(b, p[:, 0], curve='PR', summation_method='careful_interpolation'),
    'mse': tf.metrics.mean_squared_error(tf.one_hot(y, 3), p), 'mae': tf.metrics.mean_absolute_error(tf.one_hot(y, 3), p), 'cos': tf.metrics.mean_cosine_distance(tf.one_hot(y, 3), tf.nn.l2_normalize(p, 1), 1),
    'rel': tf.metrics.mean_relative_error(tf.ones_like(p), p, tf.fill(tf.shape(p), 2.)), 'topk': tf.metrics.recall_at_k(y, p, 2), 'ap': tf.metrics.average_precision_at_k(y[:, None], p, 2), 'pk': tf.metrics.precision_at_k(y[:, None], p, 1, class_id=1),
    'iou': tf.metrics.mean_iou(y, pred, 3), 'mpca': tf.metrics.mean_per_class_accuracy(y, pred, 3), 'tp': tf.metrics.true_positives(b, p[:, 0] > 0.4), 'fn_at': tf.metrics.false_negatives_at_thresholds(b, p[:, 0], [0.2, 0.5]),
    'below': tf.metrics.percentage_below(p, 0.3), 'mt': tf.metrics.mean_tensor(tf.reduce_sum(p, 0)), 'sens': tf.metrics.sensitivity_at_specificity(b, p[:, 0], 0.5), 'spec': tf.metrics.specificity_at_sensitivity(b, p[:, 0], 0.5)}
cm = tf.confusion_matrix(y, pred, 3, dtype=tf.float32, weights=None)
total = tf.get_variable('total_cm', [3, 3], initializer=tf.zeros_initializer(), collections=[tf.GraphKeys.LOCAL_VARIABLES, 'mine'], trainable=False)
add_cm = total.assign_add(cm)
in_top = tf.reduce_mean(tf.cast(tf.nn.in_top_k(p, y, 2), tf.float32))
values = {k: v[0] for k, v in mets.items()}
updates = [v[1] for k, v in sorted(mets.items())] + [add_cm]
reset = tf.variables_initializer(tf.local_variables())
hist = tf.histogram_fixed_width(p, [0., 1.], 5)
rng = np.random.RandomState(8)
with tf.Session() as sess:
    for epoch in range(2):
        sess.run(reset)
        for _ in range(3):
            q = rng.rand(5, 3)
            q /= q.sum(1, keepdims=True)
            sess.run(updates, {y: rng.randint(0, 3, 5), p: q, w: rng.rand(5)})
        for k, v in sorted(sess.run(values).items()):
            print(epoch, k, np.round(v, 4).tolist())
        print(sess.run(total).tolist(), sess.run([in_top, hist], {p: q, y: [0] * 5}))
print(len(tf.local_variables()), len(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)), [v.name for v in tf.get_collection('mine')])
