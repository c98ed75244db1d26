"""Operations on sets: the last dimension of a tensor holds the elements of one set per place."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.api_table import public
from ossia_core.errors import InvalidArgumentError
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import constant_shape, merge
from ossia_core.shapes import UNKNOWN_SHAPE, TensorShape

_T = "{int8, int16, int32, int64, uint8, uint16, string}"
_ATTRS = {"set_operation": "string", "validate_indices": "bool = true"}
_A, _B = np.array([[3, 1, 1], [9, 9, 1]], "i4"), np.array([[1, 5], [1, 2]], "i4")
_SPARSE = (np.array([[0, 0], [0, 1], [1, 0]], "i8"), np.array([5, 1, 4], "i4"), np.array([2, 2], "i8"))
_FUNCTIONS: dict[bytes, Callable[..., np.ndarray]] = {
    b"a-b": np.setdiff1d,
    b"b-a": lambda a, b: np.setdiff1d(b, a),
    b"intersection": np.intersect1d,
    b"union": np.union1d,
}

Groups = tuple[
    tuple[int, ...], dict[int, np.ndarray]
]  # the shape of the places, and the elements at each that has some


def _dense_groups(x: np.ndarray) -> Groups:
    if x.ndim < 2:
        raise InvalidArgumentError(
            None, None, f"Invalid input set with rank {x.ndim}: at least 2 dimensions are needed."
        )
    return x.shape[:-1], dict(enumerate(x.reshape(math.prod(x.shape[:-1]), x.shape[-1])))


def _sparse_groups(indices: np.ndarray, values: np.ndarray, shape: np.ndarray, validate: bool) -> Groups:
    dims = tuple(shape.tolist())
    if len(dims) < 2:
        raise InvalidArgumentError(
            None, None, f"Invalid input set with rank {len(dims)}: at least 2 dimensions are needed."
        )
    if indices.ndim != 2 or values.ndim != 1 or indices.shape != (len(values), len(dims)):
        raise InvalidArgumentError(
            None,
            None,
            f"Sparse set of shape {list(dims)}: indices {list(indices.shape)} and values "
            f"{list(values.shape)} do not fit",
        )
    if validate:
        _check_order(indices, dims)
    if not len(values):
        return dims[:-1], {}
    if (indices < 0).any() or (indices >= np.array(dims)).any():
        raise InvalidArgumentError(None, None, f"indices are out of bounds of the shape {list(dims)}")
    places = np.ravel_multi_index(tuple(indices[:, :-1].T), dims[:-1]) if dims[:-1] else np.zeros(len(values), np.int64)
    starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
    return dims[:-1], {int(places[s]): part for s, part in zip(starts, np.split(values, starts[1:]), strict=True)}


def _check_order(indices: np.ndarray, dims: Sequence[int]) -> None:
    rows = indices.tolist()
    for i, row in enumerate(rows):
        if any(v < 0 or v >= n for v, n in zip(row, dims, strict=True)):
            raise InvalidArgumentError(
                None, None, f"indices[{i}] = {row} is out of bounds: need 0 <= index < {list(dims)}"
            )
        if i and row <= rows[i - 1]:
            wrong = (
                "repeated."
                if row == rows[i - 1]
                else (
                    "out of order. Many sparse ops require sorted indices.\n    Use "
                    "`tf.sparse.reorder` to create a correctly ordered copy."
                )
            )
            raise InvalidArgumentError(None, None, f"indices[{i}] = [{','.join(map(str, row))}] is {wrong}")


def _combined(a: Groups, b: Groups, set_operation: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    function = _FUNCTIONS.get(set_operation.lower())
    if function is None:
        raise InvalidArgumentError(None, None, f"Invalid set_operation {set_operation.decode(errors='replace')}.")
    if a[0] != b[0]:
        raise InvalidArgumentError(None, None, f"Mismatched shapes {list(a[0])} vs {list(b[0])}")
    kind = next((g.dtype for g in (*a[1].values(), *b[1].values())), None)
    empty = np.zeros(0, kind)
    found = [(place, function(a[1].get(place, empty), b[1].get(place, empty))) for place in sorted({*a[1], *b[1]})]
    return _result(a[0], found, empty)


def _result(
    places: tuple[int, ...], found: list[tuple[int, np.ndarray]], empty: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    widest = max((len(values) for _, values in found), default=0)
    rows = (
        [(*np.unravel_index(place, places), i) for place, values in found for i in range(len(values))]
        if places
        else [(i,) for _, values in found for i in range(len(values))]
    )
    indices = np.array(rows, np.int64).reshape(len(rows), len(places) + 1)
    values = np.concatenate([values for _, values in found]) if found else empty
    return indices, values.astype(empty.dtype, copy=False), np.array([*places, widest], np.int64)


def _shapes(rank: int | None) -> tuple[TensorShape, TensorShape, TensorShape]:
    return TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])


dense_to_dense_set_operation_op = op(
    "DenseToDenseSetOperation(set1: T, set2: T) -> result_indices: int64, result_values: T, result_shape: int64",
    **_ATTRS,
    T=_T,
)


@dense_to_dense_set_operation_op.shape
def _(set1, set2):
    a, b = set1.shape, set2.shape
    for s in (a, b):
        if s.ndims is not None and s.ndims < 2:
            raise ValueError(f"Shape must be at least rank 2 but is rank {s.ndims}")
    if a.ndims is None or b.ndims is None:
        return _shapes(a.ndims if b.ndims is None else b.ndims)
    if a.ndims != b.ndims:
        raise ValueError(f"Ranks do not match: input 0 {a.ndims}, input 1 {b.ndims}")
    merge(a[:-1], b[:-1])
    return _shapes(a.ndims)


@dense_to_dense_set_operation_op.kernel
def _(set1, set2, *, set_operation):
    return _typed(_combined(_dense_groups(set1), _dense_groups(set2), set_operation), set1.dtype)


def _typed(
    result: tuple[np.ndarray, np.ndarray, np.ndarray], kind: np.dtype
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return result[0], result[1].astype(kind, copy=False), result[2]


dense_to_dense_set_operation_op.not_differentiable()
dense_to_dense_set_operation_op.samples(
    difference=sample(_A, _B, set_operation="a-b"),
    union=sample(_A, _B, set_operation="union"),
    intersection=sample(_A, _B, set_operation="intersection"),
)

dense_to_sparse_set_operation_op = op(
    "DenseToSparseSetOperation(set1: T, set2_indices: int64, set2_values: T, set2_shape: int64) -> "
    "result_indices: int64, result_values: T, result_shape: int64",
    **_ATTRS,
    T=_T,
)


@dense_to_sparse_set_operation_op.shape
def _(set1, set2_indices, set2_values, set2_shape):
    rank = set1.shape.ndims
    if rank is not None and rank < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {rank}")
    return _shapes(_sparse_rank(set2_indices, set2_shape) if rank is None else rank)


def _sparse_rank(indices: Tensor, shape: Tensor) -> int | None:
    known = constant_shape(shape).ndims
    return indices.shape.as_tuple()[1] if known is None and indices.shape.ndims == 2 else known


@dense_to_sparse_set_operation_op.kernel
def _(set1, set2_indices, set2_values, set2_shape, *, set_operation, validate_indices):
    sets = _sparse_groups(set2_indices, set2_values, set2_shape, validate_indices)
    return _typed(_combined(_dense_groups(set1), sets, set_operation), set1.dtype)


dense_to_sparse_set_operation_op.not_differentiable()
dense_to_sparse_set_operation_op.samples(union=sample(_A, *_SPARSE, set_operation="union"))

sparse_to_sparse_set_operation_op = op(
    "SparseToSparseSetOperation(set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, "
    "set2_values: T, set2_shape: int64) -> result_indices: int64, result_values: T, result_shape: int64",
    **_ATTRS,
    T=_T,
)


@sparse_to_sparse_set_operation_op.shape
def _(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape):
    first, second = _sparse_rank(set1_indices, set1_shape), _sparse_rank(set2_indices, set2_shape)
    return _shapes(second if first is None else first)


@sparse_to_sparse_set_operation_op.kernel
def _(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape, *, set_operation, validate_indices):
    a = _sparse_groups(set1_indices, set1_values, set1_shape, validate_indices)
    b = _sparse_groups(set2_indices, set2_values, set2_shape, validate_indices)
    return _typed(_combined(a, b, set_operation), set1_values.dtype)


sparse_to_sparse_set_operation_op.not_differentiable()
sparse_to_sparse_set_operation_op.samples(difference=sample(*_SPARSE, *_SPARSE, set_operation="b-a"))

set_size_op = op(
    "SetSize(set_indices: int64, set_values: T, set_shape: int64) -> size: int32", validate_indices="bool = true", T=_T
)


@set_size_op.shape
def _(set_indices, set_values, set_shape):
    return UNKNOWN_SHAPE


@set_size_op.kernel
def _(set_indices, set_values, set_shape, *, validate_indices):
    places, groups = _sparse_groups(set_indices, set_values, set_shape, validate_indices)
    sizes = np.zeros(math.prod(places), np.int32)
    for place, values in groups.items():
        sizes[place] = len(np.unique(values))
    return sizes.reshape(places)


set_size_op.not_differentiable()
set_size_op.samples(plain=sample(*_SPARSE))


def _parts(x: Any) -> Iterator[Any]:
    if isinstance(x, SparseTensor):
        yield from (x.indices, x.values, x.dense_shape)
    else:
        yield x


def _set_operation(a: Any, b: Any, set_operation: str, validate_indices: bool) -> SparseTensor:
    a = a if isinstance(a, SparseTensor) else convert_to_tensor(a, name="a")
    b = b if isinstance(b, SparseTensor) else convert_to_tensor(b, name="b")
    if a.dtype.base_dtype != b.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    flipped = isinstance(a, SparseTensor) and not isinstance(b, SparseTensor)
    if flipped:
        a, b = b, a
        set_operation = {"a-b": "b-a", "b-a": "a-b"}.get(set_operation, set_operation)
    if isinstance(a, SparseTensor):
        definition = sparse_to_sparse_set_operation_op
    else:
        definition = (
            dense_to_sparse_set_operation_op if isinstance(b, SparseTensor) else dense_to_dense_set_operation_op
        )
    return SparseTensor(
        *definition(*_parts(a), *_parts(b), set_operation=set_operation, validate_indices=validate_indices)
    )


@public("sets.size", "sets.set_size")
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of different elements in each set of a SparseTensor, int32, without its last dimension.

    Raises:
      TypeError: `a` is no SparseTensor.
    """
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    return set_size_op(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)


@public("sets.intersection", "sets.set_intersection")
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements in both of two sets.

    Args:
      a, b: tensors or SparseTensors that agree in all dimensions but the last.
      validate_indices: check that sparse indices are in order.

    Returns:
      A SparseTensor, the elements of each set in order.

    Raises:
      TypeError: tensors of two dtypes.
    """
    return _set_operation(a, b, "intersection", validate_indices)


@public("sets.difference", "sets.set_difference")
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The elements of `a` that are not in `b`, the other way round without `aminusb`; else as `set_intersection`."""
    return _set_operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


@public("sets.union", "sets.set_union")
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements in at least one of two sets; else as `set_intersection`."""
    return _set_operation(a, b, "union", validate_indices)
