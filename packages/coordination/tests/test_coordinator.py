"""Coordinator and LooperThread."""

import logging
import sys
import threading
import time

import pytest

import ossia as tf


def thread_that_waits(seconds=0.0, until=None, name="waiter"):
    until = until or threading.Event()
    thread = threading.Thread(target=until.wait, args=(seconds or None,), name=name, daemon=True)
    thread.start()
    return thread, until


def test_stop_and_start_again():
    coord = tf.train.Coordinator()
    assert not coord.should_stop() and not coord.joined and not coord.wait_for_stop(0.01)
    coord.request_stop()
    assert coord.should_stop() and coord.wait_for_stop()
    assert coord.join() is None and coord.joined
    coord.clear_stop()
    assert not coord.should_stop() and not coord.joined


def test_the_first_error_is_raised(caplog):
    coord = tf.train.Coordinator()
    with caplog.at_level(logging.INFO, "tensorflow"):
        coord.request_stop(ValueError("first"))
        coord.request_stop(KeyError("second"))
    assert [r.getMessage() for r in caplog.records] == ["Error reported to Coordinator: <class 'ValueError'>, first"]
    for raising in (coord.raise_requested_exception, coord.join):
        with pytest.raises(ValueError, match="first"):
            raising()


def test_exc_info_keeps_its_traceback():
    coord = tf.train.Coordinator()
    try:
        raise ValueError("here")
    except ValueError:
        coord.request_stop(sys.exc_info())
    with pytest.raises(ValueError, match="here") as caught:
        coord.join()
    assert any("test_exc_info" in str(entry.name) for entry in caught.traceback)


@pytest.mark.parametrize(
    ("types", "clean", "error"),
    [(None, tf.errors.OutOfRangeError(None, None, "x"), ValueError), ((ValueError,), ValueError(), KeyError)],
    ids=["default", "given"],
)
def test_clean_stops(types, clean, error):
    coord = tf.train.Coordinator(types)
    coord.request_stop(clean)
    coord.join()
    coord.clear_stop()
    coord.request_stop(error("real"))
    with pytest.raises(error):
        coord.join()


def test_errors_after_join_are_raised_at_once():
    coord = tf.train.Coordinator()
    coord.request_stop()
    coord.join()
    with pytest.raises(KeyError):
        coord.request_stop(KeyError("late"))
    coord.request_stop(tf.errors.OutOfRangeError(None, None, "end"))


def test_threads_that_do_not_stop(caplog):
    for ignore in (False, True):
        coord = tf.train.Coordinator()
        thread, until = thread_that_waits()
        coord.register_thread(thread)
        coord.request_stop()
        message = "Coordinator stopped with threads still running: waiter"
        if ignore:
            with caplog.at_level(logging.INFO, "tensorflow"):
                coord.join(stop_grace_period_secs=0.05, ignore_live_threads=True)
            assert caplog.records[-1].getMessage() == message
        else:
            with pytest.raises(RuntimeError, match=message):
                coord.join(stop_grace_period_secs=0.05)
        until.set()
        thread.join()


def test_join_waits_for_threads_without_a_stop():
    coord = tf.train.Coordinator()
    thread, _ = thread_that_waits(0.05)
    coord.join([thread])
    assert not thread.is_alive() and not coord.should_stop()


def test_stop_on_exception():
    coord = tf.train.Coordinator()
    with coord.stop_on_exception():
        raise ValueError("inside")
    assert coord.should_stop()
    with pytest.raises(ValueError, match="inside"):
        coord.join()


def test_looper_calls_again_and_again():
    coord = tf.train.Coordinator()
    calls = []
    thread = tf.train.LooperThread.loop(coord, 0.01, calls.append, args=(1,))
    assert thread.daemon and thread.isAlive()
    while len(calls) < 3:
        time.sleep(0.005)
    coord.request_stop()
    coord.join([thread])
    assert not thread.isAlive()


def test_looper_methods():
    done = []

    class Mine(tf.train.LooperThread):
        def start_loop(self):
            done.append("start")

        def run_loop(self):
            done.append("run")
            self._coord.request_stop()

        def stop_loop(self):
            done.append("stop")

    coord = tf.train.Coordinator()
    Mine(coord, None).start()
    coord.join()
    assert done == ["start", "run", "stop"]


def test_looper_error_stops_the_others():
    coord = tf.train.Coordinator()
    tf.train.LooperThread.loop(coord, None, lambda: 1 / 0)
    tf.train.LooperThread.loop(coord, 0.01, lambda: None)
    with pytest.raises(ZeroDivisionError):
        coord.join()


def test_looper_refuses():
    with pytest.raises(ValueError, match="must be a Coordinator: 3"):
        tf.train.LooperThread(3, 1)
    with pytest.raises(ValueError, match="target"):
        tf.train.LooperThread(tf.train.Coordinator(), 1, args=(1,))
