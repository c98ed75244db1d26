"""Training goes on from the last checkpoint when a parameter server dies and comes back."""
import random
import threading

import pytest

import ossia as tf

LAST = 40


class _Killer:
    """Ends a server and starts it anew, at random times within and between the steps of others."""

    def __init__(self, spec, server, kills, seed):
        self._spec, self._server, self._random = spec, server, random.Random(seed)
        self.left, self.stepped, self._done = kills, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._kill, daemon=True)

    def _kill(self):
        while self.left and not self._done.is_set():
            if self.stepped.wait(0.1):  # some work is done between two deaths
                self.stepped.clear()
                self._done.wait(self._random.uniform(0.0, 0.01))
                self._server._stop()
                self._done.wait(self._random.uniform(0.0, 0.01))
                self._server = tf.train.Server(self._spec, "ps", 0)
                self.left -= 1

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._done.set()
        self._thread.join()


def _train(cluster, folder, kills, seed):
    """Train with so many deaths, and a checkpoint after each step."""
    spec, servers = cluster(ps=1, worker=1)
    with tf.Graph().as_default():
        with tf.device(tf.train.replica_device_setter(cluster=spec)):
            step = tf.train.get_or_create_global_step()
            weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
            with tf.control_dependencies([weight.assign_add(2.0)]):
                train = step.assign_add(1, read_value=False)
        scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=2))
        last = LAST + kills * 2
        with _Killer(spec, servers["ps", 0], kills, seed) as killer, tf.train.MonitoredTrainingSession(
            servers["worker", 0].target, checkpoint_dir=folder, save_checkpoint_steps=1, save_summaries_steps=None,
            save_summaries_secs=None, scaffold=scaffold, log_step_count_steps=None,
            hooks=[tf.train.StopAtStepHook(last_step=last)],
        ) as session:
            while not session.should_stop():
                session.run(train)
                killer.stepped.set()
    saved = tf.train.load_checkpoint(folder)
    return last, killer.left, saved.get_tensor("global_step"), saved.get_tensor("weight")


def _check(last, left, step, weight):
    assert left == 0
    assert (step, weight) == (last, 2.0 * last)


def test_training_goes_on_after_a_parameter_server_came_back(cluster, tmp_path):
    _check(*_train(cluster, str(tmp_path), 3, 0))


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(10))
def test_a_parameter_server_that_dies_again_and_again(cluster, tmp_path, seed):
    _check(*_train(cluster, str(tmp_path), 20, seed))
