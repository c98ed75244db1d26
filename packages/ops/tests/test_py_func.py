"""Python functions as ops: beside the original's, and what must not happen to their arguments."""

import gc
import threading
import weakref

import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "py_func_cases.py")


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_functions_may_change_and_keep_their_arguments(session):
    kept = []

    def change(x):
        x += 1.0
        kept.append(x)
        return x

    v = tf.Variable([1.0, 2.0])
    c, p = tf.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    feed = np.array([1.0, 2.0], np.float32)
    session.run(v.initializer)
    for source in (v, c, p):
        y = tf.py_func(change, [source], tf.float32)
        for _ in range(2):
            found = session.run(y, {p: feed})
            found[:] = 99.0
            assert found is not kept[-1]
            kept[-1][:] = 50.0
    assert (
        session.run([v, c])[0].tolist() == [1.0, 2.0]
        and session.run(c).tolist() == [1.0, 2.0]
        and feed.tolist() == [1.0, 2.0]
    )


def test_results_may_be_kept_and_changed(session):
    buffer = np.zeros(2, np.float32)

    def count():
        buffer[:] += 1.0
        return buffer

    y = tf.py_func(count, [], tf.float32)
    first = session.run(y)
    second = session.run(y)
    assert first.tolist() == [1.0, 1.0] and second.tolist() == [2.0, 2.0]


def test_functions_live_as_long_as_their_graph():
    class Function:
        def __call__(self):
            return np.float32(1)

    function = Function()
    reference = weakref.ref(function)
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.py_func(function, [], tf.float32)
        del function
        assert session.run(y) == 1.0
    del y, session
    gc.collect()
    assert reference() is None


def test_an_imported_token_without_its_function(session):
    y = tf.py_func(lambda: np.float32(1), [], tf.float32)
    graph_def = session.graph.as_graph_def()
    graph_def.node[0].attr["token"].s = b"pyfunc_nowhere"
    with tf.Graph().as_default(), tf.Session() as other:
        tf.import_graph_def(graph_def, name="")
        with pytest.raises(tf.errors.InvalidArgumentError, match="pyfunc_nowhere is not found"):
            other.run(y.name)


def test_errors_name_the_function_s_error(session):
    def boom():
        raise KeyError("here")

    with pytest.raises(tf.errors.UnknownError, match="KeyError: 'here'") as caught:
        session.run(tf.py_func(boom, [], tf.float32))
    assert isinstance(caught.value.__cause__, KeyError) or "KeyError" in str(caught.value)


def test_py_function_sees_values(session):
    seen = []

    def look(x):
        seen.append(x.numpy())
        return x * 2.0

    x = tf.placeholder(tf.float32, [2])
    y = tf.py_function(look, [x], tf.float32)
    assert session.run(y, {x: [1.0, 2.0]}).tolist() == [2.0, 4.0]
    assert session.run(tf.gradients(y, x)[0], {x: [1.0, 2.0]}).tolist() == [2.0, 2.0]
    assert seen[0].tolist() == [1.0, 2.0]


def test_one_function_may_wait_for_another():
    given = threading.Event()

    def wait():
        return np.float32(given.wait(20))

    def give():
        given.set()
        return np.float32(2)

    first, second = tf.py_func(wait, [], tf.float32), tf.py_func(give, [], tf.float32)
    with tf.Session() as session:
        assert session.run([first, second]) == [1, 2]
        given.clear()
        assert session.run(first + second) == 3


def test_functions_run_one_after_another_where_none_waits():
    calls = []
    made = [tf.py_func(lambda i=i: calls.append(i), [], []) for i in range(6)]
    with tf.Session() as session:
        for _ in range(20):
            session.run(made)
    assert calls == [*range(6)] * 20
