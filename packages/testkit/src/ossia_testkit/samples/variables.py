"""Samples of the ops on variables: assignment, initialisation, reading, temporary ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, sample, steps
from ossia_core.names.shapes import TensorShape

_PAIR = np.array([1, 2], np.float32)


def _unset(by_handle: bool, shape: Any = (2,), dtype: str = "float32") -> Any:
    """A function that makes a variable without a value."""

    def make() -> Any:
        import ossia as tf

        maker = tf.raw_ops.VarHandleOp if by_handle else tf.raw_ops.VariableV2
        return maker(shape=TensorShape(shape), dtype=dtype)

    return make


# -- by reference -------------------------------------------------------------------------------------------

lookup("Assign").samples(
    same=(_PAIR, np.array([5, np.nan], np.float32)),
    first=(_unset(False), _PAIR),
    refused_unknown=(_unset(False, None), np.ones((1, 3), np.float32)),
    unknown_shape=sample(_unset(False, None), np.ones((1, 3), np.float32), validate_shape=False),
    other_shape=sample(_PAIR, np.ones((2, 2), np.float32), validate_shape=False),
    text=(np.array([b"a", b"b"], object), np.array([b"new", b""], object)),
    flags=(np.array([True]), np.array([False])),
    empty=(np.zeros((0, 2), np.float32), np.ones((0, 2), np.float32)),
    complex=(np.complex64(1), np.complex64(2j)),
    refused_shape=(_PAIR, np.ones(3, np.float32)),
    refused_rank=(_PAIR, np.float32(1)),
    refused_first=(_unset(False), np.ones(3, np.float32)),
    refused_partial=(_unset(False, [None, 2]), np.ones((2, 3), np.float32)),
)
for _name, _wide in (("AssignAdd", np.int8(127)), ("AssignSub", np.uint8(0))):
    lookup(_name).samples(
        plain=(_PAIR, np.array([0.5, np.inf], np.float32)),
        wrap=(_wide, np.array(1, _wide.dtype)),
        half=(np.array([1.5], np.float16), np.array([2048], np.float16)),
        complex=(np.complex128(1), np.complex128(2j)),
        empty=(np.zeros(0, np.int64), np.zeros(0, np.int64)),
        refused_shape=(_PAIR, np.ones(3, np.float32)),
        refused_rank=(_PAIR, np.float32(1)),
        refused_unset=(_unset(False), _PAIR),
    )
lookup("IsVariableInitialized").samples(set=(_PAIR,), unset=(_unset(False),))


def _initialized(by_handle: bool) -> Steps:
    def initialized() -> Any:
        import ossia as tf

        handle = _unset(by_handle)()
        raw = tf.raw_ops
        known = raw.VarIsInitializedOp(resource=handle) if by_handle else raw.IsVariableInitialized(ref=handle)
        yield known
        yield (
            raw.AssignVariableOp(resource=handle, value=_PAIR) if by_handle else raw.Assign(ref=handle, value=_PAIR).op
        )
        yield known

    return steps(initialized)


lookup("IsVariableInitialized").samples(later=_initialized(False))
lookup("VarIsInitializedOp").samples(later=_initialized(True), set=(_PAIR,))


def _temporary(given: Any) -> Any:
    import ossia as tf

    ref = tf.raw_ops.TemporaryVariable(shape=[2], dtype=tf.float32, var_name="kept")
    filled = tf.raw_ops.Assign(ref=ref, value=given(_PAIR))
    added = tf.raw_ops.AssignAdd(ref=filled, value=given(np.array([3, -4], np.float32)))
    yield tf.raw_ops.DestroyTemporaryVariable(ref=added, var_name="kept")


def _temporary_with(make: str, destroy: str | None, shape: Any = (2,)) -> Steps:
    def temporary() -> Any:
        import ossia as tf

        ref = tf.raw_ops.TemporaryVariable(shape=TensorShape(shape), dtype=tf.float32, var_name=make)
        filled = tf.raw_ops.Assign(ref=ref, value=tf.constant(_PAIR))
        yield filled if destroy is None else tf.raw_ops.DestroyTemporaryVariable(ref=filled, var_name=destroy)

    return steps(temporary)


lookup("DestroyTemporaryVariable").samples(sum=steps(_temporary), refused_name=_temporary_with("one", "other"))
lookup("TemporaryVariable").samples(refused_shape=_temporary_with("one", "one", [None]))


# -- by handle ----------------------------------------------------------------------------------------------


def _read(dtype: str, shape: Any = (2,), value: Any = _PAIR) -> Steps:
    """Assigns a value to a variable by handle, reads it, and takes the gradient."""

    def read(given: Any) -> Any:
        import ossia as tf

        handle = tf.raw_ops.VarHandleOp(shape=TensorShape(shape), dtype=tf.float32)
        yield tf.raw_ops.AssignVariableOp(resource=handle, value=given(value))
        got = tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype)
        yield got
        if value is _PAIR:
            yield tf.gradients(got * got, handle)

    return steps(read)


def _other_container() -> Any:
    import ossia as tf

    for container, number in (("", 1.0), ("box", 2.0)):
        handle = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="v", container=container)
        yield tf.raw_ops.AssignVariableOp(resource=handle, value=number)
    for container in ("", "box"):
        handle = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="v", container=container)
        yield tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)


def _shared_with(dtype: str, shape: Any) -> Steps:
    """A variable under a name, found again with another type or shape."""

    def shared() -> Any:
        import ossia as tf

        first = tf.raw_ops.VarHandleOp(shape=[2], dtype=tf.float32, shared_name="v")
        yield tf.raw_ops.AssignVariableOp(resource=first, value=_PAIR)
        second = tf.raw_ops.VarHandleOp(shape=shape, dtype=dtype, shared_name="v")
        yield tf.raw_ops.ReadVariableOp(resource=second, dtype=dtype)

    return steps(shared)


lookup("ReadVariableOp").samples(
    plain=sample(_PAIR, dtype="float"),
    text=sample(np.array([b"a"], object), dtype="string"),
    slope=_read("float"),
    slope_unknown=_read("float", None),
    containers=steps(_other_container),
    shared=_shared_with("float", [2]),
    refused_unset=sample(_unset(True), dtype="float"),
    refused_dtype=sample(_PAIR, dtype="int32"),
    refused_shared_dtype=_shared_with("int32", [2]),
)
lookup("AssignVariableOp").samples(
    same=(_PAIR, np.array([5, np.nan], np.float32)),
    first=(_unset(True), _PAIR),
    unknown_shape=(_unset(True, None), np.ones((1, 3), np.float32)),
    text=(np.array([b"a", b"b"], object), np.array([b"new", b""], object)),
    empty=(np.zeros((0, 2), np.float32), np.ones((0, 2), np.float32)),
    refused_shape=(_unset(True), np.ones(3, np.float32)),
    refused_dtype=(_PAIR, np.array([1, 2], np.int32)),
)
for _name, _wide in (("AssignAddVariableOp", np.int8(127)), ("AssignSubVariableOp", np.uint8(0))):
    lookup(_name).samples(
        plain=(_PAIR, np.array([0.5, np.inf], np.float32)),
        wrap=(_wide, np.array(1, _wide.dtype)),
        half=(np.array([1.5], np.float16), np.array([2048], np.float16)),
        complex=(np.complex128(1), np.complex128(2j)),
        empty=(np.zeros(0, np.int64), np.zeros(0, np.int64)),
        refused_shape=(_PAIR, np.ones(3, np.float32)),
        refused_rank=(_PAIR, np.float32(1)),
        refused_unset=(_unset(True), _PAIR),
        refused_dtype=(_PAIR, np.array([1, 2], np.int32)),
    )
lookup("VariableShape").samples(
    pair=(_PAIR,),
    scalar=(np.float32(1),),
    long=sample(np.zeros((0, 3)), out_type="int64"),
    refused_unset=(_unset(True),),
)


def _destroyed(**options: Any) -> Steps:
    def destroyed() -> Any:
        import ossia as tf

        handle = tf.raw_ops.VarHandleOp(shape=[2], dtype=tf.float32)
        yield tf.raw_ops.AssignVariableOp(resource=handle, value=_PAIR)
        destroy = tf.raw_ops.DestroyResourceOp(resource=handle, **options)
        yield destroy
        yield tf.raw_ops.VarIsInitializedOp(resource=handle)
        yield destroy

    return steps(destroyed)


lookup("DestroyResourceOp").samples(
    twice=_destroyed(),
    refused_twice=_destroyed(ignore_lookup_error=False),
    unset=(_unset(True),),
    refused_unset=sample(_unset(True), ignore_lookup_error=False),
)


def _read_after() -> Any:
    import ossia as tf

    handle = tf.raw_ops.VarHandleOp(shape=[2], dtype=tf.float32)
    yield tf.raw_ops.AssignVariableOp(resource=handle, value=_PAIR)
    yield tf.raw_ops.DisableCopyOnRead(resource=handle)
    yield tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)


lookup("DisableCopyOnRead").samples(read_after=steps(_read_after))
