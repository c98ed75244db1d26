"""Runs in parts: feeds and fetches that are announced, and given one after the other."""
import pytest

import ossia as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


class TestPartialRuns:
    def test_finished_run_is_let_go(self, session):
        x = tf.placeholder(tf.float32, [])
        y, z = x + 1.0, x * 2.0
        handle = session.partial_run_setup([y, z], [x])
        with pytest.raises(tf.errors.InvalidArgumentError, match="can't be computed from the feeds"):
            session.partial_run(handle, y)
        handle = session.partial_run_setup([y, z], [x])
        assert session.partial_run(handle, y, {x: 1.0}) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="already been fetched"):
            session.partial_run(handle, y)
        assert session.partial_run(handle, z) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup'"):
            session.partial_run(handle, z)

    def test_what_a_group_waits_for_must_be_fed(self, session):
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        v = tf.get_variable("v", initializer=1.0)
        with tf.control_dependencies([tf.group(v.assign(b))]):
            y = a * 2.0
        session.run(v.initializer)
        handle = session.partial_run_setup([y], [a, b])
        with pytest.raises(tf.errors.InvalidArgumentError, match="can't be computed from the feeds"):
            session.partial_run(handle, y, {a: 1.0})
        assert session.run(v) == 1.0
        handle = session.partial_run_setup([y], [a, b])
        assert session.partial_run(handle, y, {a: 1.0, b: 3.0}) == 2.0 and session.run(v) == 3.0

    def test_in_two_parts(self, session):
        a, b, c = (tf.placeholder(tf.float32, []) for _ in range(3))
        first = a + b
        second = first * c
        handle = session.partial_run_setup([first, second], [a, b, c])
        assert session.partial_run(handle, first, {a: 1.0, b: 2.0}) == 3.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.partial_run(handle, second)
        assert session.partial_run(handle, second, {c: 4.0}) == 12.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.partial_run(handle, second)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.partial_run("nowhere", first)


def test_partial_run_says_which_feed_is_wrong():
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    total = a + b
    with tf.Session() as session:
        handle = session.partial_run_setup([total, total * c], [a, b, c])
        session.partial_run(handle, total, {a: 1, b: 2})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"a:0 has already been fed"):
            session.partial_run(handle, [], {a: 1})
        handle = session.partial_run_setup([total], [a, b])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"c:0 was not specified in partial_run_setup"):
            session.partial_run(handle, total, {c: 1})


def test_composites_are_announced_to_partial_runs():
    from ossia_core.session.run.fetch import register_session_run_conversion_functions

    class Pair:
        def __init__(self):
            self.parts = [tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])]

    def fed(pair, value):
        return list(zip(pair.parts, value))

    register_session_run_conversion_functions(Pair, lambda pair: (pair.parts, tuple), fed, lambda pair: pair.parts)
    pair = Pair()
    total = pair.parts[0] + pair.parts[1]
    with tf.Session() as session:
        handle = session.partial_run_setup([total], [pair])
        assert session.partial_run(handle, total, {pair: (1.0, 2.0)}) == 3.0
        with pytest.raises(TypeError, match="Cannot interpret feed_list key as Tensor"):
            session.partial_run_setup([total], [3])
