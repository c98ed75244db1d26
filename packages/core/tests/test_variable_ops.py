"""Variables as storage: what runs see of changes, sharing between threads, and what has no value yet."""

import gc
import threading

import numpy as np
import pytest

import ossia as tf
from ossia_core.primitives.state import VariableState, is_shared


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def made(use_resource, value=(1.0, 2.0)):
    variable = tf.Variable(np.array(value, np.float32), use_resource=use_resource)
    session = tf.Session()
    session.run(variable.initializer)
    return variable, session


def buffer(session, variable):
    kind = "resource variable" if hasattr(variable, "handle") else "variable"
    return session.state.find("", variable.op.name, kind)


BOTH = pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])


@BOTH
def test_updates_stay_in_the_buffer(use_resource):
    variable, session = made(use_resource)
    state = buffer(session, variable)
    before = state.value
    address = before.ctypes.data
    del before
    session.run(variable.assign_add([1.0, 1.0], read_value=False))
    session.run(variable.assign([5.0, 6.0], read_value=False))
    assert state.value.ctypes.data == address
    np.testing.assert_array_equal(state.value, [5, 6])


def test_a_value_read_from_a_handle_does_not_change():
    variable, session = made(True)
    early = variable.read_value()
    with tf.control_dependencies([early]):
        changed = variable.assign_add([1.0, 1.0])
    with tf.control_dependencies([changed]):
        late = tf.identity(early)
    np.testing.assert_array_equal(session.run([early, late, changed]), [[1, 2], [1, 2], [2, 3]])


@BOTH
def test_fetched_values_are_the_callers(use_resource):
    variable, session = made(use_resource)
    fetched = session.run(variable)
    session.run(variable.assign_add([1.0, 1.0]))
    np.testing.assert_array_equal(fetched, [1, 2])
    fetched[:] = 9
    np.testing.assert_array_equal(session.run(variable), [2, 3])


@BOTH
def test_an_assigned_value_is_copied(use_resource):
    variable, session = made(use_resource)
    value = tf.placeholder(tf.float32, [2])
    fed = np.array([7.0, 8.0], np.float32)
    session.run(variable.assign(value), {value: fed})
    fed[:] = 0
    np.testing.assert_array_equal(session.run(variable), [7, 8])


def test_sharing_is_noticed():
    state = VariableState("v", tf.float32, tf.TensorShape([2]))
    state.value = np.zeros(2, np.float32)
    assert not is_shared(state)
    view = state.value[1:]
    assert is_shared(state)
    del view
    gc.collect()
    assert not is_shared(state)


def test_a_read_waits_for_the_update_under_way():
    variable, session = made(True, np.zeros(100_000))
    step, value = variable.assign_add(np.ones(100_000, np.float32), read_value=False), variable.read_value()
    thread = threading.Thread(target=lambda: [session.run(step) for _ in range(1000)])
    thread.start()
    torn = 0
    while thread.is_alive():
        found = session.run(value)
        torn += (found != found[0]).any()
    assert not torn


@BOTH
def test_updates_of_many_threads_all_count(use_resource):
    variable, session = made(use_resource, np.zeros(20_000))
    step = variable.assign_add(np.ones(20_000, np.float32), read_value=False)
    session.run(step)
    threads = [threading.Thread(target=lambda: [session.run(step) for _ in range(50)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(session.run(variable), np.full(20_000, 401))


@BOTH
def test_without_a_value(use_resource):
    variable = tf.Variable([1.0], use_resource=use_resource)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
            session.run(variable)
        with pytest.raises(tf.errors.NotFoundError if use_resource else tf.errors.FailedPreconditionError):
            session.run(variable.assign_add([1.0]))
        assert not session.run(tf.is_variable_initialized(variable))
        session.run(variable.initializer)
        assert session.run(tf.is_variable_initialized(variable))


@BOTH
def test_sessions_have_their_own_values(use_resource):
    variable, first = made(use_resource)
    second = tf.Session()
    second.run(variable.assign([8.0, 9.0]))
    np.testing.assert_array_equal(first.run(variable), [1, 2])
    np.testing.assert_array_equal(second.run(variable), [8, 9])


def test_handles_of_one_name_share_a_variable():
    first = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2], shared_name="one")
    second = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2], shared_name="one")
    with tf.Session() as session:
        session.run(tf.raw_ops.AssignVariableOp(resource=first, value=[1.0, 2.0]))
        np.testing.assert_array_equal(session.run(tf.raw_ops.ReadVariableOp(resource=second, dtype=tf.float32)), [1, 2])
        session.run(tf.raw_ops.DestroyResourceOp(resource=first))
        with pytest.raises(tf.errors.NotFoundError):
            session.run(tf.raw_ops.DestroyResourceOp(resource=second, ignore_lookup_error=False))


def test_handles_of_another_dtype_are_refused():
    variable = tf.Variable([1.0, 2.0], use_resource=True)
    handle = tf.placeholder_with_default(variable.handle, [])
    read = tf.cast(tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32), tf.float32) * 2.0 + 1.0
    assign = tf.raw_ops.AssignVariableOp(resource=handle, value=[3, 4])
    add = tf.raw_ops.AssignAddVariableOp(resource=handle, value=[3, 4])
    subtract = tf.raw_ops.AssignSubVariableOp(resource=handle, value=tf.constant([3.0, 4.0], tf.float64))
    with tf.Session() as session:
        session.run(variable.initializer)
        for update in (add, subtract):
            with pytest.raises(tf.errors.InvalidArgumentError, match="update variable .* Expected float got"):
                session.run(update)
        with pytest.raises(tf.errors.InvalidArgumentError, match="read variable .* Expected int32 got float"):
            session.run(read)
        with pytest.raises(tf.errors.InvalidArgumentError, match="assign variable .* Expected float got int32"):
            session.run(assign)
        np.testing.assert_array_equal(session.run(variable), [1, 2])


def test_temporary_variable():
    reference = tf.raw_ops.TemporaryVariable(shape=[2], dtype=tf.float32)
    filled = tf.raw_ops.Assign(ref=reference, value=[3.0, 4.0])
    value = tf.raw_ops.DestroyTemporaryVariable(ref=filled, var_name="TemporaryVariable")
    with tf.Session() as session:
        for _ in range(2):
            np.testing.assert_array_equal(session.run(value), [3, 4])


@BOTH
def test_shapes_that_change(use_resource):
    value = tf.placeholder(tf.float32, [None])
    if use_resource:
        variable = tf.Variable(np.zeros(2, np.float32), use_resource=True, shape=tf.TensorShape([None]))
        assign = variable.assign(value)
    else:
        variable = tf.Variable(np.zeros(2, np.float32), use_resource=False)
        assign = tf.assign(variable, value, validate_shape=False)
    with tf.Session() as session:
        session.run(variable.initializer)
        session.run(assign, {value: [1.0, 2.0, 3.0]})
        np.testing.assert_array_equal(session.run(variable), [1, 2, 3])


def test_reference_variables_of_partly_known_shape_are_refused():
    variable = tf.Variable(np.zeros(2, np.float32), use_resource=False, shape=tf.TensorShape([None]))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="not fully defined"):
        session.run(variable.initializer)


def test_strings():
    variable = tf.Variable([b"a", b"b"])
    with tf.Session() as session:
        session.run(variable.initializer)
        session.run(variable.assign([b"c", b"dd"]))
        assert session.run(variable).tolist() == [b"c", b"dd"]
