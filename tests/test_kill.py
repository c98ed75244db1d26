"""A training run that is killed at any moment leaves a model directory that can be resumed."""
import os
import random
import signal
import time

import pytest

import ossia as tf

STEPS_A_RUN = 10_000


def train(folder, steps=STEPS_A_RUN):
    """Counts up in a variable and saves at every other step."""
    graph = tf.Graph()
    with graph.as_default():
        step = tf.train.get_or_create_global_step()
        weights = tf.get_variable("weights", [50, 20], initializer=tf.zeros_initializer())
        count = tf.get_variable("count", [], initializer=tf.zeros_initializer())
        train_op = tf.group(
            tf.assign_add(step, 1), tf.assign_add(weights, tf.ones([50, 20])), tf.assign_add(count, 1.0)
        )
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder,
            save_checkpoint_secs=None,
            save_checkpoint_steps=2,
            save_summaries_steps=None,
            save_summaries_secs=None,
            log_step_count_steps=None,
        ) as session:
            for _ in range(steps):
                session.run(train_op)


def started(folder, steps=STEPS_A_RUN):
    """A child process that trains; its number."""
    child = os.fork()
    if child == 0:
        try:
            os.close(1)
            os.close(2)
            train(folder, steps)
        finally:
            os._exit(0)
    return child


def short_run(folder):
    """Trains for four steps in a child process; the seconds that it takes on this machine, as busy as it is."""
    begin = time.monotonic()
    os.waitpid(started(folder, 4), 0)
    return time.monotonic() - begin


def killed_run(folder, seconds):
    """Trains in a child process and kills it after `seconds`."""
    child = started(folder)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def saved_step(folder):
    """The step of the latest checkpoint, None if there is none; all its values must belong together."""
    latest = tf.train.latest_checkpoint(folder)
    if latest is None:
        return None
    reader = tf.train.load_checkpoint(latest)
    step = int(reader.get_tensor("global_step"))
    assert (reader.get_tensor("weights") == step).all()
    assert reader.get_tensor("count") == step
    assert latest.endswith(f"-{step}")
    return step


@pytest.mark.parametrize("kills", [20, pytest.param(100, marks=pytest.mark.faults)])
def test_kill_at_any_moment(tmp_path, kills):
    folder, other = os.fspath(tmp_path / "killed"), os.fspath(tmp_path / "other")
    tf.logging.set_verbosity(tf.logging.ERROR)
    with tf.Graph().as_default():  # all that a run imports, so that the children lose no time with it
        tf.get_variable("warm", [1], initializer=tf.zeros_initializer())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
    chance = random.Random(20)
    last = None
    for i in range(kills):
        if i % 10 == 0:
            seconds = short_run(other)
        killed_run(folder, seconds * chance.uniform(0.1, 2.0))
        step = saved_step(folder)
        assert last is None or step is not None and step >= last, f"step {last} was saved, then lost"
        last = step
    assert last is not None and last > kills // 4
    os.waitpid(started(folder, 4), 0)
    assert saved_step(folder) == last + 4
