"""SyncReplicasOptimizer: the original's graphs, and updates from the gradients of several replicas."""
import threading

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests


@pytest.fixture(autouse=True)
def graph():
    """The test's default graph."""
    with tf.Graph().as_default():
        yield


test_graphs = golden_tests(__file__, "sync_replicas_cases.py")
test_graphs_of_programs = golden_tests(__file__, "sync_replicas_more_cases.py")


@pytest.mark.parametrize("resource", [False, True])
def test_one_replica_gives_two_gradients_for_an_update(resource):
    with tf.variable_scope("", use_resource=resource):
        weight = tf.get_variable("weight", [], initializer=tf.ones_initializer())
        rows = tf.get_variable("rows", [3, 1], initializer=tf.ones_initializer())
    step = tf.train.get_or_create_global_step()
    target = tf.placeholder(tf.float32, [])
    loss = weight * target + tf.reduce_sum(tf.gather(rows, [0, 2, 2]))
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.5), 2, total_num_replicas=1)
    train = optimizer.minimize(loss, step)
    hook = optimizer.make_session_run_hook(is_chief=True, num_tokens=1)
    with tf.train.MonitoredTrainingSession(hooks=[hook], stop_grace_period_secs=1) as session:
        session.run(train, {target: 1.0})
        assert session.run(train, {target: 3.0}) == 1  # the token of the first update, whose mean gradient is 2
        assert session.run([weight, step]) == [0.0, 1]
        assert session.run(rows).tolist() == [[0.5], [1.0], [0.0]]


def test_replicas_in_threads():
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1, total_num_replicas=2)
    train = optimizer.minimize(weight, step)
    hook = optimizer.make_session_run_hook(is_chief=True)
    failures = []
    with tf.train.MonitoredTrainingSession(hooks=[hook], stop_grace_period_secs=1) as session:
        def replica():
            try:
                for _ in range(10):
                    session.run(train)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=replica) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert not failures
        value, steps = session.run([weight, step])
    assert value == -steps
    assert 1 <= steps <= 20  # gradients of earlier steps are dropped


def test_uninitialised_variables_are_refused():
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1)
    optimizer.minimize(weight, tf.train.get_or_create_global_step())
    hook = optimizer.make_session_run_hook(is_chief=True)
    hook.begin()
    with tf.Session() as session, pytest.raises(RuntimeError, match="weight"):
        hook.after_create_session(session, tf.train.Coordinator())
