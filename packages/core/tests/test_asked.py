"""What a shape rule asked for, as its refusal tells it."""

import threading

import pytest

import ossia as tf
from ossia_core.declare import requirements as asked


def test_nothing_is_watched_but_while_a_refusal_is_worded():
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"input\[1\] = <5>"):
        tf.reduce_sum(tf.ones([2]), 5)
    assert not asked.WATCHES


def test_watch_is_of_its_own_thread():
    seen = []
    with asked.watching(hides=True) as watch:
        thread = threading.Thread(target=lambda: seen.append(asked.current()))
        thread.start()
        thread.join()
        assert asked.current() is watch
    assert seen == [None]


def test_inputs_that_hold_shapes_are_not_told_as_values_too():
    first, second, third = object(), object(), object()
    watch = asked.Watch(hides=False)
    watch.value(first, 1), watch.value(second, 2), watch.value(third, None)
    watch.shape(second, "shape")
    assert watch.known([first, second, third]) == ([(0, 1)], [(1, "shape")])
