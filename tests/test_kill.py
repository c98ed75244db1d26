"""A training run that is killed at any moment leaves a model directory that can be resumed."""
import os
import random
import signal
import time

import ossia as tf

KILLS = 100
STEPS_A_RUN = 10_000


def train(folder):
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
            for _ in range(STEPS_A_RUN):
                session.run(train_op)


def killed_run(folder, seconds):
    """Trains in a child process and kills it after `seconds`."""
    child = os.fork()
    if child == 0:
        try:
            os.close(1)
            os.close(2)
            train(folder)
        finally:
            os._exit(0)
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


def test_kill_at_any_moment(tmp_path):
    folder = os.fspath(tmp_path)
    tf.logging.set_verbosity(tf.logging.ERROR)
    with tf.Graph().as_default():  # all that a run imports, so that the children lose no time with it
        tf.get_variable("warm", [1], initializer=tf.zeros_initializer())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
    chance = random.Random(20)
    last = None
    for _ in range(KILLS):
        killed_run(folder, chance.uniform(0.02, 0.25))
        step = saved_step(folder)
        assert last is None or step is not None and step >= last, f"step {last} was saved, then lost"
        last = step
    assert last is not None and last > KILLS // 4
    killed_run(folder, 1.0)
    assert saved_step(folder) > last
