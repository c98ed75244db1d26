"""What columns are to layers: the base classes, and what columns refuse alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import namedtuple
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape

IdWeightPair = namedtuple("IdWeightPair", ("id_tensor", "weight_tensor"))
SequenceLengthPair = namedtuple("SequenceLengthPair", ("dense_tensor", "sequence_length"))


class FeatureColumn(ABC):
    """What turns raw features into something that a model takes."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The column's name, unique within a model."""

    @property
    @abstractmethod
    def parents(self) -> list[Any]:
        """The columns, and keys of features, that the column is made from."""

    @property
    @abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """What to parse from an `Example`: a feature for each key."""

    @abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The transformed feature, a tensor or SparseTensor; ask the cache for it, which calls this once.

        Args:
            transformation_cache: Has raw features and transformed columns.
            state_manager: Has the variables.
        """

    def create_state(self, state_manager: Any) -> None:
        """Makes the column's variables, if it has some."""
        return None

    @property
    @abstractmethod
    def _is_v2_column(self) -> bool:
        """Whether the column, and all that it is made from, has this interface."""

    @abstractmethod
    def _get_config(self) -> dict[str, Any]:
        """What describes the column, in plain values; `_from_config` makes a column of it."""

    @classmethod
    def _from_config(
        cls, config: dict[str, Any], custom_objects: dict | None = None, columns_by_name: dict | None = None
    ) -> Any:
        """The column that a configuration describes.

        Args:
            config: What `_get_config` returned.
            custom_objects: Functions and classes by the names that configurations have for them.
            columns_by_name: Columns that were made before; one of them takes the place of an equal new one.

        Raises:
            NotImplementedError: The column cannot be made so.
        """
        raise NotImplementedError


class DenseColumn(FeatureColumn):
    """A column that gives a dense tensor."""

    __slots__ = ()

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """Shape of the values of one example."""

    @abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The values, of shape [batch] + `variable_shape`."""


class SequenceDenseColumn(FeatureColumn):
    """A column that gives a dense tensor of sequences."""

    __slots__ = ()
    TensorSequenceLengthPair = SequenceLengthPair

    @abstractmethod
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        """The values, of shape [batch, steps] + the column's shape, and the length of each sequence."""


class CategoricalColumn(FeatureColumn):
    """A column that gives ids."""

    __slots__ = ()
    IdWeightPair = IdWeightPair

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of each example, a SparseTensor, and their weights or None."""


def check_key(key: Any) -> None:
    """Refuses a key of a feature that is no string.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_column_dtype(column_name: str, dtype: Any, what: str = "") -> None:
    """Refuses a dtype that categories cannot have.

    Raises:
        ValueError: It is neither string nor an integer.
    """
    if dtype.base_dtype.name != "string" and not dtype.is_integer:
        raise ValueError(f"column_name: {column_name}{what} dtype must be string or integer. dtype: {dtype}.")


def check_input_dtype(key: str, column_dtype: Any, tensor: Any) -> None:
    """Refuses a feature whose dtype is not that of its column: both strings, or both integers.

    Raises:
        ValueError: They differ.
    """
    if column_dtype.is_integer != tensor.dtype.is_integer:
        raise ValueError(f"Column dtype and SparseTensors dtype must be compatible. key: {key}, column dtype: "
                         f"{column_dtype}, tensor dtype: {tensor.dtype}")
    check_column_dtype(key, tensor.dtype, " input_tensor")
