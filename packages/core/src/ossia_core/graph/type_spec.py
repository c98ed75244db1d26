"""Type specifications: what is known of a value before there is one."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public


@public("TypeSpec", "data.experimental.Structure")
class TypeSpec(ABC):
    """What is known of a kind of value, such as the dtypes and shapes of its tensors. Equal by content."""

    __slots__ = ()

    @property
    @abstractmethod
    def value_type(self) -> type:
        """The class of the values."""

    @abstractmethod
    def _serialize(self) -> tuple:
        """All that makes the spec, as a tuple of simple values."""

    @property
    @abstractmethod
    def _component_specs(self) -> Any:
        """The specs of the tensors that a value consists of."""

    @abstractmethod
    def _to_components(self, value: Any) -> Any:
        """The tensors that `value` consists of."""

    @abstractmethod
    def _from_components(self, components: Any) -> Any:
        """The value that consists of the tensors given."""

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or what another spec allows, may be what this one describes."""
        if not isinstance(spec_or_value, TypeSpec):
            try:
                spec_or_value = spec_of(spec_or_value)
            except TypeError:
                return False
        if type(self) is not type(spec_or_value):
            return False
        return _compatible(self._serialize(), spec_or_value._serialize())

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        """The narrowest spec that allows what this and `other` allow.

        Raises:
          ValueError: there is none.
        """
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return type(self)(*_merged(self._serialize(), other._serialize()))

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        """The specs of the tensors in `_to_tensor_list`."""
        return nest.flatten(self._component_specs)

    def _to_tensor_list(self, value: Any) -> list[Tensor]:
        """The tensors in which `value` travels through queues, functions and the like."""
        return nest.flatten(self._to_components(value))

    def _from_tensor_list(self, tensor_list: Any) -> Any:
        """The value that travelled in these tensors.

        Raises:
          ValueError: they are not what `_flat_tensor_specs` says.
        """
        specs, tensors = self._flat_tensor_specs, list(tensor_list)
        if len(specs) != len(tensors):
            raise ValueError("Incompatible input: wrong number of tensors")
        for i, (spec, tensor) in enumerate(zip(specs, tensors)):
            if not spec.is_compatible_with(tensor):
                raise ValueError(f"Incompatible input: tensor {i} ({tensor}) is incompatible with {spec}")
        return self._from_compatible_tensor_list(tensors)

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        return self._from_components(nest.pack_sequence_as(self._component_specs, tensor_list))

    def _to_legacy_output_types(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_types()")

    def _to_legacy_output_shapes(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_shapes()")

    def _to_legacy_output_classes(self) -> Any:
        return self.value_type

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _comparable(self._serialize()) == _comparable(
            other._serialize()  # type: ignore[attr-defined]
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), _comparable(self._serialize())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"

    def __reduce__(self) -> tuple:
        return type(self), self._serialize()


class BatchableTypeSpec(TypeSpec):
    """A spec of values that can be put together as a batch, and taken apart again."""

    __slots__ = ()

    @abstractmethod
    def _batch(self, batch_size: int | None) -> TypeSpec:
        """The spec of a batch of so many values."""

    @abstractmethod
    def _unbatch(self) -> TypeSpec:
        """The spec of the values in a batch that this one describes."""

    def _to_batched_tensor_list(self, value: Any) -> list[Tensor]:
        """The tensors in which a batch travels: along their first dimension, one value after the other."""
        return self._to_tensor_list(value)


def _without_outer(shape: TensorShape) -> TensorShape:
    if shape.ndims == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return shape[1:]


def _comparable(value: Any) -> Any:
    if isinstance(value, TensorShape):
        dims = value.as_tuple()
        return "shape", dims
    if isinstance(value, (list, tuple)):
        return tuple(_comparable(item) for item in value)
    if isinstance(value, dict):
        return "dict", tuple((key, _comparable(value[key])) for key in sorted(value))
    return value


def _compatible(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(_compatible(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return sorted(a) == sorted(b) and all(_compatible(a[key], b[key]) for key in a)
    if isinstance(a, (TensorShape, TypeSpec)):
        return a.is_compatible_with(b)
    return bool(a == b)


def _merged(a: Any, b: Any) -> Any:
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and len(a) == len(b):
        return type(a)(_merged(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict) and sorted(a) == sorted(b):
        return type(a)((key, _merged(a[key], b[key])) for key in a)
    if isinstance(a, TypeSpec) and isinstance(b, TypeSpec):
        return a.most_specific_compatible_type(b)
    if isinstance(a, TensorShape) and isinstance(b, TensorShape):
        return common_shape(a, b)
    if type(a) is type(b) and a == b:
        return a
    raise ValueError(f"Types are not compatible: {a!r} vs {b!r}")


def common_shape(a: TensorShape, b: TensorShape) -> TensorShape:
    """The narrowest shape that allows both."""
    left, right = a.as_tuple(), b.as_tuple()
    if left is None or right is None or len(left) != len(right):
        return TensorShape(None)
    return TensorShape([x if x == y else None for x, y in zip(left, right, strict=True)])


@public("TensorSpec")
class TensorSpec(BatchableTypeSpec):
    """Shape and dtype of a tensor.

    Args:
      shape: the shape, as far as it is known.
      dtype: the dtype.
      name: a name for the tensor.
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape, self._dtype, self._name = TensorShape(shape), dtypes.as_dtype(dtype), name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A spec with shape and dtype of another, and its name if `name` is None."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor, with the name of its operation if `name` is None."""
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name."""
        return self._name

    @property
    def value_type(self) -> type:
        """`tf.Tensor`."""
        return Tensor

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor (or another spec) has this dtype and a shape that may be this one."""
        if not isinstance(spec_or_tensor, (TensorSpec, Tensor)):
            return False
        same_dtype = self._dtype.is_compatible_with(spec_or_tensor.dtype)
        return same_dtype and self._shape.is_compatible_with(spec_or_tensor.shape)

    def most_specific_compatible_type(self, other: TypeSpec) -> TensorSpec:
        """The narrowest spec that allows both; ValueError if the dtypes differ."""
        if not isinstance(other, TensorSpec) or self._dtype != other._dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        return TensorSpec(common_shape(self._shape, other._shape), self._dtype)

    def _serialize(self) -> tuple:
        return self._shape, self._dtype, self._name

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Tensor:
        return convert_to_tensor(value, self._dtype)

    def _from_components(self, components: Any) -> Any:
        return components

    def _to_legacy_output_types(self) -> dtypes.DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TensorSpec:
        return TensorSpec(_without_outer(self._shape), self._dtype)

    def _to_batched_tensor_list(self, value: Any) -> list[Tensor]:
        tensor = self._to_components(value)
        if tensor.shape.ndims == 0:
            raise ValueError(f"Value {tensor} has insufficient rank for batching.")
        return [tensor]

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


@public("SparseTensorSpec")
class SparseTensorSpec(BatchableTypeSpec):
    """Dense shape and dtype of a sparse tensor."""

    __slots__ = ("_dtype", "_shape")

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor or SparseTensorValue.

        Raises:
          TypeError: `value` is neither.
        """
        if isinstance(value, SparseTensor):
            return cls(value.get_shape(), value.dtype)
        if isinstance(value, SparseTensorValue):
            return cls(value.dense_shape, np.asarray(value.values).dtype)
        raise TypeError("Expected SparseTensor or SparseTensorValue")

    @property
    def shape(self) -> TensorShape:
        """The dense shape."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def value_type(self) -> type:
        """`tf.SparseTensor`."""
        return SparseTensor

    def _serialize(self) -> tuple:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        return [
            TensorSpec([None, rank], dtypes.int64), TensorSpec([None], self._dtype), TensorSpec([rank], dtypes.int64)
        ]

    def _to_components(self, value: Any) -> list:
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Any) -> Any:
        if all(isinstance(part, np.ndarray) for part in components):
            return SparseTensorValue(*components)
        return SparseTensor(*components)

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [TensorSpec(None, dtypes.variant)]

    def _to_tensor_list(self, value: Any) -> list[Tensor]:
        return [lookup("SerializeSparse")(*self._to_components(value), out_type=dtypes.variant)]

    def _to_batched_tensor_list(self, value: Any) -> list[Tensor]:
        return [lookup("SerializeManySparse")(*self._to_components(value), out_type=dtypes.variant)]

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> SparseTensor:
        parts = lookup("DeserializeSparse")(tensor_list[0], dtype=self._dtype)
        for part, spec in zip(parts, self._component_specs, strict=True):
            part.set_shape(spec.shape)
        return SparseTensor(*parts)

    def _to_legacy_output_types(self) -> dtypes.DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(_without_outer(self._shape), self._dtype)


@public("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """Shape and dtypes of IndexedSlices."""

    __slots__ = ("_dense_shape_dtype", "_indices_dtype", "_indices_shape", "_shape", "_values_dtype")

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None, indices_shape: Any = None,
    ) -> None:
        self._shape, self._values_dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type:
        """`tf.IndexedSlices`."""
        return IndexedSlices

    def _serialize(self) -> tuple:
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    @property
    def _component_specs(self) -> tuple:
        dims = self._shape.as_tuple()
        rest = TensorShape(None) if dims is None else TensorShape(list(dims[1:]))
        parts = [
            TensorSpec(self._indices_shape.concatenate(rest), self._values_dtype),
            TensorSpec(self._indices_shape, self._indices_dtype),
        ]
        if self._dense_shape_dtype is not None:
            parts.append(TensorSpec([self._shape.ndims], self._dense_shape_dtype))
        return tuple(parts)

    def _to_components(self, value: Any) -> tuple:
        return (value.values, value.indices) + (() if value.dense_shape is None else (value.dense_shape,))

    def _from_components(self, components: Any) -> IndexedSlices | IndexedSlicesValue:
        if all(isinstance(part, np.ndarray) for part in components):
            values, indices, *shape = components
            return IndexedSlicesValue(values, indices, shape[0] if shape else None)
        return IndexedSlices(*components)


_converters: list[tuple[type, Callable[[Any], TypeSpec], bool]] = []


def register_converter(kind: type, converter: Callable[[Any], TypeSpec], allow_subclass: bool = False) -> None:
    """Say which function gives the spec of a value of a class; with `allow_subclass`, of its subclasses too."""
    _converters.append((kind, converter, allow_subclass))


def spec_of(value: Any) -> TypeSpec:
    """The spec of a value.

    Raises:
      TypeError: nothing describes values of this type.
    """
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        return SparseTensorSpec.from_value(value)
    if isinstance(value, IndexedSlices):
        shape = value.dense_shape
        return IndexedSlicesSpec(
            TensorShape(None) if shape is None else value.shape, value.dtype, value.indices.dtype,
            None if shape is None else shape.dtype, value.indices.shape,
        )
    spec = getattr(value, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return spec
    try:
        return spec_of(convert_to_tensor(value))
    except (TypeError, ValueError):
        pass
    for kind, converter, allow_subclass in reversed(_converters):
        if type(value) is kind or (allow_subclass and isinstance(value, kind)):
            return converter(value)
    raise TypeError(f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}")
