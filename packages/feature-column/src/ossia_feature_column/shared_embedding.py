"""Learnt vectors that several columns of categories share: `shared_embedding_columns`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.embedding import check_embedding, restore_table
from ossia_feature_column.interface import DenseColumn, FeatureTransformationCache
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn, refuse_sequence
from ossia_feature_column.weighted import WeightedCategoricalColumn
from ossia_ops.nn.embedding import safe_embedding_lookup_sparse


class SharedEmbeddingColumn(
    DenseColumn,
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
    def scope_name(self) -> str:
        """The name that the columns share."""
        return self.shared_embedding_collection_name

    @property
    def parents(self) -> list[Any]:
        """The column of the categories."""
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the categories."""
        return self.categorical_column.parse_example_spec

    @property
    def variable_shape(self) -> TensorShape:
        """One vector."""
        return TensorShape([self.dimension])

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The transformed categories."""
        return transformation_cache.get(self.categorical_column, state_manager)

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The combined vectors of each example.

        Raises:
            ValueError: The categories are of a sequence, or the collection has something else.
        """
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise refuse_sequence("shared_embedding_column", self.name, self.categorical_column)
        with name_scope(None, self.name):
            ids, weights = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
            shape = (self.categorical_column.num_buckets, self.dimension)
            table = state_manager.get_shared_variable(self, "embedding_weights", shape)
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
) -> list[SharedEmbeddingColumn]:
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
        SharedEmbeddingColumn(column, dimension, combiner, initializer, name, ckpt_to_load_from, tensor_name_in_ckpt,
                              max_norm, trainable)
        for column in categorical_columns
    ]


def _inner(column: Any) -> Any:
    return column.categorical_column if isinstance(column, WeightedCategoricalColumn) else column


def _check_alike(columns: list[Any]) -> None:
    first = columns[0]
    for column in columns[1:]:
        if first.num_buckets != column.num_buckets:
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same number of "
                             f"buckets. Given column: {first} with buckets: {first.num_buckets} does  not match "
                             f"column: {column} with buckets: {column.num_buckets}")
        if not isinstance(_inner(column), type(_inner(first))):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same type, or be "
                             f"weighted_categorical_column of the same type. Given column: {first} of type: "
                             f"{type(first)} does not match given column: {column} of type: {type(column)}")
