"""Values made of several tensors: IndexedSlices (rows of a gradient) and SparseTensor."""
from __future__ import annotations

import warnings
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.declare.shape_rules import constant_shape
from ossia_core.graph.convert import convert, convert_to_tensor, register_tensor_conversion_function
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor, counts_as_tensor, eval_session
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.names.structures import CompositeTensor
from ossia_core.plugins.api_table import public

_LARGE_DENSE = 100_000_000
IndexedSlicesValue = namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])
public("IndexedSlicesValue")(IndexedSlicesValue)


@counts_as_tensor
@public("IndexedSlices")
class IndexedSlices(CompositeTensor):
    """Rows of a larger tensor: `values[i]` is the row `indices[i]`; repeated indices add up.

    Args:
      values: the rows, of shape [n, ...].
      indices: their positions, of shape [n].
      dense_shape: shape of the larger tensor, if known.
    """

    waits_for_op = True  # as a control input it stands for the operation of its values

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None:
        for part in (indices, dense_shape):
            if isinstance(part, Tensor) and isinstance(values, Tensor) and part.graph is not values.graph and not (
                part.graph.building_function or values.graph.building_function  # bodies take what is around them
            ):
                raise ValueError(f"{part} must be from the same graph as {values}.")
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def _type_spec(self) -> Any:
        from ossia_core.graph.type_spec import spec_of
        return spec_of(self)

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Tensor:
        """Positions of the rows."""
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """Shape of the larger tensor, or None."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """Static shape of the larger tensor, as far as it is known."""
        dims = self._dense_shape
        return constant_shape(dims) if isinstance(dims, Tensor) else TensorShape(dims)

    @property
    def name(self) -> str:
        """Name of `values`."""
        return self._values.name

    @property
    def device(self) -> str:
        """Device of `values`."""
        return self._values.device

    @property
    def op(self) -> Any:
        """Operation that makes `values`."""
        return self._values.op

    @property
    def dtype(self) -> Any:
        """Dtype of `values`."""
        return self._values.dtype

    @property
    def graph(self) -> Any:
        """Graph of the tensors."""
        return self._values.graph

    def components(self) -> tuple:
        """The tensors, without an absent `dense_shape`."""
        return (
            (self._values, self._indices)
            if self._dense_shape is None
            else (self._values, self._indices, self._dense_shape)
        )

    def with_components(self, components: Any) -> IndexedSlices:
        """The same with other tensors."""
        return IndexedSlices(*components)

    def consumers(self) -> list:
        """Operations that take one of the tensors."""
        return [*self._values.consumers(), *self._indices.consumers()]

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)


def _dense(value: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Slices as a dense tensor: the sum of the rows at each index."""
    if dtype and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype {value.dtype.name}"
        )
    if value.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {value}")
    size = value.shape.num_elements()
    if size is not None and isinstance(value.dense_shape, Tensor):
        value.graph.prevent_feeding(value.dense_shape)  # what is built relies on its value
    if size is None:
        warnings.warn(
            "Converting sparse IndexedSlices to a dense Tensor of unknown shape. This may consume a large amount of "
            "memory.",
            stacklevel=2,
        )
    elif size >= _LARGE_DENSE:
        warnings.warn(
            f"Converting sparse IndexedSlices to a dense Tensor with {size} elements. This may consume a large amount "
            "of memory.",
            stacklevel=2,
        )
    return lookup("UnsortedSegmentSum")(value.values, value.indices, value.dense_shape[0], name=name)


register_tensor_conversion_function(IndexedSlices, _dense)

SparseTensorValue = namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])
public("SparseTensorValue")(SparseTensorValue)


@counts_as_tensor
@public("SparseTensor", "sparse.SparseTensor")
class SparseTensor(CompositeTensor):
    """A tensor given by its non-default elements.

    Args:
      indices: positions, int64 of shape [n, rank].
      values: elements, of shape [n].
      dense_shape: shape of the whole, int64 of shape [rank].
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            indices = convert(indices, dtypes.int64, "indices")
            values = convert(values, None, "values")
            dense_shape = convert(dense_shape, dtypes.int64, "dense_shape")
        self._indices, self._values, self._dense_shape = indices, values, dense_shape
        indices_shape = indices.shape.with_rank(2)
        values_shape = values.shape.with_rank(1)
        shape_shape = dense_shape.shape.with_rank(1)
        indices_shape[0].merge_with(values_shape[0])
        indices_shape[1].merge_with(shape_shape[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor from a SparseTensorValue or another SparseTensor."""
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return cls(sparse_tensor_value.indices, sparse_tensor_value.values, sparse_tensor_value.dense_shape)

    @property
    def _type_spec(self) -> Any:
        from ossia_core.graph.type_spec import spec_of
        return spec_of(self)

    @property
    def indices(self) -> Tensor:
        """Positions of the elements."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """The elements."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """Shape of the whole."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """Static shape of the whole, as far as it is known."""
        from ossia_core.graph.static_value import static_shape
        return static_shape(self._dense_shape)

    def get_shape(self) -> TensorShape:
        """Static shape of the whole, as far as it is known."""
        return self.shape

    @property
    def dtype(self) -> Any:
        """Dtype of the elements."""
        return self._values.dtype

    @property
    def op(self) -> Any:
        """Operation that makes `values`."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """Graph of the tensors."""
        return self._indices.graph

    def components(self) -> tuple:
        """Indices, values and shape."""
        return self._indices, self._values, self._dense_shape

    def with_components(self, components: Any) -> SparseTensor:
        """The same with other tensors."""
        return SparseTensor(*components)

    def consumers(self) -> list:
        """Operations that take one of the tensors."""
        return list(dict.fromkeys(op for part in self.components() for op in part.consumers()))

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The SparseTensorValue in `session` or the default session."""
        indices, values, dense_shape = eval_session(session, self.graph, "evaluate tensor", "eval(session=sess)").run(
            [self.indices, self.values, self.dense_shape], feed_dict)
        return SparseTensorValue(indices, values, dense_shape)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices}, values={self._values}, dense_shape={self._dense_shape})"

    def __mul__(self, dense: Any) -> SparseTensor:
        return builder("_sparse_operators")["__mul__"](self, dense)

    def __div__(self, dense: Any) -> SparseTensor:
        return builder("_sparse_operators")["__div__"](self, dense)

    def __truediv__(self, dense: Any) -> SparseTensor:
        return builder("_sparse_operators")["__truediv__"](self, dense)

    @staticmethod
    def _override_operator(operator: str, fn: Any) -> None:
        setattr(SparseTensor, operator, fn)


def with_one_index_type(slices: Sequence[IndexedSlices]) -> list[IndexedSlices]:
    """`slices` with indices of int32 where all have that, else of int64."""
    if all(part.indices.dtype.base_dtype is dtypes.int32 for part in slices):
        return list(slices)
    cast = lookup("Cast")
    return [
        part
        if part.indices.dtype.base_dtype is dtypes.int64
        else IndexedSlices(part.values, cast(part.indices, DstT=dtypes.int64), part.dense_shape)
        for part in slices
    ]


@public("convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` itself if it is an IndexedSlices, else as a tensor."""
    if isinstance(value, IndexedSlices):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with dtype "
                f"{value.dtype.name}: {value}"
            )
        return value
    return convert_to_tensor(value, dtype, name)


@public("convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` itself if it is a SparseTensor (made from a SparseTensorValue if need be), else as a tensor."""
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError(f"Sparse dtype: requested = {dtypes.as_dtype(dtype).name}, actual = {value.dtype.name}")
        return value
    return convert_to_tensor(value, dtype, name)
