"""Input pipelines: the graphs that the producers and batching functions of `tf.train` build."""

from golden_case import Case, raises


def runners(tf):
    """What the queue runners of the graph run."""
    return [(r.name, [op.name for op in r.enqueue_ops], r.close_op.name, r.cancel_op.name)
            for r in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]


def built(tf, made):
    return Case({"made": made, "runners": str(runners(tf))}, graph_only=True)


def case_limit_epochs(tf):
    twice = tf.train.limit_epochs(tf.constant([1.0, 2.0]), 2)
    return Case([twice, tf.train.limit_epochs(tf.constant(3.0)), tf.train.limit_epochs(tf.constant(1), 1, name="once")], steps=2)


def case_input_producer(tf):
    q = tf.train.input_producer([[1.0], [2.0], [3.0]], shuffle=False, num_epochs=2)
    return built(tf, q.dequeue())


def case_input_producer_options(tf):
    q = tf.train.input_producer(tf.placeholder(tf.float32), element_shape=[2], seed=5, capacity=7, shared_name="common",
                                summary_name="fill", cancel_op=tf.no_op(), name="named")
    return built(tf, q.dequeue())


def case_string_input_producer(tf):
    a = tf.train.string_input_producer(["a", "b"], seed=4)
    b = tf.train.string_input_producer(tf.placeholder(tf.string, [None]), num_epochs=1, name="sip", capacity=5)
    return built(tf, [a.dequeue(), b.dequeue()])


def case_range_input_producer(tf):
    return built(tf, [tf.train.range_input_producer(5, num_epochs=1, shuffle=False).dequeue(),
                      tf.train.range_input_producer(7).dequeue()])


def case_slice_input_producer(tf):
    return built(tf, tf.train.slice_input_producer([tf.constant([1, 2, 3]), [[1.0], [2.0], [3.0]]], num_epochs=1))


def case_match_filenames_once(tf):
    return Case(tf.train.match_filenames_once(["a*", "b"]), graph_only=True)


def case_batch(tf):
    return built(tf, tf.train.batch([tf.constant(1.0), tf.constant([1, 2])], 4))


def case_batch_options(tf):
    return built(tf, tf.train.batch([tf.placeholder(tf.float32)], tf.constant(4), num_threads=3, capacity=9, shapes=[[2]],
                                    allow_smaller_final_batch=True, shared_name="common", name="named"))


def case_batch_dict_of_many(tf):
    return built(tf, tf.train.batch({"x": tf.constant([1.0, 2.0]), "a": tf.constant([3, 4])}, 2, enqueue_many=True))


def case_batch_padded(tf):
    return built(tf, tf.train.batch([tf.placeholder(tf.float32, [None])], 4, dynamic_pad=True))


def case_batch_sparse(tf):
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    one = tf.train.batch([sparse], 3)
    two = tf.train.batch([sparse, tf.constant([1.0, 2.0])], 3, enqueue_many=True, num_threads=2)
    return built(tf, [one.indices, one.values, one.dense_shape, two[0].indices, two[0].dense_shape, two[1]])


def case_batch_join(tf):
    one = tf.train.batch_join([[tf.constant(1.0), tf.constant(2)], [tf.constant(3.0), tf.constant(4)]], 3)
    two = tf.train.batch_join([[tf.placeholder(tf.float32, [2, None])], [tf.placeholder(tf.float32, [2, 3])]], 4, dynamic_pad=True)
    three = tf.train.batch_join([{"a": tf.constant(1.0)}, {"a": tf.constant(2.0)}], 3, allow_smaller_final_batch=True)
    return built(tf, [one, two, three])


def case_batch_join_takes_the_shapes_of_the_first(tf):
    found = []
    for first, second in [([2, 3], [None, 3]), ([None, 3], [2, None]), ([2, None], [None, 3])]:
        lists = [[tf.placeholder(tf.float32, first)], [tf.placeholder(tf.float32, second)]]
        found.append(tf.train.batch_join(lists, 4, dynamic_pad=True))
        found.append(tf.train.batch_join(lists, 4, dynamic_pad=True, enqueue_many=True))
    return built(tf, found)


def case_shuffle_batch(tf):
    return built(tf, [tf.train.shuffle_batch([tf.constant(1.0), tf.constant([1, 2])], 4, 20, 10, seed=3),
                      tf.train.shuffle_batch([tf.constant(1.0)], 4, 20, 10, num_threads=2)])


def case_shuffle_batch_join(tf):
    return built(tf, tf.train.shuffle_batch_join([[tf.constant(1.0), tf.constant(2)], [tf.constant(3.0), tf.constant(4)]], 3, 20, 10,
                                                 allow_smaller_final_batch=True))


def case_maybe_batch(tf):
    keep = tf.placeholder(tf.bool, [])
    return built(tf, [tf.train.maybe_batch([tf.constant(1.0)], keep, 4),
                      tf.train.maybe_batch([tf.constant([1.0, 2.0])], tf.placeholder(tf.bool, [2]), 4, enqueue_many=True),
                      tf.train.maybe_batch([tf.constant(1.0)], False, 4)])


def case_maybe_batch_rows_of_sparse(tf):
    sparse = tf.SparseTensor([[0, 0], [1, 2], [3, 1]], [1.0, 2.0, 3.0], [4, 5])
    keep = tf.constant([True, False, True, True])
    made = tf.train.maybe_batch([sparse, tf.range(4)], keep, 2, enqueue_many=True)
    joined = tf.train.maybe_batch_join([[sparse], [sparse]], keep, 2, enqueue_many=True)
    return built(tf, [*made, joined])


def case_maybe_batch_sparse(tf):
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    made = tf.train.maybe_batch([sparse], tf.placeholder(tf.bool, []), 3)
    return built(tf, [made.indices, made.values, made.dense_shape])


def case_maybe_others(tf):
    keep = tf.placeholder(tf.bool, [])
    pairs = [[tf.constant(1.0), tf.constant(2)], [tf.constant(3.0), tf.constant(4)]]
    return built(tf, [tf.train.maybe_shuffle_batch([tf.constant(1.0)], 4, 20, 10, keep),
                      tf.train.maybe_batch_join(pairs, tf.constant(True), 3),
                      tf.train.maybe_shuffle_batch_join(pairs, 3, 20, 10, keep, seed=1)])


def case_what_is_refused(tf):
    one = tf.constant(1.0)
    return {str(i): raises(f) for i, f in enumerate([
        lambda: tf.train.limit_epochs(one, 0),
        lambda: tf.train.string_input_producer([]),
        lambda: tf.train.slice_input_producer([]),
        lambda: tf.train.input_producer(tf.placeholder(tf.float32)),
        lambda: tf.train.input_producer(one),
        lambda: tf.train.batch([], 4),
        lambda: tf.train.batch([tf.placeholder(tf.float32, [None])], 4),
        lambda: tf.train.batch([tf.placeholder(tf.float32)], 4),
        lambda: tf.train.batch([one], 4, shapes=[[], []]),
        lambda: tf.train.batch([one], 4, enqueue_many=True),
        lambda: tf.train.batch_join([], 4),
        lambda: tf.train.batch_join([[one], [tf.constant(1)]], 4),
        lambda: tf.train.batch_join([{"a": one}, {"b": one}], 4),
        lambda: tf.train.shuffle_batch([one], 4, 10, 10),
        lambda: tf.train.maybe_batch([one], [True, False], 4),
        lambda: tf.train.maybe_batch([one], tf.placeholder(tf.bool), 4),
        lambda: tf.train.maybe_batch([tf.constant([1])], [[True]], 4, enqueue_many=True),
    ])}
