"""Runs without NumPy's warnings: infinities and NaN come out as values, whatever the caller's error state is."""
import contextvars
import threading
import warnings

import numpy as np
import pytest

import ossia as tf
from ossia_core.session.run import steps as quiet

BIG = np.float32(3e38)
PLACE = contextvars.ContextVar("place", default="nowhere")


def overflowing(kind):
    """A tensor that overflows, and what to feed."""
    x = tf.placeholder(tf.float32, [])
    y = x * 10.0
    if kind == "stateful":
        y = tf.Variable(0.0, use_resource=True).assign(y)
    elif kind == "update":
        y = tf.Variable(0.0, use_resource=True).assign_add(x * 10.0) * 1.0
    elif kind == "loop":
        y = tf.while_loop(lambda i, _: i < 2, lambda i, z: (i + 1, z * 10.0), [0, x])[1]
    return y, x


@pytest.mark.parametrize("kind", ["pure", "stateful", "update", "loop"])
@pytest.mark.parametrize("state", ["warn", "raise", "ignore"])
@pytest.mark.parametrize("way", ["run", "callable"])
def test_neither_warns_nor_raises(kind, state, way):
    with tf.Graph().as_default(), tf.Session() as session, np.errstate(all=state), warnings.catch_warnings():
        warnings.simplefilter("error")
        y, x = overflowing(kind)
        session.run(tf.global_variables_initializer())
        call = session.make_callable(y, [x]) if way == "callable" else lambda value: session.run(y, {x: value})
        before = np.geterr()
        assert call(BIG) == np.inf
        assert np.geterr() == before
        session.run(tf.global_variables_initializer())
        assert call(np.float32(1.0)) == (100.0 if kind == "loop" else 10.0)


@pytest.mark.parametrize(
    "build, value",
    [
        (lambda x: x / (x - x), np.inf),
        (lambda x: tf.cast(x, tf.int32) * 2**30, 0),
        (lambda x: tf.log(-x), np.nan),
        (lambda x: tf.exp(x * -100.0), 0.0),
    ],
    ids=["divide", "whole", "invalid", "under"],
)
def test_values(build, value):
    with tf.Graph().as_default(), tf.Session() as session, np.errstate(all="raise"):
        x = tf.placeholder(tf.float32, [])
        np.testing.assert_array_equal(session.run(build(x), {x: 4.0}), value)


def test_errors_leave_the_state_as_it_was():
    with tf.Graph().as_default(), tf.Session() as session:
        x, i = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [])
        y = tf.gather(x * 10.0, i)
        before = np.geterr()
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
                session.run(y, {x: [BIG], i: 5})
            assert session.run(y, {x: [BIG], i: 0}) == np.inf
        assert np.geterr() == before


@pytest.mark.parametrize("stateful", [True, False])
def test_functions_of_the_program_see_its_context(stateful):
    def where(x):
        seen.append(PLACE.get())
        PLACE.set("inside")
        return x

    seen = []
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        y = tf.py_func(where, [x + 1.0], tf.float32, stateful=stateful)
        token = PLACE.set("here")
        try:
            assert session.run(y, {x: 1.0}) == 2.0
            assert session.run(y, {x: 2.0}) == 3.0
        finally:
            PLACE.reset(token)
    assert seen == ["here", "inside"]


def test_a_run_inside_of_a_run():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        inner = x * 10.0
        outer = tf.py_func(lambda v: session.run(inner, {x: v}), [x * 2.0], tf.float32) * 10.0
        with np.errstate(all="raise"):
            assert session.run(outer, {x: 1.0}) == 200.0
            assert session.run(outer, {x: BIG}) == np.inf


def test_threads_do_not_disturb_each_other():
    wrong = []

    def work():
        with np.errstate(all="raise"):
            before = np.geterr()
            for _ in range(300):
                if call(BIG) != np.inf or np.geterr() != before:
                    wrong.append(threading.get_ident())

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        call = session.make_callable(x * 10.0, [x])
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


@pytest.mark.parametrize("call", [quiet.quietly, quiet.quietly_apart])
def test_calls(call):
    with np.errstate(all="raise"):
        assert call(lambda x, y: call(np.multiply, x, y) * y, BIG, np.float32(10.0)) == np.inf
        with pytest.raises(ZeroDivisionError):
            call(lambda: 1 / 0)
        with pytest.raises(FloatingPointError):
            BIG * np.float32(10.0)
