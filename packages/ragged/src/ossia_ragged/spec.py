"""What is known of a ragged tensor before there is one."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import BatchableTypeSpec, TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ragged.rows import Rows
from ossia_ragged.tensor import RaggedTensor
from ossia_ragged.value import RaggedTensorValue


@public("RaggedTensorSpec", "compat.v2.RaggedTensorSpec")
class RaggedTensorSpec(BatchableTypeSpec):
    """Shape, dtype, ragged rank and dtype of the row splits of a ragged tensor.

    Args:
      shape: the shape; None for what is not known, and for what may be ragged.
      dtype: dtype of the values.
      ragged_rank: how many dimensions may be ragged; all but the first one by default.
      row_splits_dtype: int32 or int64.

    Raises:
      ValueError: neither the rank nor `ragged_rank` is known, or `ragged_rank` is not below the rank.
      TypeError: `ragged_rank` is no int.
    """

    __slots__ = ("_dtype", "_ragged_rank", "_row_splits_dtype", "_shape")

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> None:
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a ragged tensor or of the value of one."""
        return cls(value.shape, value.values.dtype, value.ragged_rank, value.row_splits.dtype)

    @property
    def value_type(self) -> type:
        """`tf.RaggedTensor`, or `tf.Tensor` where nothing is ragged."""
        return RaggedTensor if self._ragged_rank > 0 else Tensor

    def _serialize(self) -> tuple:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        rank, dims = self._ragged_rank, None if self._shape.ndims is None else self._shape.as_list()
        flat = TensorShape(None) if dims is None else TensorShape([None, *dims[rank + 1:]])
        rows = None if dims is None or dims[0] is None else dims[0] + 1
        outer = TensorSpec([rows], self._row_splits_dtype)
        return [TensorSpec(flat, self._dtype), outer, *[TensorSpec([None], self._row_splits_dtype)] * (rank - 1)]

    def _to_components(self, value: Any) -> list:
        if isinstance(value, (Rows, RaggedTensorValue)):
            return [value.flat_values, *value.nested_row_splits]
        return [value]

    def _from_components(self, components: Any) -> Any:
        result = components[0]
        for splits in reversed(components[1:]):
            if isinstance(splits, Tensor):
                result = RaggedTensor(result, splits, internal=True)
            else:
                result = RaggedTensorValue(result, splits)
        return result

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [TensorSpec(None, dtypes.variant)]

    def _to_tensor_list(self, value: Any) -> list[Tensor]:
        return [value._to_variant()]

    def _to_batched_tensor_list(self, value: Any) -> list[Tensor]:
        return [value._to_variant(batched_input=True)]

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        result = RaggedTensor._from_variant(
            tensor_list[0], dtype=self._dtype, output_ragged_rank=self._ragged_rank)
        if self._shape.ndims is not None and self._ragged_rank > 0:
            rank, dims = self._ragged_rank, self._shape.as_list()
            if dims[0] is not None:
                result.row_splits.set_shape([dims[0] + 1])
            result.flat_values.set_shape(TensorShape([None, *dims[rank + 1:]]))
        return result

    def _to_legacy_output_types(self) -> dtypes.DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape

    def _to_legacy_output_classes(self) -> RaggedTensorSpec:
        return self

    def _batch(self, batch_size: int | None) -> RaggedTensorSpec:
        return RaggedTensorSpec(
            TensorShape([batch_size]).concatenate(self._shape), self._dtype, self._ragged_rank + 1,
            self._row_splits_dtype)

    def _unbatch(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1, self._row_splits_dtype)
