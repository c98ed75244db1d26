"""Input pipelines from end to end; the shuffled ones are those of the original."""

import threading

import numpy as np
import pytest

import ossia as tf


def batches(*fetches):
    """All values of what ends with the input, and the names of threads that are left."""
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        found = []
        try:
            while True:
                values = session.run(fetches)
                found.append([np.asarray(value).tolist() for value in values])
        except tf.errors.OutOfRangeError:
            pass
        coord.request_stop()
        coord.join(threads)
        assert not any(thread.is_alive() for thread in threads)
    return found


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_lines_of_files(tmp_path):
    for name, text in (("a", "1\n2\n"), ("b", "3\n")):
        (tmp_path / name).write_text(text)
    names = tf.train.string_input_producer(sorted(map(str, tmp_path.iterdir())), shuffle=False, num_epochs=2)
    _, line = tf.TextLineReader().read(names)
    taken = tf.train.batch([line], 4, allow_smaller_final_batch=True)
    assert [batch for (batch,) in batches(taken)] == [[b"1", b"2", b"3", b"1"], [b"2", b"3"]]


def test_slices_in_the_order_of_the_original():
    tf.set_random_seed(5)
    (number,) = tf.train.slice_input_producer([tf.range(10)], num_epochs=2, seed=3)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        first = [int(session.run(number)) for _ in range(20)]
        coord.request_stop()
        coord.join(threads)
    assert sorted(first[:10]) == sorted(first[10:]) == list(range(10))
    assert first[:10] != first[10:] != list(range(10))


def test_shuffle_batch_in_the_order_of_the_original():
    tf.set_random_seed(5)
    filled = threading.Event()
    numbers = tf.train.slice_input_producer([tf.range(10)], num_epochs=2, seed=3)
    taken = tf.train.shuffle_batch(numbers, 4, 20, 5, seed=8, allow_smaller_final_batch=True)
    queue = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[-1].queue
    closed, size = queue.is_closed(), queue.size()
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        while not (session.run(closed) and session.run(size) == 20):
            filled.wait(0.01)
        found = [session.run(taken).tolist() for _ in range(5)]
        coord.request_stop()
        coord.join(threads)
    assert found == [[1, 2, 5, 4], [0, 3, 7, 2], [0, 1, 3, 4], [6, 8, 7, 9], [6, 8, 5, 9]]


def test_maybe_batch():
    number = tf.train.range_input_producer(7, num_epochs=1, shuffle=False).dequeue()
    taken = tf.train.maybe_batch([number], tf.equal(number % 2, 0), 3, allow_smaller_final_batch=True)
    assert [batch for (batch,) in batches(taken)] == [[0, 2, 4], [6]]


def test_maybe_batch_of_many():
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    many = tf.stack([number, number + 10])
    taken = tf.train.maybe_batch([many], tf.stack([True, False]), 2, enqueue_many=True)
    assert [batch for (batch,) in batches(taken)] == [[0, 1], [2, 3]]


def test_padding():
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    taken = tf.train.batch([tf.range(number)], 3, dynamic_pad=True)
    assert batches(taken) == [[[[0, 0], [0, 0], [0, 1]]]]


def test_sparse_tensors():
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    sparse = tf.SparseTensor(tf.cast(tf.reshape(number, [1, 1]), tf.int64), [tf.cast(number, tf.float32)], [4])
    taken, dense = tf.train.batch([sparse, number], 2)
    assert batches(taken.indices, taken.values, taken.dense_shape, dense) == [
        [[[0, 0], [1, 1]], [0, 1], [2, 4], [0, 1]],
        [[[0, 2], [1, 3]], [2, 3], [2, 4], [2, 3]],
    ]


def test_sparse_tensors_of_many():
    tf.train.range_input_producer(1)
    rows = tf.SparseTensor([[0, 1], [2, 0], [2, 1]], [1.0, 2.0, 3.0], [3, 2])
    limited = tf.train.limit_epochs(tf.constant([7, 8, 9]), 1)
    taken, dense = tf.train.batch([rows, limited], 3, enqueue_many=True)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        sparse, numbers = session.run([taken, dense])
        coord.request_stop()
        coord.join(threads)
    np.testing.assert_array_equal(sparse.indices, [[0, 1], [2, 0], [2, 1]])
    np.testing.assert_array_equal(sparse.dense_shape, [3, 2])
    assert numbers.tolist() == [7, 8, 9]


def test_join_of_two_inputs():
    producers = [tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue() + 10 * i for i in range(2)]
    taken = tf.train.batch_join([[p] for p in producers], 2)
    found = [number for (batch,) in batches(taken) for number in batch]
    assert sorted(found) == [0, 1, 2, 10, 11, 12]
    assert [n for n in found if n < 10] == [0, 1, 2] and [n for n in found if n >= 10] == [10, 11, 12]


def test_match_filenames_once(tmp_path):
    for name in ("x1", "x2", "y"):
        (tmp_path / name).write_text("")
    names = tf.train.match_filenames_once(str(tmp_path / "x*"))
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        (tmp_path / "x3").write_text("")
        assert [name.rpartition(b"/")[2] for name in session.run(names).tolist()] == [b"x1", b"x2"]


def test_trace_of_a_queue():
    queue = tf.FIFOQueue(1, tf.float32, [[]], name="q")
    with tf.control_dependencies([queue.enqueue(2.0)]):
        squared = tf.square(queue.dequeue(), name="squared")
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        assert session.run(squared, options=options, run_metadata=metadata) == 4.0
    host, device = metadata.step_stats.dev_stats
    assert [entry.node_name for entry in host.node_stats] == [
        "q_enqueue:QueueEnqueueV2", "q_Dequeue:QueueDequeueV2", "squared:Square",
    ]
    names = [entry.node_name for entry in device.node_stats]
    assert set(names) == {
        "_SOURCE", "q", "q_enqueue/component_0", "q_enqueue", "q_Dequeue", "squared", "_retval_squared_0_0",
    }
    assert names.index("q_enqueue") < names.index("q_Dequeue") < names.index("squared")
