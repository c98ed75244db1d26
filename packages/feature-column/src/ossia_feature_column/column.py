"""Columns with both interfaces, as all columns of this package are: they are written once, for layers."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_feature_column.configuration import column_of_config, config_of_column
from ossia_feature_column.interface import (
    CategoricalColumn,
    DenseColumn,
    FeatureColumn,
    IdWeightPair,
    SequenceDenseColumn,
    SequenceLengthPair,
)
from ossia_feature_column.older_interface import (
    _CategoricalColumn,
    _DenseColumn,
    _FeatureColumn,
    _LazyBuilder,
    _SequenceDenseColumn,
)
from ossia_feature_column.scope_variables import ScopeVariables


class BuilderCache:
    """The features of a `_LazyBuilder` for columns that are written for layers."""

    def __init__(self, builder: _LazyBuilder) -> None:
        self.builder = builder

    def get(self, key: Any, state_manager: Any) -> Any:
        """The feature of a key or column, as the builder has it."""
        return self.builder.get(key)


def as_for_layers(inputs: Any, weight_collections: Any, trainable: bool | None) -> tuple[BuilderCache, ScopeVariables]:
    """The arguments of the underscored methods as those of the methods for layers."""
    return BuilderCache(inputs), ScopeVariables(weight_collections, trainable is not False, inputs)


class Column(FeatureColumn, _FeatureColumn):
    """A named tuple that is a column for layers, and so one for `input_layer` and `linear_model`."""

    __slots__ = ()

    @property
    def _is_v2_column(self) -> bool:
        return all(isinstance(parent, str) or getattr(parent, "_is_v2_column", False) for parent in self.parents)

    def _get_config(self) -> dict[str, Any]:
        return config_of_column(self)

    @classmethod
    def _from_config(
        cls, config: dict[str, Any], custom_objects: dict | None = None, columns_by_name: dict | None = None
    ) -> Any:
        return column_of_config(cls, config, custom_objects, columns_by_name)


    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.parse_example_spec

    def _transform_feature(self, inputs: _LazyBuilder) -> Any:
        return self.transform_feature(*as_for_layers(inputs, None, None))


class KeyedColumn:
    """A column of one raw feature: its `key` is the column's name.

    It stands first among the base classes, as it says what the others leave open.
    """

    __slots__ = ()
    key: str

    @property
    def name(self) -> str:
        """The key."""
        return self.key

    @property
    def parents(self) -> list[Any]:
        """The key of the feature."""
        return [self.key]


class Dense(Column, DenseColumn, _DenseColumn):
    """A dense column with both interfaces."""

    __slots__ = ()

    @property
    def _variable_shape(self) -> Any:
        return self.variable_shape

    def _get_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> Tensor:
        return self.get_dense_tensor(*as_for_layers(inputs, weight_collections, trainable))


class SequenceDense(Column, SequenceDenseColumn, _SequenceDenseColumn):
    """A dense column of sequences with both interfaces."""

    __slots__ = ()
    variable_shape: Any

    @property
    def _variable_shape(self) -> Any:
        return self.variable_shape

    def _get_sequence_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> SequenceLengthPair:
        return self.get_sequence_dense_tensor(*as_for_layers(inputs, weight_collections, trainable))


class Categorical(Column, CategoricalColumn, _CategoricalColumn):
    """A categorical column with both interfaces."""

    __slots__ = ()

    @property
    def _num_buckets(self) -> int:
        return self.num_buckets

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdWeightPair:
        """The ids of each example, a SparseTensor, and None: they have no weights."""
        return IdWeightPair(transformation_cache.get(self, state_manager), None)

    def _get_sparse_tensors(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> IdWeightPair:
        return self.get_sparse_tensors(*as_for_layers(inputs, weight_collections, trainable))
