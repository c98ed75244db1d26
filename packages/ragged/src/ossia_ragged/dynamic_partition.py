"""Values sorted into rows by their partitions."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.plugins.api_table import public
from ossia_ops.array.gather import gather as dense_gather
from ossia_ops.array.stacking import stack
from ossia_ops.math.cast import cast
from ossia_ops.math.sort import argsort
from ossia_ragged.gathering import gather
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


@public("ragged.stack_dynamic_partitions", "compat.v2.ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> Any:
    """The values of each partition as a row.

    Args:
      data: values, with the dimensions of `partitions` first.
      partitions: the partition of each value, from 0.
      num_partitions: how many partitions there are.
      name: name scope.

    Returns:
      A RaggedTensor of `num_partitions` rows, in each the values in their order.

    Raises:
      ValueError: the first dimensions of `data` are not those of `partitions`.
      InvalidArgumentError: in a run, a partition that is not below `num_partitions`.
    """
    with name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data = tensor_or_ragged(data, name="data")
        kind = data.row_splits.dtype if isinstance(data, Rows) else None
        partitions = tensor_or_ragged(partitions, name="partitions", preferred_dtype=kind)
        number = convert_to_tensor(num_partitions, name="num_partitions", dtype=partitions.dtype)
        if kind is not None:
            partitions, number = cast(partitions, kind), cast(number, kind)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError("partitions must have known rank")
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        if rank == 0:
            return RaggedTensor.from_value_rowids(stack([data]), stack([partitions]), nrows=number, validate=False)
        if rank > 1:
            return _of_rows(data, partitions, number, rank)
        order = argsort(partitions, stable=True)
        partitions = dense_gather(partitions, order)
        rows = gather(data, order) if isinstance(data, Rows) else dense_gather(data, order)
        check = builder("debugging.assert_less")(
            partitions[-1:], number, message="partitions must be less than num_partitions")
        with control_dependencies([check]):
            return RaggedTensor.from_value_rowids(rows, partitions, nrows=number, validate=False)


def _of_rows(data: Any, partitions: Any, number: Any, rank: int) -> Any:
    if not isinstance(data, Rows):
        data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype, ragged_rank=1)
    if not isinstance(partitions, Rows):
        partitions = RaggedTensor.from_tensor(
            partitions, row_splits_dtype=data.row_splits.dtype, ragged_rank=max(data.ragged_rank, rank - 1))
    check = builder("debugging.assert_equal")(
        data.row_splits, partitions.row_splits, message="data and partitions have incompatible ragged shapes")
    with control_dependencies([check]):
        return stack_dynamic_partitions(data.values, partitions.values, number)


def dynamic_partition(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> list:
    """The values of each partition, as a list of `num_partitions` tensors or ragged tensors.

    Raises:
      TypeError: `num_partitions` is no int, or negative.
    """
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    result = stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [result[i] for i in range(num_partitions)]
