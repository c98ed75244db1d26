"""Learnt vectors that several columns of categories share: `shared_embedding_columns`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import as_for_layers
from ossia_feature_column.either_interface import buckets_of, sparse_tensors_of, spec_of
from ossia_feature_column.embedding import check_embedding, restore_table
from ossia_feature_column.interface import SequenceLengthPair
from ossia_feature_column.older_interface import _DenseColumn, _LazyBuilder, _SequenceDenseColumn
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn, check_sequence, refuse_sequence
from ossia_feature_column.sequence_length import sequence_length
from ossia_feature_column.weighted import WeightedCategoricalColumn
from ossia_ops.nn.embedding import safe_embedding_lookup_sparse


class _SharedEmbeddingColumn(
    _DenseColumn,
    _SequenceDenseColumn,
    namedtuple(
        "SharedEmbeddingColumn",
        ("categorical_column", "dimension", "combiner", "initializer", "shared_embedding_collection_name",
         "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable"),
    ),
):
    """Vectors of a table that is found in a collection; made by `shared_embedding_columns`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories, and what it is."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def _var_scope_name(self) -> str:
        return self.shared_embedding_collection_name

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return spec_of(self.categorical_column)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _transform_feature(self, inputs: _LazyBuilder) -> Any:
        return inputs.get(self.categorical_column)

    def _get_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> Tensor:
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise refuse_sequence("shared_embedding_column", self.name, self.categorical_column)
        return self._looked_up(inputs, weight_collections, trainable)

    def _get_sequence_dense_tensor(
        self, inputs: _LazyBuilder, weight_collections: Any = None, trainable: bool | None = None
    ) -> SequenceLengthPair:
        check_sequence("shared_embedding_column", self.name, self.categorical_column)
        vectors = self._looked_up(inputs, weight_collections, trainable)
        ids, _ = sparse_tensors_of(self.categorical_column, *as_for_layers(inputs, None, None))
        return SequenceLengthPair(vectors, sequence_length(ids))

    def _looked_up(self, inputs: _LazyBuilder, collections: Any, trainable: bool | None) -> Tensor:
        with name_scope(None, self.name):
            cache, variables = as_for_layers(inputs, collections, trainable)
            ids, weights = sparse_tensors_of(self.categorical_column, cache, variables)
            shape = (buckets_of(self.categorical_column), self.dimension)
            table = variables.get_shared_variable(self, "embedding_weights", shape)
            restore_table(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
            return safe_embedding_lookup_sparse(
                table, ids, sparse_weights=weights, combiner=self.combiner, name=f"{self.name}_weights",
                max_norm=self.max_norm,
            )


@public("feature_column.shared_embedding_columns")
def shared_embedding_columns(
    categorical_columns: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[_SharedEmbeddingColumn]:
    """Dense columns of learnt vectors, of one table for all of them.

    Args:
        categorical_columns: Columns of categories, of one type and with equally many ids.
        shared_embedding_collection_name: Name of the table's scope and collection; of the columns' names by default.
        dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: As for
            `embedding_column`.

    Raises:
        ValueError: The columns differ, or what `embedding_column` refuses.
    """
    initializer = check_embedding(dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer)
    ordered = sorted(categorical_columns, key=lambda column: column.name)
    _check_alike(ordered)
    name = shared_embedding_collection_name
    if not name:
        name = "_".join(column.name for column in ordered) + "_shared_embedding"
    return [
        _SharedEmbeddingColumn(column, dimension, combiner, initializer, name, ckpt_to_load_from, tensor_name_in_ckpt,
                              max_norm, trainable)
        for column in categorical_columns
    ]


def _inner(column: Any) -> Any:
    return column.categorical_column if isinstance(column, WeightedCategoricalColumn) else column


def _check_alike(columns: list[Any]) -> None:
    first = columns[0]
    for column in columns[1:]:
        if buckets_of(first) != buckets_of(column):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same number of "
                             f"buckets. Given column: {first} with buckets: {buckets_of(first)} does  not match "
                             f"column: {column} with buckets: {buckets_of(column)}")
        if not isinstance(_inner(column), type(_inner(first))):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same type, or be "
                             f"weighted_categorical_column of the same type. Given column: {first} of type: "
                             f"{type(first)} does not match given column: {column} of type: {type(column)}")
