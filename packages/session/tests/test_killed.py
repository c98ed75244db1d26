"""A training program that is stopped, in whatever way, can be resumed, and ends as one that was not."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import ossia as tf

PROGRAM = """
import signal, sys, threading
import ossia as tf

def stop(*_):
    raise SystemExit(143)

signal.signal(signal.SIGTERM, stop)
folder, steps = sys.argv[1], int(sys.argv[2])
tf.set_random_seed(3)
step = tf.train.get_or_create_global_step()
weights = tf.get_variable("weights", [30, 40], initializer=tf.zeros_initializer())
count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), use_resource=True)
train = tf.group(tf.assign_add(step, 1), tf.assign_add(weights, tf.ones([30, 40])), tf.assign_add(count, 1.0))
tf.summary.scalar("count", count)
hooks = [tf.train.StopAtStepHook(last_step=steps)]
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=3,
                                       save_summaries_steps=2, save_checkpoint_secs=None) as session:
    print("running", flush=True)
    while not session.should_stop():
        session.run(train)
"""


def start(folder, steps):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(steps)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"running\n"
    return process


def values(folder):
    """The step of the newest checkpoint, with which all its values must agree."""
    latest = tf.train.latest_checkpoint(str(folder))
    reader = tf.train.load_checkpoint(latest)
    step = int(reader.get_tensor("global_step"))
    assert (reader.get_tensor("weights") == step).all() and reader.get_tensor("count") == step
    return step


def check_events(folder):
    for path in folder.glob("events.out.tfevents.*"):
        try:
            for _ in tf.train.summary_iterator(str(path)):
                pass
        except tf.errors.DataLossError as error:
            assert "truncated" in str(error)


def stop_and_go(folder, signals, seed):
    chance = random.Random(seed)
    last = -1
    for number in signals:
        process = start(folder, 10**9)
        time.sleep(chance.uniform(0.0, 0.15))
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        assert process.returncode == (143 if number == signal.SIGTERM else -number), err.decode()
        step = values(folder)
        assert step >= last
        last = step
        check_events(folder)
    final = last + 5
    process = start(folder, final)
    assert process.communicate(timeout=60)[1].decode().count("Traceback") == 0 and process.returncode == 0
    assert values(folder) == final
    assert not [name for name in os.listdir(folder) if "temp" in name or "tmp" in name]


def test_a_few_times(tmp_path):
    stop_and_go(tmp_path, [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGTERM], seed=1)


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(4))
def test_many_times(tmp_path, seed):
    stop_and_go(tmp_path, [signal.SIGKILL, signal.SIGTERM] * 10, seed=seed)
