"""Kernels that change what their ops do not say: each is found."""
import collections

import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, unchanged
from ossia_testkit import effects

hidden_update_op = op("EffectsHiddenUpdate(ref: Ref(T)) -> value: T", T="type")
hidden_update_op.reads("ref")
hidden_update_op.shape(unchanged)


@hidden_update_op.kernel
def hidden_update(ref):
    ref.value += 1
    return ref.value.copy()


said_update_op = op("EffectsSaidUpdate(ref: Ref(T)) -> value: T", T="type")
said_update_op.updates("ref")
said_update_op.shape(unchanged)
said_update_op.kernel(hidden_update)

hidden_write_op = op("EffectsHiddenWrite(x: T) -> y: T", T="type")
hidden_write_op.shape(unchanged)


@hidden_write_op.kernel
def hidden_write(x):
    x[...] = 0
    return x.copy()


hidden_take_op = op("EffectsHiddenTake(handle: resource) -> size: int32", stateful=True)
hidden_take_op.reads("handle")
hidden_take_op.shape(scalar)


@hidden_take_op.kernel
def hidden_take(handle):
    handle.push(np.float32(1))
    return np.int32(len(handle.items))


def _run(fetch, *before):
    with effects.watched(), tf.Session() as session:
        for each in before:
            session.run(each)
        return session.run(fetch)


def test_a_variable_that_is_only_read_is_left_as_it_is():
    variable = tf.Variable([1.0, 2.0])
    fetch = hidden_update_op(variable._ref())
    with pytest.raises(AssertionError, match="kernel of EffectsHiddenUpdate changes 'ref'"):
        _run(fetch, variable.initializer)


def test_a_change_that_is_declared_is_none_of_the_kits_business():
    variable = tf.Variable([1.0, 2.0])
    assert _run(said_update_op(variable._ref()), variable.initializer).tolist() == [2, 3]


def test_an_input_is_left_as_it_is():
    fetch = hidden_write_op(tf.random_uniform([3]))
    with pytest.raises(AssertionError, match="kernel of EffectsHiddenWrite changes 'x'"):
        _run(fetch)


def test_what_is_behind_a_handle_is_left_as_it_is():
    fetch = hidden_take_op(tf.raw_ops.StackV2(max_size=3, elem_type=tf.float32))
    with pytest.raises(AssertionError, match="kernel of EffectsHiddenTake changes 'handle'"):
        _run(fetch)


@pytest.mark.parametrize(
    "value", [np.zeros(2), np.array([b"a"], object), [1, (2.0, "b")], {"a": {1}}, collections.deque([np.zeros(1)]), 3]
)
def test_pictures_of_equal_values_are_equal(value):
    assert effects.picture(value) == effects.picture(value)
