"""QueueRunner and how its threads start and end."""

import logging
import threading

import pytest

import ossia as tf


@pytest.fixture
def endless():
    """A queue with a runner that fills it, in a graph of its own."""
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(3, tf.float32, shapes=[[]], name="q")
        put = queue.enqueue(1.0)
        yield queue, tf.train.QueueRunner(queue, [put, put])


def test_properties_and_proto(endless):
    queue, runner = endless
    assert (runner.name, runner.close_op.name, runner.cancel_op.name) == ("q", "q_Close", "q_Close_1")
    assert runner.queue is queue and runner.exceptions_raised == []
    assert runner.queue_closed_exception_types == (tf.errors.OutOfRangeError,)
    proto = runner.to_proto()
    assert list(proto.enqueue_op_name) == ["q_enqueue", "q_enqueue"]
    assert list(proto.queue_closed_exception_types) == [tf.errors.OUT_OF_RANGE]
    again = tf.train.QueueRunner.from_proto(proto)
    assert again.to_proto() == proto and again.name == "q"


def test_meta_graph_round_trip():
    with tf.Graph().as_default():
        with tf.name_scope("in"):
            queue = tf.FIFOQueue(3, tf.float32, shapes=[[]], name="q")
            tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(2.0)]))
            queue.dequeue(name="taken")
        meta = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.train.import_meta_graph(meta)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        assert session.run(graph.get_tensor_by_name("in/taken:0")) == 2
        coord.request_stop()
        coord.join(threads)


def test_threads(endless):
    queue, runner = endless
    tf.train.add_queue_runner(runner)
    with tf.Session() as session:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        assert [(t.name, t.daemon) for t in threads] == [
            ("QueueRunnerThread-q-q_enqueue", True),
            ("QueueRunnerThread-q-q_enqueue", True),
            ("QueueRunnerThread-q-close_on_stop", True),
        ]
        assert runner.create_threads(session, coord) == []
        assert session.run(queue.dequeue_many(5)).tolist() == [1] * 5
        coord.request_stop()
        coord.join(threads)
        assert not any(t.is_alive() for t in threads) and session.run(queue.is_closed())
        assert len(runner.create_threads(session)) == 2


def test_the_end_of_the_input_closes_the_queue():
    with tf.Graph().as_default(), tf.Session() as session:
        limited = tf.train.limit_epochs(tf.constant(7.0), 3)
        queue = tf.FIFOQueue(9, tf.float32, shapes=[[]])
        runner = tf.train.QueueRunner(queue, [queue.enqueue(limited)] * 2)
        session.run(tf.local_variables_initializer())
        for thread in runner.create_threads(session, start=True):
            thread.join(10)
        assert session.run(queue.dequeue_up_to(9)).tolist() == [7, 7, 7]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(queue.dequeue())
        assert runner.exceptions_raised == []


def test_errors_go_to_the_coordinator():
    with tf.Graph().as_default(), tf.Session() as session:
        queue = tf.FIFOQueue(9, tf.float32)
        runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.placeholder(tf.float32))])
        coord = tf.train.Coordinator()
        threads = runner.create_threads(session, coord, daemon=True, start=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
            coord.join(threads)
        assert runner.exceptions_raised == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_errors_without_a_coordinator_are_kept(caplog):
    with tf.Graph().as_default(), tf.Session() as session:
        queue = tf.FIFOQueue(9, tf.float32)
        runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.placeholder(tf.float32))])
        with caplog.at_level(logging.ERROR, "tensorflow"):
            for thread in runner.create_threads(session, start=True):
                thread.join(10)
        assert [type(e) for e in runner.exceptions_raised] == [tf.errors.InvalidArgumentError]
        assert "Exception in QueueRunner" in caplog.text


def test_what_is_refused(endless):
    queue, runner = endless
    put = runner.enqueue_ops[0]
    for arguments, error, match in [
        ({}, ValueError, "Must provide queue and enqueue_ops."),
        ({"queue": queue}, ValueError, "Must provide queue and enqueue_ops."),
        (
            {"queue": queue, "enqueue_ops": [put], "queue_runner_def": runner.to_proto()},
            ValueError,
            "mutually exclusive",
        ),
        (
            {"queue": queue, "enqueue_ops": [put], "queue_closed_exception_types": [ValueError]},
            TypeError,
            "must be a tuple of tf.error",
        ),
    ]:
        with pytest.raises(error, match=match):
            tf.train.QueueRunner(**arguments)
    with pytest.raises(ValueError, match="No default session"):
        tf.train.start_queue_runners()
    with pytest.raises(TypeError, match="must be a `tf.Session` object"):
        tf.train.start_queue_runners(3)


def test_no_thread_before_it_is_asked_for(endless):
    before = threading.active_count()
    tf.train.add_queue_runner(endless[1])
    with tf.Session() as session:
        assert len(tf.train.start_queue_runners(session, start=False)) == 2
    assert threading.active_count() == before
