"""A sparse tensor cut into parts along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector
from ossia_core.graph.composites import SparseTensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of
from ossia_ops.sparse.dense import as_sparse, check_inside
from ossia_ops.sparse.rows import check_parts

sparse_split_op = op(
    "SparseSplit(split_dim: int64, indices: int64, values: T, shape: int64) -> output_indices: num_split * int64, "
    "output_values: num_split * T, output_shape: num_split * int64",
    num_split="int >= 1",
    T="type",
)


@sparse_split_op.shape
def _(split_dim, indices, values, shape, *, num_split):
    rank = shape.shape.num_elements()
    return [TensorShape((None, rank))] * num_split, [vector(None)] * num_split, [shape.shape] * num_split


@sparse_split_op.kernel
def _(split_dim, indices, values, shape, *, num_split):
    if np.size(split_dim) != 1:
        raise InvalidArgumentError(
            None, None, f"split_dim should be a scalar, not of shape {dims_text(split_dim.shape)}"
        )
    axis = int(np.ravel(split_dim)[0])
    check_parts(indices, values, shape)
    if axis < 0:
        raise InvalidArgumentError(None, None, f"num_dim must be in the interval [0, {len(shape)})")
    if axis >= len(shape):
        raise InvalidArgumentError(
            None, None, f"Input split_dim should be between 0 and rank ({len(shape)}), got {axis}")
    size = int(shape[axis])
    if not 1 <= num_split <= size:
        raise InvalidArgumentError(
            None, None,
            f"Input num_split should be between 1 and the splitting dimension size ({size}), got {num_split}"
        )
    check_inside(indices[:, axis : axis + 1], (size,))
    length, longer = divmod(size, num_split)
    starts = np.arange(num_split + 1) * length + np.minimum(np.arange(num_split + 1), longer)
    part = np.searchsorted(starts, indices[:, axis], "right") - 1
    order = np.argsort(part, kind="stable")
    ends = np.searchsorted(part[order], np.arange(num_split + 1))
    results: tuple[list, list, list] = ([], [], [])
    for i in range(num_split):
        own = order[ends[i] : ends[i + 1]]
        rows, dims = indices[own], shape.copy()
        rows[:, axis] -= starts[i]
        dims[axis] = starts[i + 1] - starts[i]
        for result, item in zip(results, (rows, values[own], dims)):
            result.append(item)
    return results


sparse_split_op.samples(
    uneven=sample(1, [[0, 0], [0, 4], [1, 2]], np.array([1.0, 2.0, 3.0], "f4"), [2, 5], num_split=2),
    unsorted=sample(0, [[1, 0], [0, 4], [0, 1]], ["a", "b", "c"], [2, 5], num_split=2),
    empty=sample(0, np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 5], num_split=2),
)


class KeywordRequired:
    """The default of an argument that only keeps those after it from being given by position."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


@public("sparse.split", "sparse_split")
def sparse_split(
    keyword_required: Any = KeywordRequired(),  # noqa: B008 (a marker without state)
    sp_input: Any = None,
    num_split: Any = None,
    axis: Any = None,
    name: str | None = None,
    split_dim: Any = None,
) -> list[SparseTensor]:
    """Parts of a sparse tensor along a dimension, of sizes that differ by at most 1, the larger ones first.

    Args:
      keyword_required: nothing; the other arguments have to be given by name.
      sp_input: a SparseTensor.
      num_split: how many parts, at most the size of the dimension.
      axis: the dimension, counted from the front, a scalar.
      name: name of the op.
      split_dim: old name of `axis`.

    Raises:
      ValueError: an argument is missing, or not given by name.
      TypeError: `sp_input` is no SparseTensor.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    if sp_input is None:
        raise ValueError("sp_input is required")
    if num_split is None:
        raise ValueError("num_split is required")
    if axis is None:
        raise ValueError("axis is required")
    return sparse_split_v2(sp_input, num_split, one_of("axis", axis, "split_dim", split_dim), name)


@public("compat.v2.sparse.split")
def sparse_split_v2(sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None) -> list:
    """Parts of a sparse tensor along a dimension; the arguments are those of `tf.sparse.split`."""
    x = as_sparse(sp_input)
    indices, values, shapes = sparse_split_op(
        axis, x.indices, x.values, x.dense_shape, num_split=num_split, name=name
    )
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes, strict=True)]
