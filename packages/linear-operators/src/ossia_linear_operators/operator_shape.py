"""What the shape of a linear operator tells: its batch, its rank, its rows and columns, known or as tensors."""
from __future__ import annotations

import abc
from contextlib import AbstractContextManager

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_linear_operators.batches import sizes
from ossia_ops.array.shape import size


class OperatorShape(abc.ABC):
    """An object with a name and the shape of a batch of matrices."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name, which scopes of what is built begin with."""

    def _scope(self, name: str | None) -> AbstractContextManager[str]:
        return name_scope(self.name if name is None else f"{self.name}/{name}")

    @abc.abstractmethod
    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    @abc.abstractmethod
    def _shape_tensor(self) -> Tensor:
        raise NotImplementedError("_shape_tensor is not implemented.")

    @property
    def shape(self) -> TensorShape:
        """The static shape, [..., rows, columns]."""
        return self._shape()

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """The shape, [..., rows, columns], as an int32 tensor."""
        with self._scope(name):
            return sizes(self.shape.as_list()) if self.shape.is_fully_defined() else self._shape_tensor()

    @property
    def batch_shape(self) -> TensorShape:
        """The static shape of the batch: `shape` without its last two dimensions."""
        return self.shape[:-2]

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The shape of the batch as an int32 tensor."""
        with self._scope(name):
            if self.batch_shape.is_fully_defined():
                return sizes(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """The number of dimensions of the batch and the matrix together, None if that is not known."""
        return self.shape.ndims

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """The number of dimensions of the batch and the matrix together, as an int32 tensor."""
        with self._scope(name):
            return size(self.shape_tensor()) if self.tensor_rank is None else convert_to_tensor(self.tensor_rank)

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns."""
        return Dimension(None) if self.shape.ndims is None else self.shape[-1]

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """The number of columns as an int32 tensor."""
        with self._scope(name):
            known = self.domain_dimension.value
            return self.shape_tensor()[-1] if known is None else convert_to_tensor(known)

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows."""
        return Dimension(None) if self.shape.ndims is None else self.shape[-2]

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """The number of rows as an int32 tensor."""
        with self._scope(name):
            known = self.range_dimension.value
            return self.shape_tensor()[-2] if known is None else convert_to_tensor(known)
