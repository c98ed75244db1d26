"""Servers of one task: sessions of their target share what they keep, and wrong definitions are refused."""
import gc
import socket
import threading

import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def graph():
    """The test's default graph."""
    with tf.Graph().as_default():
        yield


def test_sessions_share_variables_until_they_are_reset():
    server = tf.train.Server.create_local_server()
    v = tf.Variable(3.0, name="v")
    with tf.Session(server.target) as session:
        session.run(v.initializer)
        session.run(v.assign_add(1.0))
    with tf.Session(server.target) as session:
        assert session.run(v) == 4.0
        assert session.sess_str == server.target.encode()
        assert [device.name for device in session.list_devices()] == ["/job:local/replica:0/task:0/device:CPU:0"]
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError):
        session.run(v)
    tf.Session.reset(server.target)
    with tf.Session(server.target) as session, pytest.raises(tf.errors.FailedPreconditionError):
        session.run(v)


def test_servers_share_nothing():
    first, second = tf.train.Server.create_local_server(), tf.train.Server.create_local_server()
    assert first.target != second.target
    v = tf.Variable(3.0)
    tf.Session(first.target).run(v.initializer)
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.Session(second.target).run(v)


def test_workers_in_threads():
    server = tf.train.Server.create_local_server()
    queue = tf.FIFOQueue(1, tf.int32, shared_name="queue")
    put, take = queue.enqueue(5), queue.dequeue()
    taken = []
    worker = threading.Thread(target=lambda: taken.append(tf.Session(server.target, graph=take.graph).run(take)))
    worker.start()
    tf.Session(server.target).run(put)
    worker.join(10)
    assert taken == [5]


def test_monitored_training_with_a_server(tmp_path):
    server = tf.train.Server({"worker": ["localhost:0"]})
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1)
    hooks = [tf.train.StopAtStepHook(last_step=3)]
    with tf.train.MonitoredTrainingSession(server.target, checkpoint_dir=str(tmp_path), hooks=hooks) as session:
        while not session.should_stop():
            session.run(train)
    assert tf.train.load_checkpoint(str(tmp_path)).get_tensor("global_step") == 3


def test_a_server_answers_when_nothing_refers_to_it():
    target = tf.train.Server.create_local_server().target
    gc.collect()
    variable = tf.Variable(1.0, name="kept")
    with tf.Session(target) as session:
        session.run(variable.initializer)
    with tf.Session(target) as session:
        assert session.run(variable) == 1.0


def test_an_address_without_a_server_is_not_found():
    with pytest.raises(tf.errors.UnavailableError, match="no server is reached"):
        tf.Session("grpc://localhost:1")


def test_not_started():
    server = tf.train.Server.create_local_server(start=False)
    with pytest.raises(tf.errors.UnavailableError):
        tf.Session(server.target)
    server.start()
    server.start()
    assert tf.Session(server.target).run(tf.constant(1)) == 1


def test_definitions():
    cluster = tf.train.ClusterSpec({"a": ["localhost:0"], "b": ["localhost:0"]})
    made = tf.train.Server(cluster, job_name="b", task_index=0, start=False).server_def
    assert (made.job_name, made.task_index, made.protocol) == ("b", 0, "grpc")
    assert made.cluster == cluster.as_cluster_def()
    again = tf.train.Server(made, job_name="a", start=False).server_def
    assert (again.job_name, again.task_index) == ("a", 0)
    config = tf.ConfigProto(log_device_placement=True)
    assert tf.train.Server.create_local_server(config).server_def.default_session_config == config
    assert tf.train.Server({"a": {3: "localhost:0"}}).server_def.task_index == 3


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ({"a": ["localhost:0"], "b": ["localhost:0"]}, {}, ValueError, "job_name"),
        ({}, {}, ValueError, "job_name"),
        ({"a": ["localhost:0", "localhost:0"]}, {}, ValueError, "task_index"),
        ({"a": ["localhost:0"]}, {"job_name": "z"}, ValueError, "No such job"),
        ({"a": ["localhost:0"]}, {"job_name": "b", "task_index": 0}, tf.errors.InternalError, 'Job "b" was not'),
        ({"a": ["localhost:0"]}, {"task_index": 3}, tf.errors.InvalidArgumentError, "Task 3 was not defined"),
        ({"a": ["localhost:0"]}, {"protocol": "post"}, tf.errors.NotFoundError, "No server factory"),
        ({"a": ["nowhere"]}, {}, tf.errors.InvalidArgumentError, "parse port"),
        ({"a": ["localhost:99999"]}, {}, tf.errors.InvalidArgumentError, "parse port"),
        (3, {}, TypeError, "Could not convert"),
        (None, {}, TypeError, "Could not convert"),
    ],
)
def test_refused(given, options, error, message):
    with pytest.raises(error, match=message):
        tf.train.Server(given, **options)


def test_an_address_that_is_taken():
    with socket.socket() as held:
        held.bind(("", 0))
        held.listen()
        with pytest.raises(tf.errors.UnknownError, match="Could not start"):
            tf.train.Server({"a": [f"localhost:{held.getsockname()[1]}"]})


def test_a_started_server_keeps_its_address_without_its_object():
    target = tf.train.Server.create_local_server().target
    gc.collect()
    with tf.Session(target) as session:
        assert session.run(tf.constant(3)) == 3
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("", int(target.rpartition(":")[2])))


@pytest.mark.parametrize(
    ("target", "error"),
    [("grpc://x", tf.errors.InvalidArgumentError), ("grpc://", tf.errors.InvalidArgumentError),
     ("grpc://localhost:1", tf.errors.UnavailableError), ("post://x", tf.errors.NotFoundError)],
)
def test_targets_without_a_server(target, error):
    with pytest.raises(error):
        tf.Session(target)
