"""Operations on sets: the last dimension of a tensor holds the elements of one set per place."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, merge_dim, with_rank, with_rank_at_least, with_value
from ossia_core.graph.composites import SparseTensor, convert_to_tensor_or_sparse_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.sparse.rows import beyond, check_order, check_parts, merged, numbered, starts_of

_T = "{int8, int16, int32, int64, uint8, uint16, string}"
_ATTRS = {"set_operation": "string", "validate_indices": "bool = true"}
_A, _B = np.array([[3, 1, 1], [9, 9, 1]], "i4"), np.array([[1, 5], [1, 2]], "i4")
_SPARSE = (np.array([[0, 0], [0, 1], [1, 0]], "i8"), np.array([5, 1, 4], "i4"), np.array([2, 2], "i8"))
# Which elements stay, by whether each is in the first set and in the second; the same for two Python sets.
_KEPT: dict[bytes, tuple[Callable[[np.ndarray, np.ndarray], np.ndarray], Callable[[set, set], set]]] = {
    b"a-b": (lambda a, b: ~b, lambda a, b: a - b),
    b"b-a": (lambda a, b: ~a, lambda a, b: b - a),
    b"intersection": (lambda a, b: a & b, lambda a, b: a & b),
    b"union": (lambda a, b: a | b, lambda a, b: a | b),
}
_FEW = 400  # elements that Python sets take sooner than arrays

Sets = tuple[tuple[int, ...], np.ndarray, np.ndarray]  # the shape of the places, each element's place, the elements


def _dense_sets(x: np.ndarray) -> Sets:
    if x.ndim < 2:
        raise InvalidArgumentError(
            None, None, f"Invalid input set with rank {x.ndim}: at least 2 dimensions are needed."
        )
    places = np.indices(x.shape[:-1]).reshape(x.ndim - 1, math.prod(x.shape[:-1])).T
    return x.shape[:-1], np.repeat(places, x.shape[-1], axis=0), x.reshape(-1)


def _sparse_sets(indices: np.ndarray, values: np.ndarray, shape: np.ndarray, ordered: bool = True) -> Sets:
    """The sets of a sparse tensor; if not `ordered`, elements and sets may stand in any order, and repeatedly."""
    check_parts(indices, values, shape)
    dims = tuple(shape.tolist())
    if len(dims) < 2:
        raise InvalidArgumentError(
            None, None, f"Invalid input set with rank {len(dims)}: at least 2 dimensions are needed."
        )
    if ordered or beyond(indices, shape).any():
        check_order(indices, shape)
    return dims[:-1], indices[:, :-1], values


def _distinct(*sets: Sets) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The different elements of each of some sets, as ascending numbers of place and element that are comparable among
    them, and where each first occurs."""
    places = numbered(*(rows for _, rows, _ in sets))
    codes = np.unique(np.concatenate([values for _, _, values in sets]), return_inverse=True)[1]
    split = np.split(codes, np.cumsum([len(own) for own in places[:-1]]))
    numbers = numbered(*(np.stack([place, code], axis=1) for place, code in zip(places, split)))
    first = [order[starts_of(own[order, None])] for own in numbers for order in [np.argsort(own, kind="stable")]]
    return [own[chosen] for own, chosen in zip(numbers, first)], first


def _combined(a: Sets, b: Sets, set_operation: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kept = _KEPT.get(set_operation.lower())
    if kept is None:
        raise InvalidArgumentError(None, None, f"Invalid set_operation {set_operation.decode(errors='replace')}.")
    if a[0] != b[0]:
        raise InvalidArgumentError(None, None, f"Mismatched shapes {list(a[0])} vs {list(b[0])}")
    if (np.diff(numbered(b[1])[0]) < 0).any():
        return _combined_runs(a, b, kept[1])
    if len(a[2]) + len(b[2]) <= _FEW:
        return _combined_few(a, b, kept[1])
    numbers, first = _distinct(a, b)
    of_a, of_b = merged(*numbers)
    stays = kept[0](of_a >= 0, of_b >= 0)
    of_a, of_b = of_a[stays], of_b[stays]
    source = np.empty(len(of_a), np.intp)
    source[of_b >= 0] = first[1][of_b[of_b >= 0]] + len(a[2])
    source[of_a >= 0] = first[0][of_a[of_a >= 0]]
    rows, values = np.concatenate([a[1], b[1]])[source], np.concatenate([a[2], b[2]])[source]
    starts = starts_of(rows)
    lengths = np.diff(starts, append=len(rows))
    column = np.arange(len(rows)) - np.repeat(starts, lengths)
    shape = np.array([*a[0], lengths.max(initial=0)], np.int64)
    return np.concatenate([rows, column[:, None]], axis=1).astype(np.int64), values, shape


def _combined_few(
    a: Sets, b: Sets, kept: Callable[[set, set], set]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sets: dict[tuple, tuple[set, set]] = {}
    for which, (_, rows, values) in enumerate((a, b)):
        for place, value in zip(rows.tolist(), values.tolist(), strict=True):
            sets.setdefault(tuple(place), (set(), set()))[which].add(value)
    chosen = {place: kept(*both) for place, both in sets.items()}
    return _result(a, chosen, max(map(len, chosen.values()), default=0))


def _combined_runs(
    a: Sets, b: Sets, kept: Callable[[set, set], set]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sets of `b` stand in any order. Like the original, goes through both as if they were in order: sets meet only
    if their turn comes at the same time, and what a place got last stays. (The original leaves room in its result, not
    written to, for what did not stay.)"""
    queues = [
        [
            (tuple(place), {value for _, value in run})
            for place, run in groupby(zip(rows.tolist(), values.tolist(), strict=True), key=itemgetter(0))
        ][::-1]
        for _, rows, values in (a, b)
    ]
    chosen: dict[tuple, set] = {}
    size = 0
    while any(queues):
        place = min(queue[-1][0] for queue in queues if queue)
        found = kept(*(queue.pop()[1] if queue and queue[-1][0] == place else set() for queue in queues))
        if found:
            chosen[place] = found
            size = max(size, len(found))
    return _result(a, chosen, size)


def _result(a: Sets, chosen: dict[tuple, set], size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The chosen elements of each place as parts of a sparse tensor that holds sets of up to `size`."""
    own = [(place, sorted(chosen[place])) for place in sorted(chosen)]
    indices = [(*place, column) for place, values in own for column in range(len(values))]
    shape = np.array([*a[0], size], np.int64)
    found = np.array([value for _, values in own for value in values], a[2].dtype)
    return np.array(indices, np.int64).reshape(-1, len(shape)), found, shape


def _shapes(rank: int | None) -> tuple[TensorShape, TensorShape, TensorShape]:
    return TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])


def sparse_rank(indices: Any, values: Any, shape: Any, input_: int | None = None) -> int | None:
    """The rank of a sparse set, as far as static shapes say it.

    Raises:
      ValueError: the parts do not go together, or (for an `input_`) sets of no more than one dimension.
    """
    rows, columns = with_rank(indices, 2).as_tuple()
    (count,), (rank,) = with_rank(values, 1).as_tuple(), with_rank(shape, 1).as_tuple()
    if None not in (rows, count) and rows != count:
        raise ValueError(f"Number of elements in index ({rows}) and values ({count}) do not match.")
    if None not in (columns, rank) and columns != rank:
        raise ValueError(f"Index rank ({columns}) and shape rank ({rank}) do not match.")
    if input_ is not None and rank is not None and rank < 2:
        raise ValueError(f"Input {input_}, expected rank >= 2, got {rank}.")
    return rank


dense_to_dense_set_operation_op = op(
    "DenseToDenseSetOperation(set1: T, set2: T) -> result_indices: int64, result_values: T, result_shape: int64",
    **_ATTRS,
    T=_T,
)


@dense_to_dense_set_operation_op.shape
def _(set1, set2):
    a, b = set1.shape, set2.shape
    with_rank_at_least(a, 2)
    if a.ndims is None or b.ndims is None:
        return _shapes(with_rank_at_least(b, 2).ndims if a.ndims is None else a.ndims)
    merge(a[:-1], with_rank(b, a.ndims)[:-1])
    return _shapes(a.ndims)


@dense_to_dense_set_operation_op.kernel
def _(set1, set2, *, set_operation):
    return _typed(_combined(_dense_sets(set1), _dense_sets(set2), set_operation), set1.dtype)


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
    other = sparse_rank(set2_indices, set2_values, set2_shape)
    return _shapes(merge_dim(rank, other))


@dense_to_sparse_set_operation_op.kernel
def _(set1, set2_indices, set2_values, set2_shape, *, set_operation):
    sets = _sparse_sets(set2_indices, set2_values, set2_shape)
    return _typed(_combined(_dense_sets(set1), sets, set_operation), set1.dtype)


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
    first = sparse_rank(set1_indices, set1_values, set1_shape, 0)
    second = sparse_rank(set2_indices, set2_values, set2_shape, 1)
    return _shapes(with_value(second, first))


@sparse_to_sparse_set_operation_op.kernel
def _(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape, *, set_operation):
    a = _sparse_sets(set1_indices, set1_values, set1_shape)
    b = _sparse_sets(set2_indices, set2_values, set2_shape, ordered=False)
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
def _(set_indices, set_values, set_shape):
    sets = _sparse_sets(set_indices, set_values, set_shape)
    sizes.allocatable(sets[0], 4)
    result = np.zeros(sets[0], np.int32)
    if len(sets[2]) <= _FEW:
        for place, _ in {(tuple(row), value) for row, value in zip(sets[1].tolist(), sets[2].tolist(), strict=True)}:
            result[place] += 1
    else:
        (chosen,) = _distinct(sets)[1]
        np.add.at(result, tuple(sets[1][chosen].T), 1)
    return result


set_size_op.not_differentiable()
set_size_op.samples(plain=sample(*_SPARSE))


def _parts(x: Any) -> Iterator[Any]:
    if isinstance(x, SparseTensor):
        yield from (x.indices, x.values, x.dense_shape)
    else:
        yield x


_KINDS = {dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string}


def _set_operation(a: Any, b: Any, set_operation: str, validate_indices: bool) -> SparseTensor:
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _KINDS:
        raise TypeError(f"'a' invalid dtype {a.dtype}.")
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
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
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
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
