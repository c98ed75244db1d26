"""Elements of ragged tensors chosen by conditions and masks."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat as dense_concat
from ossia_ops.array.gather import gather as dense_gather
from ossia_ops.array.masking import boolean_mask as dense_boolean_mask
from ossia_ops.array.selection import where as dense_where
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.cumulative import cumprod
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.construction import row_count
from ossia_ragged.gathering import gather
from ossia_ragged.joining import concat
from ossia_ragged.mapping import map_flat_values
from ossia_ragged.partitions import segments_of_splits, splits_of_lengths
from ossia_ragged.reduction import reduce_sum
from ossia_ragged.rows import Rows, same_row_splits_dtypes, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """The places where `condition` holds; or elements or rows of `x` where it does, and of `y` elsewhere.

    Raises:
      ValueError: one of `x` and `y` is missing, or not all are ragged while `condition` is.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    with name_scope(None, "RaggedWhere", [condition, x, y]):
        condition = tensor_or_ragged(condition, name="condition")
        if x is None:
            return _places(condition)
        condition, x, y = same_row_splits_dtypes(
            condition, tensor_or_ragged(x, name="x"), tensor_or_ragged(y, name="y"))
        ragged = [isinstance(part, Rows) for part in (condition, x, y)]
        if all(ragged):
            return map_flat_values(dense_where, condition, x, y)
        if not any(ragged):
            return dense_where(condition, x, y)
        if ragged[0]:
            raise ValueError("Input shapes do not match.")
        condition.shape.assert_has_rank(1)
        both = concat([x, y], axis=0)
        first, second = (row_count(part, both.row_splits.dtype) for part in (x, y))
        return gather(both, dense_where(condition, range_of(first), first + range_of(second)))


def _places(condition: Any) -> Tensor:
    if not isinstance(condition, Rows):
        return dense_where(condition)
    inner = _places(condition.values)
    first = inner[:, 0]
    rows = dense_gather(condition.value_rowids(), first)
    columns = first - dense_gather(condition.row_splits, rows)
    return dense_concat([expand_dims(rows, 1), expand_dims(columns, 1), inner[:, 1:]], axis=1)


@public("ragged.boolean_mask", "compat.v2.ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The elements of `data` where `mask` is true, each still in its row.

    Args:
      data: a tensor or ragged tensor.
      mask: bool, a tensor or ragged tensor; its shape is that of the first dimensions of `data`.
      name: name scope.

    Returns:
      A RaggedTensor of the rank of `data`; a tensor if `data` is one and `mask` a vector.

    Raises:
      ValueError: the rank of `mask` is 0 or not known, or it does not fit `data`.
    """
    with name_scope(name, "RaggedMask", [data, mask]):
        data, mask = same_row_splits_dtypes(tensor_or_ragged(data, name="data"),
                                            tensor_or_ragged(mask, dtypes.bool, name="mask"))
        if mask.shape.ndims is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if mask.shape.ndims == 0:
            raise ValueError("mask cannot be scalar.")
        if isinstance(mask, Rows):
            return _masked_by_rows(data, mask)
        if isinstance(data, Rows) and mask.shape.ndims > 1:
            rows = RaggedTensor.from_tensor(mask, ragged_rank=min(data.ragged_rank, mask.shape.ndims - 1),
                                            row_splits_dtype=data.row_splits.dtype)
            return boolean_mask(data, rows)
        if isinstance(data, Rows):
            lengths = dense_boolean_mask(data.row_lengths(), mask)
            splits = splits_of_lengths(lengths)
            rows = segments_of_splits(data.row_splits)
            return RaggedTensor(boolean_mask(data.values, dense_gather(mask, rows)), splits, internal=True)
        return _masked(data, mask)


def _masked_by_rows(data: Any, mask: Any) -> Any:
    if not isinstance(data, Rows):
        data = RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype)
    checks = [builder("debugging.assert_equal")(mine, theirs, message="Inputs must have identical ragged splits")
              for mine, theirs in zip(mask.nested_row_splits, data.nested_row_splits, strict=False)]
    with control_dependencies(checks):
        nested = []
        while isinstance(mask, Rows):
            if mask.shape.ndims > 2:
                nested.append(mask.row_splits)
            else:
                chosen = map_flat_values(cast, mask, dtype=mask.row_splits.dtype)
                nested.append(splits_of_lengths(reduce_sum(chosen, axis=1)))
            mask, data = mask.values, data.values
        result = boolean_mask(data, mask)
        for splits in reversed(nested):
            result = RaggedTensor(result, splits, internal=True)
        return result


def _masked(data: Tensor, mask: Tensor) -> Any:
    from ossia_ops.math.statistics import count_nonzero
    result: Any = dense_boolean_mask(data, mask)
    rank = mask.shape.ndims
    if rank < 2:
        return result
    lengths = count_nonzero(mask, axis=-1, dtype=dtypes.int64)
    result = RaggedTensor.from_row_lengths(result, reshape(lengths, [-1]), validate=False)
    if rank > 2:
        dims = shape(mask, out_type=dtypes.int64)
        sizes = cumprod(dims) + 1
        for dim in range(rank - 3, -1, -1):
            step = dims[dim + 1]
            result = RaggedTensor(result, range_of(sizes[dim]) * step, internal=True)
    return result
