"""Stacks as programs use them by the raw ops: their names in messages."""

import pytest

import ossia as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_a_full_stack(session):
    stack = tf.raw_ops.StackV2(max_size=1, elem_type=tf.float32, stack_name="s")
    first = tf.raw_ops.StackPushV2(handle=stack, elem=1.0)
    with tf.control_dependencies([first]):
        second = tf.raw_ops.StackPushV2(handle=stack, elem=2.0)
    assert session.run(first) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Stack\[s_\d+\] overflowed its max_size \(1\)"):
        session.run([first, second])


def test_names_in_messages(session):
    empty = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32, name="node")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Stack\[node_\d+\] is empty when calling Pop\(\)"):
        session.run(tf.raw_ops.StackPopV2(handle=empty, elem_type=tf.float32))
    closed = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32)
    with tf.control_dependencies([tf.raw_ops.StackCloseV2(handle=closed)]):
        push = tf.raw_ops.StackPushV2(handle=closed, elem=1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="has already been closed"):
        session.run(push)


@pytest.mark.parametrize("fed", [False, True])
def test_limits_are_scalars(session, fed):
    limit = tf.placeholder_with_default([3], None) if fed else [3]
    stack = tf.raw_ops.StackV2(max_size=limit, elem_type=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Stack size must be a scalar, but had shape: \[1\]"):
        session.run(tf.raw_ops.StackPushV2(handle=stack, elem=1.0))
