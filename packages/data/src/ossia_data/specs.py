"""What is known of the parts of elements, as the names of `tf.data.experimental` say it."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.type_spec import SparseTensorSpec, TensorSpec, TypeSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.control.tensor_array import TensorArraySpec


@public("data.DatasetSpec", "data.experimental.DatasetStructure", "compat.v2.data.DatasetSpec")
class DatasetSpec(TypeSpec):
    """What is known of a dataset: the specs of its elements.

    Args:
        element_spec: The specs of the elements.
        dataset_shape: The shape of the tensor of datasets.
    """

    __slots__ = ("_dataset_shape", "_element_spec")

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec, self._dataset_shape = element_spec, TensorShape(dataset_shape)

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """The spec of a dataset."""
        return DatasetSpec(value.element_spec)

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._element_spec

    @property
    def value_type(self) -> type:
        """`tf.data.Dataset`."""
        from ossia_data.dataset import Dataset
        return Dataset

    def _serialize(self) -> tuple:
        return self._element_spec, self._dataset_shape

    @property
    def _component_specs(self) -> TensorSpec:
        return TensorSpec(self._dataset_shape, dtypes.variant)

    def _to_components(self, value: Any) -> Any:
        return value._variant_tensor

    def _from_components(self, components: Any) -> Any:
        from ossia_data.dataset import Dataset
        return Dataset(components, self._element_spec)

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self


@public("data.experimental.TensorStructure")
def TensorStructure(dtype: Any, shape: Any) -> TensorSpec:
    """See `tf.TensorSpec`."""
    return TensorSpec(shape, dtype)


@public("data.experimental.SparseTensorStructure")
def SparseTensorStructure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """See `tf.SparseTensorSpec`."""
    return SparseTensorSpec(shape, dtype)


@public("data.experimental.RaggedTensorStructure")
def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> Any:
    """See `tf.RaggedTensorSpec`."""
    return builder("RaggedTensorSpec")(shape, dtype, ragged_rank)


@public("data.experimental.TensorArrayStructure")
def TensorArrayStructure(dtype: Any, element_shape: Any, dynamic_size: bool, infer_shape: bool) -> TensorArraySpec:
    """See `tf.TensorArraySpec`."""
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)
