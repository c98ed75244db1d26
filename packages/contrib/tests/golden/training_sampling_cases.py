"""Sampling of `tf.contrib.training`: graphs, queue runners and shapes."""


def described(tf, tensors):
    runners = [[each.name, [op.name for op in each.enqueue_ops]] for each in tf.get_collection("queue_runners")]
    return [[each.name, each.dtype.name, str(each.shape)] for each in tensors] + runners


def case_stratified(tf):
    tf.set_random_seed(3)
    batch, labels = tf.contrib.training.stratified_sample([tf.random_uniform([3])], tf.constant(1), [0.5, 0.3, 0.2], 4, init_probs=[0.2, 0.3, 0.5])
    return described(tf, batch + [labels])


def case_stratified_by_counts(tf):
    rows, classes = tf.placeholder(tf.float32, [5, 3]), tf.placeholder(tf.int32, [5])
    batch, labels = tf.contrib.training.stratified_sample([rows], classes, tf.constant([0.5, 0.5]), 4, enqueue_many=True, threads_per_queue=2)
    return described(tf, batch + [labels])


def case_rejection(tf):
    tf.set_random_seed(3)
    return described(tf, tf.contrib.training.rejection_sample([tf.random_uniform([3]), tf.constant(1)], lambda rows: tf.reduce_mean(rows[0]), 4))


def case_rejection_of_rows(tf):
    rows = [tf.random_uniform([5, 3]), tf.ones([5])]
    return described(tf, tf.contrib.training.rejection_sample(rows, lambda one: tf.reduce_mean(one[0]), 4, runtime_checks=True, enqueue_many=True, queue_threads=2, prebatch_threads=3, name="foo"))


def case_rates(tf):
    tf.set_random_seed(5)
    first, second = tf.contrib.training.resample_at_rate([tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5.0, 6.0])], tf.constant([0.0, 30.0]), seed=3)
    return [tf.reduce_max(first), tf.reduce_min(second)]


def case_weights(tf):
    rows, rates = tf.contrib.training.weighted_resample([tf.zeros([4, 2]), tf.zeros([4])], tf.constant([1.0, 2.0, 0.5, 0.0]), 0.7, seed=3)
    return described(tf, rows + [rates])


def case_other_number_of_classes(tf):
    return tf.contrib.training.stratified_sample([tf.zeros([3])], 1, [0.5, 0.5], 4, init_probs=[0.2, 0.3, 0.5])


def case_probability_of_rank_1(tf):
    return tf.contrib.training.rejection_sample([tf.zeros([3])], lambda one: one[0], 4)
