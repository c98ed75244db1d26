"""Queues and accumulators: the graphs that their methods build, and what comes out again."""

from golden_case import Case, raises, says


def case_fifo(tf):
    q = tf.FIFOQueue(9, [tf.float32, tf.int32], shapes=[[], [2]], shared_name="common", name="q")
    fill = q.enqueue_many([[1.0, 2, 3, 4], [[1, 2], [3, 4], [5, 6], [7, 8]]])
    one = q.enqueue((5.0, [9, 10]))
    return Case(runs=[fill, one, q.size(), q.dequeue(), q.dequeue_many(2), q.dequeue_up_to(2), q.is_closed(), q.close(),
                      q.is_closed()])


def case_fifo_names(tf):
    q = tf.FIFOQueue(9, [tf.float32, tf.string], names=["a", "b"])
    return Case(runs=[q.enqueue({"b": "x", "a": 1.0}), q.enqueue({"a": [1.0, 2.0], "b": ["y"]}), q.dequeue(), q.dequeue()])


def case_fifo_unknown_shapes(tf):
    q = tf.FIFOQueue(9, tf.int64)
    n = tf.placeholder(tf.int32)
    known = tf.FIFOQueue(3, tf.int64, shapes=[[2]])
    return Case({"one": q.dequeue(), "many": q.dequeue_many(2), "up to": q.dequeue_up_to(3), "n": known.dequeue_many(n),
                 "named": known.dequeue(name="mine")}, graph_only=True)


def case_in_scopes(tf):
    with tf.name_scope("outer"):
        q = tf.FIFOQueue(3, tf.int32, name="inner")
        first = q.enqueue(1)
    with tf.name_scope("other"), tf.device("/cpu:0"):
        second = q.enqueue(2, name="second")
        q.size()
    return Case([first, second, q.dequeue(), q.dequeue_many(1, name="x/y")], graph_only=True)


def case_padding(tf):
    q = tf.PaddingFIFOQueue(9, [tf.float32, tf.string], shapes=[[None, 2], [None]])
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.string, [None])
    put = q.enqueue([x, y])
    return Case(runs=[(put, {x: [[1, 2]], y: ["a", "b"]}), (put, {x: [[1, 2], [3, 4], [5, 6]], y: []}), q.dequeue_many(2),
                      (put, {x: [[7, 8]], y: ["c"]}), q.dequeue()])


def case_scalar_strings(tf):
    """What is stacked are strings, not arrays of them."""
    key, value = tf.placeholder(tf.string, []), tf.placeholder(tf.string, [None])
    queues = [
        tf.PaddingFIFOQueue(9, [tf.string, tf.string], shapes=[[], [None]]),
        tf.FIFOQueue(9, [tf.string], shapes=[[]]),
        tf.RandomShuffleQueue(9, 0, [tf.string], shapes=[[]], seed=1),
        tf.PriorityQueue(9, [tf.string], shapes=[[]]),
    ]
    puts = [queues[0].enqueue([key, value]), queues[1].enqueue([key]), queues[2].enqueue([key]),
            queues[3].enqueue([tf.constant(3, tf.int64), key])]
    feeds = [{key: "a", value: ["x"]}, {key: "b", value: ["y", "z"]}, {key: "c", value: []}]
    return Case(runs=[(puts, feed) for feed in feeds] + [queue.dequeue_many(2) for queue in queues]
                + [queue.dequeue() for queue in queues])


def case_shuffle(tf):
    q = tf.RandomShuffleQueue(100, 0, tf.int32, shapes=[()], seed=3)
    by_place = tf.RandomShuffleQueue(100, 3, tf.int32, shapes=[()])
    shared = tf.RandomShuffleQueue(100, 3, tf.int32, shapes=[()], shared_name="common")
    runs = [each.enqueue_many([list(range(30))]) for each in (q, by_place, shared)]
    runs += [each.dequeue_many(10) for each in (q, by_place, shared)]
    return Case(runs=runs + [each.dequeue() for each in (q, by_place, shared)] + [q.dequeue_many(19), q.size()])


def case_priority(tf):
    q = tf.PriorityQueue(100, [tf.string], shapes=[[]])
    ties = [1, 1, 2, 3, 0, 0, 3, 2, 1, 1, 3, 3, 3, 1, 1, 1, 3, 0, 0, 1]
    put = q.enqueue_many([tf.constant(ties, tf.int64), [str(i) for i in range(len(ties))]])
    last = q.enqueue([tf.constant(-7, tf.int64), "first"])
    return Case(runs=[put, last, q.dequeue(), q.dequeue_many(12), q.dequeue_up_to(8)])


def case_from_list(tf):
    queues = [tf.FIFOQueue(3, tf.float32, shapes=[[2]]), tf.FIFOQueue(4, tf.float32, shapes=[[3]])]
    index = tf.placeholder(tf.int32, [])
    chosen = tf.QueueBase.from_list(index, queues)
    taken = chosen.dequeue()
    return Case(runs=[queues[0].enqueue([[1.0, 2]]), queues[1].enqueue([[3.0, 4, 5]]), (taken, {index: 1}), (taken, {index: 0})])


def case_what_is_refused(tf):
    plain = tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[], [2]])
    named = tf.FIFOQueue(3, tf.float32, names=["a"])
    return {str(i): raises(f) for i, f in enumerate([
        lambda: tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[]]),
        lambda: tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[2, 3]),
        lambda: tf.FIFOQueue(3, [tf.float32, tf.int32], names=["a"]),
        lambda: tf.FIFOQueue(3, tf.float32, shapes=2),
        lambda: tf.FIFOQueue(3, tf.float32, shapes=[[None]]),
        lambda: tf.PaddingFIFOQueue(3, [tf.float32, tf.int32], shapes=[[None]]),
        lambda: tf.PaddingFIFOQueue(3, tf.float32, shapes=None),
        lambda: tf.PaddingFIFOQueue(3, tf.float32, shapes=[tf.TensorShape(None)]),
        lambda: plain.enqueue([1.0, [1, 2, 3]]),
        lambda: plain.enqueue([tf.constant(1), [1, 2]]),
        lambda: plain.enqueue({"a": 1.0}),
        lambda: plain.enqueue_many([[1.0, 2.0], [[1, 2]]]),
        lambda: plain.enqueue_many([3.0, [1, 2]]),
        lambda: named.enqueue(1.0),
        lambda: named.enqueue({"b": 1.0}),
        lambda: tf.QueueBase.from_list(0, []),
        lambda: tf.QueueBase.from_list(0, [plain, named]),
        lambda: tf.ConditionalAccumulator(tf.float32, shape=[2]).apply_grad([1.0, 2.0, 3.0]),
        lambda: tf.ConditionalAccumulator(tf.float32, reduction_type="MAX"),
    ])}


def case_accumulator(tf):
    mean = tf.ConditionalAccumulator(tf.float32, shape=[2], name="mean")
    total = tf.ConditionalAccumulator(tf.float64, reduction_type="SUM", shared_name="common")
    runs = [mean.apply_grad([1.0, 2.0]), mean.apply_grad([2.0, 4.0], local_step=3), mean.num_accumulated(), mean.take_grad(2),
            mean.apply_grad([5.0, 5.0]), mean.num_accumulated(), mean.set_global_step(4), mean.apply_grad([1.0, 1.0], 4),
            mean.take_grad(1)]
    runs += [total.apply_grad([[7, -7]]), total.apply_grad([[2, -4]], local_step=tf.constant(9, tf.int64)), total.take_grad(1)]
    return Case(runs=runs)


def case_sparse_accumulator(tf):
    mean = tf.SparseConditionalAccumulator(tf.float32)
    total = tf.SparseConditionalAccumulator(tf.float32, shape=[3, 2], reduction_type="SUM")
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1], tf.int64))
    runs = [mean.apply_grad([0, 2], [[1.0, 2], [3, 4]], [3, 2]), mean.apply_grad([2, 1], [[1.0, 2], [3, 4]], [3, 2]),
            mean.num_accumulated(), mean.take_grad(2), mean.apply_grad([0], [[1.0, 2]]), mean.num_accumulated(),
            mean.apply_indexed_slices_grad(slices, local_step=1), mean.take_grad(1)]
    runs += [total.apply_grad([0, 2], [[1.0, 2], [3, 4]], [3, 2]), total.apply_grad([2, 1], [[1.0, 2], [3, 4]], [3, 2])]
    taken = total.take_indexed_slices_grad(1)
    return Case(runs=runs + [[taken.indices, taken.values, taken.dense_shape]])


def case_barrier_of_any_capacity(tf):
    return tf.raw_ops.Barrier(component_types=[tf.float32], shapes=[[2]], capacity=1).op


def case_shuffled_queues_that_differ(tf):
    def shared(**options):
        with tf.Graph().as_default(), tf.Session() as session:
            for each in {"min_after_dequeue": 1, "seed": 1}, dict({"min_after_dequeue": 1, "seed": 1}, **options):
                tf.set_random_seed(10)
                session.run(tf.RandomShuffleQueue(10, dtypes=tf.float32, shared_name="q", **each).size())

    return [says(r"has random seeds \(10, 1\) but requested seeds are \(10, 2\)", shared, seed=2),
            says("has min_after_dequeue 1 but requested min_after_dequeue was 2", shared, min_after_dequeue=2), raises(shared)]
