"""What columns are to `input_layer` and `linear_model`: the underscored interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_feature_column.given_columns import listed_columns
from ossia_feature_column.interface import IdWeightPair, SequenceLengthPair
from ossia_feature_column.raw_features import RawFeatures


class _FeatureColumn(ABC):
    """What turns raw features into something that a model takes."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The column's name, unique within a model."""

    @property
    def _var_scope_name(self) -> str:
        """The name of the variable scope of what the column makes."""
        return self.name

    @property
    @abstractmethod
    def _parse_example_spec(self) -> dict[str, Any]:
        """What to parse from an `Example`: a feature for each key."""

    @abstractmethod
    def _transform_feature(self, inputs: _LazyBuilder) -> Any:
        """The transformed feature, a tensor or SparseTensor; ask `inputs` for it, which calls this once."""

    def _reset_config(self) -> None:
        """Called before a model is made of the column: forgets what was made for another one."""
        return None


class _DenseColumn(_FeatureColumn):
    """A column that gives a dense tensor."""

    __slots__ = ()

    @property
    @abstractmethod
    def _variable_shape(self) -> TensorShape:
        """Shape of the values of one example."""

    @abstractmethod
    def _get_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> Tensor:
        """The values, of shape [batch] + `_variable_shape`.

        Args:
            inputs: Has raw features and transformed columns.
            weight_collections: Names of the collections of variables.
            trainable: Whether variables are trained.
        """


class _SequenceDenseColumn(_FeatureColumn):
    """A column that gives a dense tensor of sequences."""

    __slots__ = ()
    TensorSequenceLengthPair = SequenceLengthPair

    @abstractmethod
    def _get_sequence_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> Any:
        """The values, of shape [batch, steps] + the column's shape, and the length of each sequence."""


class _CategoricalColumn(_FeatureColumn):
    """A column that gives ids."""

    __slots__ = ()
    IdWeightPair = IdWeightPair

    @property
    @abstractmethod
    def _num_buckets(self) -> int:
        """How many ids there are."""

    @abstractmethod
    def _get_sparse_tensors(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> Any:
        """The ids of each example, a SparseTensor, and their weights or None."""


class _LazyBuilder(RawFeatures):
    """Raw features, and what columns with the underscored interface have made of them; each column transforms once.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
    """

    def __init__(self, features: dict[Any, Any]) -> None:
        super().__init__(features)
        self.tables: list[Any] = []  # the variables that columns asked for, in order

    def get(self, key: Any) -> Any:
        """The raw feature of a key, at least a matrix, or the transformed feature of a column.

        Raises:
            ValueError: There is no such feature, it is a scalar, or the column makes None.
            TypeError: `key` is neither a string nor a column.
        """
        if key not in self._tensors:
            self._tensors[key] = self._made(key, _FeatureColumn, lambda column: column._transform_feature(self))
        return self._tensors[key]


def _transform_features(features: dict[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of features.

    Raises:
        ValueError: Something is no column, or a feature is missing.
    """
    columns = listed_columns(feature_columns, _FeatureColumn)
    made = {}
    with name_scope(None, "transform_features", features.values()):
        builder = _LazyBuilder(features)
        for column in columns:
            with name_scope(None, column.name):
                made[column] = builder.get(column)
    return made
