"""Samples of the ops that change and read rows and slices of variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, sample, steps

_ROWS = np.arange(1, 7, dtype=np.float32).reshape(3, 2)
_COUNTS = np.array([[7, -9], [12, 5], [-3, 40]], np.int32)
_NO_ROWS = (np.zeros(0, np.int32), np.zeros((0, 2), np.float32))
_WIDE = {"add": "int8", "sub": "uint8", "mul": "uint16", "div": "int64", "min": "int64", "max": "float16"}


def _unset(by_handle: bool, shape: Any = (3, 2), dtype: str = "float32") -> Any:
    """A function that makes a variable without a value."""

    def make() -> Any:
        import ossia as tf

        maker = tf.raw_ops.VarHandleOp if by_handle else tf.raw_ops.VariableV2
        return maker(shape=shape, dtype=dtype)

    return make


# -- rows -------------------------------------------------------------------------------------------------


def _rows(how: str, by_handle: bool) -> dict[str, Any]:
    unset = _unset(by_handle)
    table: dict[str, Any] = {
        "rows": (_ROWS, np.array([2, 0]), np.array([[5, 0.5], [-2, 4]], np.float32)),
        "repeated": (_COUNTS, np.array([1, 1, 0], np.int32), np.array([[2, 3], [-5, 2], [4, -4]], np.int32)),
        "scalar": (_ROWS, np.array([0, 2], np.int32), np.float32(3)),
        "nan": (_ROWS, np.array([0, 1], np.int32), np.array([[np.nan, np.inf], [-np.inf, -0.0]], np.float32)),
        "refused_index": (_ROWS, np.array([0, 3], np.int32), np.ones((2, 2), np.float32)),
        "refused_unset": (unset, np.array([0], np.int32), np.ones((1, 2), np.float32)),
    }
    if how == "update":
        table |= {
            "text": (np.array([b"a", b"b"], object), np.array([1], np.int32), np.array([b"new"], object)),
            "flags": (np.array([True, False]), np.array([0, 1], np.int32), np.array([False, True])),
        }
    if how in ("update", "add"):
        table |= {
            "one": (_ROWS, np.int64(1), np.array([8, 9], np.float32)),
            "grid": (_ROWS, np.array([[0, 2], [1, 0]], np.int32), np.full((2, 2, 2), 2.5, np.float32)),
            "none": (_ROWS, *_NO_ROWS),
            "empty": (np.zeros((3, 0), np.float32), np.array([1, 2], np.int32), np.zeros((2, 0), np.float32)),
            "vector": (np.array([1, 2, 3], np.float64), np.array([2, 1], np.int32), np.array([4, 5], np.float64)),
            "refused_negative": (_ROWS, np.array([-1], np.int64), np.ones((1, 2), np.float32)),
            "refused_huge": (_ROWS, np.array([2**62], np.int64), np.ones((1, 2), np.float32)),
            "refused_updates": (_ROWS, np.array([0, 1], np.int32), np.ones((2, 3), np.float32)),
            "refused_rank": (_ROWS, np.array([0, 1], np.int32), np.ones(2, np.float32)),
            "refused_scalar": (np.float32(1), np.array([0], np.int32), np.ones(1, np.float32)),
            "refused_empty": (np.zeros((0, 2), np.float32), np.array([0], np.int32), np.ones((1, 2), np.float32)),
        }
    if how in _WIDE:
        kind = np.dtype(_WIDE[how])
        table["kind"] = (
            np.array([[3, 100], [7, 50]], kind),
            np.array([0, 1, 1], np.int32),
            np.array([[5, 60], [2, 7], [3, 9]], kind),
        )
    if how in ("add", "sub", "mul", "div"):
        table["complex"] = (
            np.array([[1 + 2j], [3 - 1j]], np.complex64),
            np.array([1], np.int32),
            np.array([[0.5 - 1j]], np.complex64),
        )
    if how == "div":
        table["rounding"] = (
            np.array([-7, 7, -8], np.int32),
            np.array([0, 1, 2], np.int32),
            np.array([2, -2, 3], np.int32),
        )
        table["zero"] = (_ROWS, np.array([0], np.int32), np.array([[0, -0.0]], np.float32))
        table["refused_zero"] = (_COUNTS, np.array([0], np.int32), np.zeros((1, 2), np.int32))
    return table


for _how in ("update", "add", "sub", "mul", "div", "min", "max"):
    lookup(f"Scatter{_how.capitalize()}").samples(**_rows(_how, False))
    lookup(f"ResourceScatter{_how.capitalize()}").samples(**_rows(_how, True))


# -- slices by index vectors --------------------------------------------------------------------------------


def _slices(how: str, by_handle: bool) -> dict[str, Any]:
    unset = _unset(by_handle)
    one = np.ones((1, 2), np.float32)
    table: dict[str, Any] = {
        "elements": (_ROWS, np.array([[2, 1], [0, 0]]), np.array([9, -3], np.float32)),
        "rows": (_ROWS, np.array([[2], [0]], np.int32), np.array([[5, 0.5], [-2, 4]], np.float32)),
        "repeated": (_COUNTS, np.array([[1], [1]], np.int32), np.array([[2, 3], [-5, 2]], np.int32)),
        "refused_one": (_ROWS, np.array([1, 0], np.int32), np.float32(7)),
        "grid": (_ROWS, np.array([[[0], [2]]], np.int32), np.full((1, 2, 2), 2.5, np.float32)),
        "none": (_ROWS, np.zeros((0, 1), np.int32), np.zeros((0, 2), np.float32)),
        "complex": (np.array([1 + 2j, 3], np.complex128), np.array([[1]], np.int32), np.array([1j], np.complex128)),
        "nan": (_ROWS, np.array([[0]], np.int32), np.array([[np.nan, -np.inf]], np.float32)),
        "refused_index": (_ROWS, np.array([[3]], np.int32), one),
        "refused_negative": (_ROWS, np.array([[0, -1]], np.int64), np.ones(1, np.float32)),
        "refused_huge": (_ROWS, np.array([[2**62]], np.int64), one),
        "refused_updates": (_ROWS, np.array([[0]], np.int32), np.ones((1, 3), np.float32)),
        "refused_count": (_ROWS, np.array([[0]], np.int32), np.ones((2, 2), np.float32)),
        "refused_deep": (_ROWS, np.array([[0, 0, 0]], np.int32), np.ones(1, np.float32)),
        "refused_scalar": (_ROWS, np.int32(0), np.ones(2, np.float32)),
        "refused_unset": (unset, np.array([[0]], np.int32), one),
        "refused_empty": (np.zeros((0, 2), np.float32), np.array([[0]], np.int32), one),
    }
    if how == "update":
        table["flags"] = (np.array([True, False]), np.array([[0], [1]], np.int32), np.array([False, True]))
    else:
        table["kind"] = (np.array([3, 100], np.uint8), np.array([[0], [1]], np.int32), np.array([5, 200], np.uint8))
    return table


for _how in ("update", "add", "sub"):
    lookup(f"ScatterNd{_how.capitalize()}").samples(**_slices(_how, False))
    lookup(f"ResourceScatterNd{_how.capitalize()}").samples(**_slices(_how, True))


# -- slices by ranges ---------------------------------------------------------------------------------------


def _at(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def _ranges(by_handle: bool) -> dict[str, Any]:
    return {
        "part": (_ROWS, _at(1, 0), _at(3, 1), _at(1, 1), np.array([[8], [9]], np.float32)),
        "backwards": (_ROWS, _at(2), _at(-4), _at(-2), np.array([[8, 9], [6, 7]], np.float32)),
        "row": sample(_ROWS, _at(-1), _at(0), _at(1), np.array([8, 9], np.float32), shrink_axis_mask=1),
        "element": sample(_ROWS, _at(1, 1), _at(0, 0), _at(1, 1), np.float32(5), shrink_axis_mask=3),
        "masks": sample(
            _ROWS, _at(1, 1), _at(2, 2), _at(1, 1), np.array([[8], [9]], np.float32), begin_mask=1, end_mask=2
        ),
        "ellipsis": sample(_ROWS, _at(0, 1), _at(0, 2), _at(1, 1), np.full((3, 1), 4, np.float32), ellipsis_mask=1),
        "new_axis": sample(_ROWS, _at(0, 0), _at(0, 1), _at(1, 1), np.full((1, 1, 2), 4, np.float32), new_axis_mask=1),
        "none": (_ROWS, _at(2), _at(2), _at(1), np.zeros((0, 2), np.float32)),
        "long": (_COUNTS, np.array([1]), np.array([100]), np.array([1]), np.array([[1, 2], [3, 4]], np.int32)),
        "text": (np.array([b"a", b"b"], object), _at(1), _at(2), _at(1), np.array([b"new"], object)),
        "refused_index": sample(_ROWS, _at(3), _at(4), _at(1), np.array([8, 9], np.float32), shrink_axis_mask=1),
        "refused_shape": (_ROWS, _at(0), _at(2), _at(1), np.ones((3, 2), np.float32)),
        "refused_scalar": (_ROWS, _at(0), _at(2), _at(1), np.float32(1)),
        "refused_stride": (_ROWS, _at(0), _at(2), _at(0), np.ones((2, 2), np.float32)),
        "refused_lengths": (_ROWS, _at(0, 0), _at(2), _at(1), np.ones((2, 2), np.float32)),
        "refused_axes": (_ROWS, _at(0, 0, 0), _at(1, 1, 1), _at(1, 1, 1), np.ones((1, 1, 1), np.float32)),
        "refused_unset": (_unset(by_handle), _at(0), _at(1), _at(1), np.ones((1, 2), np.float32)),
    }


lookup("StridedSliceAssign").samples(**_ranges(False))
lookup("ResourceStridedSliceAssign").samples(**_ranges(True))


# -- reading by handle --------------------------------------------------------------------------------------

_CUBE = np.arange(12, dtype=np.float64).reshape(2, 3, 2)


def _with_gradient(kind: str, indices: np.ndarray, shape: Any) -> Any:
    """Reads a variable whose static shape is `shape`, and the gradient with respect to its handle."""

    def read(given: Any) -> Any:
        import ossia as tf

        handle = tf.raw_ops.VarHandleOp(shape=tf.TensorShape(None) if shape == "unknown" else shape, dtype=tf.float32)
        yield tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant(_ROWS))
        make = getattr(tf.raw_ops, kind)
        values = make(resource=handle, indices=given(indices), dtype=tf.float32)
        yield values
        slope = tf.gradients(values * values, handle)[0]
        yield [slope.values, slope.indices, slope.dense_shape] if isinstance(slope, tf.IndexedSlices) else slope

    return steps(read)


lookup("ResourceGather").samples(
    rows=sample(_ROWS, np.array([2, 0, 2], np.int32), dtype="float"),
    one=sample(_ROWS, np.int64(1), dtype="float"),
    grid=sample(_COUNTS, np.array([[0, 2], [1, 0]], np.int32), dtype="int32"),
    batch=sample(_CUBE, np.array([[2, 0], [1, 1]], np.int32), dtype="double", batch_dims=1),
    none=sample(_ROWS, np.zeros(0, np.int32), dtype="float"),
    text=sample(np.array([b"a", b"b"], object), np.array([1, 1], np.int32), dtype="string"),
    slope=_with_gradient("ResourceGather", np.array([2, 2, 0], np.int32), [3, 2]),
    slope_unknown=_with_gradient("ResourceGather", np.array([[2, 2], [0, 1]], np.int32), "unknown"),
    refused_index=sample(_ROWS, np.array([3], np.int32), dtype="float"),
    refused_negative=sample(_ROWS, np.array([-1], np.int32), dtype="float"),
    refused_scalar=sample(np.float32(1), np.array([0], np.int32), dtype="float"),
    refused_dtype=sample(_ROWS, np.array([0], np.int32), dtype="int32"),
    refused_empty=sample(np.zeros((0, 2), np.float32), np.array([0], np.int32), dtype="float"),
    refused_unset=sample(_unset(True), np.array([0], np.int32), dtype="float"),
)
lookup("ResourceGatherNd").samples(
    rows=sample(_ROWS, np.array([[2], [0]], np.int32), dtype="float"),
    elements=sample(_CUBE, np.array([[1, 2, 0], [0, 0, 1]]), dtype="double"),
    one=sample(_COUNTS, np.array([1, 1], np.int32), dtype="int32"),
    whole=sample(_ROWS, np.zeros((2, 0), np.int32), dtype="float"),
    none=sample(_ROWS, np.zeros((0, 1), np.int32), dtype="float"),
    slope=_with_gradient("ResourceGatherNd", np.array([[2], [2]], np.int32), [3, 2]),
    slope_elements=_with_gradient("ResourceGatherNd", np.array([[2, 1], [0, 0]], np.int32), [3, 2]),
    refused_index=sample(_ROWS, np.array([[0, 2]], np.int32), dtype="float"),
    refused_negative=sample(_ROWS, np.array([[-1]], np.int32), dtype="float"),
    refused_deep=sample(_ROWS, np.array([[0, 0, 0]], np.int32), dtype="float"),
    refused_scalar=sample(_ROWS, np.int32(0), dtype="float"),
    refused_unset=sample(_unset(True), np.array([[0]], np.int32), dtype="float"),
)


# -- counters -----------------------------------------------------------------------------------------------


def _counted(by_handle: bool) -> Any:
    """Counts to the limit and once more, which is refused."""

    def count() -> Any:
        import ossia as tf

        if by_handle:
            number = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.int64)
            yield tf.raw_ops.AssignVariableOp(resource=number, value=tf.constant(1, tf.int64))
            now = tf.raw_ops.ResourceCountUpTo(resource=number, limit=3, T=tf.int64)
            read = tf.raw_ops.ReadVariableOp(resource=number, dtype=tf.int64)
        else:
            number = tf.raw_ops.VariableV2(shape=[], dtype=tf.int64)
            yield tf.raw_ops.Assign(ref=number, value=tf.constant(1, tf.int64)).op
            now = tf.raw_ops.CountUpTo(ref=number, limit=3)
            read = tf.identity(number)
        yield from (now, read, now, read, now)

    return steps(count)


lookup("CountUpTo").samples(
    first=sample(np.int32(0), limit=3),
    negative=sample(np.int64(-5), limit=0),
    refused_reached=_counted(False),
    refused_limit=sample(np.int32(3), limit=3),
    refused_above=sample(np.int32(7), limit=3),
    refused_vector=sample(np.array([0, 1], np.int32), limit=3),
    refused_unset=sample(_unset(False, [], "int32"), limit=3),
)
lookup("ResourceCountUpTo").samples(
    first=sample(np.int32(0), limit=3, T="int32"),
    negative=sample(np.int64(-5), limit=0, T="int64"),
    refused_reached=_counted(True),
    refused_limit=sample(np.int32(3), limit=3, T="int32"),
    refused_vector=sample(np.array([0, 1], np.int32), limit=3, T="int32"),
    refused_dtype=sample(np.int64(0), limit=3, T="int32"),
    refused_unset=sample(_unset(True, [], "int32"), limit=3, T="int32"),
)
