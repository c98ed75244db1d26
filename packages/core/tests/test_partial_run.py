"""Runs in parts: feeds and fetches that are announced, and given one after the other."""
import pytest

import ossia as tf


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
    from ossia_core.session.fetch import register_session_run_conversion_functions

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
