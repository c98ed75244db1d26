"""Supervisor: its sessions, services and how it stops."""

import threading
import time

import pytest

import ossia as tf


def kinds(folder):
    """The events of a folder: step and what they hold."""
    found = []
    for path in sorted(folder.glob("events.out.tfevents.*")):
        for event in tf.train.summary_iterator(str(path)):
            kind = event.WhichOneof("what")
            found.append((kind, event.session_log.status) if kind == "session_log" else kind)
    return found


def test_managed_session(graph, counter):
    supervisor = tf.train.Supervisor()
    with supervisor.managed_session() as session:
        assert isinstance(session, tf.Session) and session.graph.finalized and tf.get_default_session() is None
        assert session.run(counter[1]) == 1 and not supervisor.should_stop()
    assert supervisor.should_stop()
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(counter[1])


def test_services(counter, logged, tmp_path):
    tf.summary.scalar("s", tf.cast(counter[0], tf.float32))
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0.05, save_summaries_secs=0.05)
    for start in (0, 3):
        with supervisor.managed_session() as session:
            assert session.run(counter[0]) == start
            for _ in range(3):
                session.run(counter[1])
            lines = []
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and not (
                (tf.train.latest_checkpoint(str(tmp_path)) or "").endswith(f"-{start + 3}")
                and any(line.startswith("Recording summary at step ") for line in lines)
            ):
                time.sleep(0.01)
                lines += logged()
        assert tf.train.latest_checkpoint(str(tmp_path)).endswith(f"-{start + 3}")
        lines += logged()
    for text in (
        "Starting standard services.",
        "Starting queue runners.",
        f"Saving checkpoint to path {tmp_path}/model.ckpt",
    ):
        assert text in lines
    assert any(line.startswith("Recording summary at step ") for line in lines)
    assert any(line.startswith("global_step/sec: ") for line in lines)
    found = kinds(tmp_path)
    assert found.count(("session_log", 1)) == found.count(("session_log", 2)) == 2
    assert "graph_def" in found and "meta_graph_def" in found and "summary" in found
    assert (tmp_path / "graph.pbtxt").exists()


def test_no_services(counter, logged, tmp_path):
    with tf.train.Supervisor().managed_session():
        pass
    assert "Standard services need a 'logdir' passed to the SessionManager" in logged()
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0, save_summaries_secs=0)
    with supervisor.managed_session() as session:
        session.run(counter[1])
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
    assert kinds(tmp_path) == ["file_version", "graph_def", "meta_graph_def", ("session_log", 1), ("session_log", 2)]


def test_errors(counter):
    with pytest.raises(ValueError, match="mine"):
        with tf.train.Supervisor().managed_session():
            raise ValueError("mine")
    with tf.train.Supervisor().managed_session():
        raise tf.errors.OutOfRangeError(None, None, "the end")
    supervisor = tf.train.Supervisor()
    with pytest.raises(ZeroDivisionError):
        with supervisor.managed_session():
            supervisor.loop(None, lambda: 1 / 0)
            supervisor.wait_for_stop()


def test_loops_and_queue_runners():
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    taken, calls = queue.dequeue_many(4), []
    supervisor = tf.train.Supervisor()
    before = threading.active_count()
    with supervisor.managed_session() as session:
        supervisor.Loop(0.01, calls.append, args=(1,))
        assert session.run(taken).tolist() == [1] * 4
        while len(calls) < 3:
            time.sleep(0.005)
    assert threading.active_count() == before


def test_summary_computed(counter, tmp_path):
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), summary_op=None)
    session = supervisor.prepare_or_wait_for_session(start_standard_services=False)
    session.run(counter[1])
    supervisor.summary_computed(session, tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]))
    supervisor.stop()
    session.close()
    assert kinds(tmp_path) == ["file_version", "graph_def", "meta_graph_def", "summary", ("session_log", 2)]
    with tf.Graph().as_default():
        with pytest.raises(RuntimeError, match="requires a summary writer"):
            tf.train.Supervisor().summary_computed(None, b"")


def test_replicas_need_devices(counter):
    with pytest.raises(ValueError, match="all Variables must have their device set"):
        tf.train.Supervisor(is_chief=False)


def test_basic_train_loop(counter):
    supervisor, seen = tf.train.Supervisor(), []

    def step(session, enough, by=0):
        seen.append((int(session.run(counter[1])), by))
        if len(seen) == enough:
            supervisor.request_stop()

    tf.train.basic_train_loop(supervisor, step, args=(3,), kwargs={"by": 2})
    assert seen == [(1, 2), (2, 2), (3, 2)]


def test_basic_train_loop_goes_on_after_an_abort(counter):
    supervisor, calls = tf.train.Supervisor(), []

    def step(session):
        calls.append(1)
        if len(calls) == 1:
            raise tf.errors.AbortedError(None, None, "the worker went away")
        supervisor.request_stop()

    tf.train.basic_train_loop(supervisor, step)
    assert len(calls) == 2
