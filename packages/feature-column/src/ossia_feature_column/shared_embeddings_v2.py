"""Learnt vectors that columns of a `DenseFeatures` share: `tf.compat.v2.feature_column.shared_embeddings`."""

from __future__ import annotations

import weakref
from collections import namedtuple
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable
from ossia_feature_column.column import Dense, SequenceDense
from ossia_feature_column.either_interface import buckets_of, sparse_tensors_of, spec_of
from ossia_feature_column.embedding import restore_table
from ossia_feature_column.interface import SequenceLengthPair
from ossia_feature_column.scope_variables import ScopeVariables
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn, check_sequence, refuse_sequence
from ossia_feature_column.sequence_length import sequence_length
from ossia_feature_column.shared_embedding import shared_embedding_columns
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.nn.embedding import safe_embedding_lookup_sparse


class SharedEmbeddingColumnCreator:
    """The table that columns share, one for each graph.

    Args:
        dimension: Length of a vector.
        initializer: Of the table.
        ckpt_to_load_from, tensor_name_in_ckpt: A checkpoint that has the table, and its name there; or None.
        num_buckets: How many vectors there are.
        trainable: Whether the table is trained.
        name: Name of the table's variable.
    """

    def __init__(
        self, dimension: int, initializer: Any, ckpt_to_load_from: str | None, tensor_name_in_ckpt: str | None,
        num_buckets: int, trainable: bool, name: str = "shared_embedding_column_creator",
    ) -> None:
        self._dimension, self._initializer, self._num_buckets, self._trainable, self._name = (
            dimension, initializer, num_buckets, trainable, name
        )
        self._checkpoint = ckpt_to_load_from, tensor_name_in_ckpt
        self._tables: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()

    @property
    def name(self) -> str:
        """Name of the table's variable."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    @property
    def embedding_weights(self) -> Any:
        """The table in the default graph."""
        graph = get_default_graph()
        if graph not in self._tables:
            table = get_variable(
                self._name, shape=(self._num_buckets, self._dimension), dtype=dtypes.float32,
                initializer=self._initializer, trainable=self._trainable,
            )
            restore_table(table, *self._checkpoint)
            self._tables[graph] = table
        return self._tables[graph]


class SharedEmbeddingColumn(
    Dense,
    SequenceDense,
    namedtuple(
        "SharedEmbeddingColumn", ("categorical_column", "shared_embedding_column_creator", "combiner", "max_norm")
    ),
):
    """Vectors of a shared table; made by `shared_embeddings`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories, and what it is."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def parents(self) -> list[Any]:
        """The column of the categories."""
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the categories."""
        return spec_of(self.categorical_column)

    @property
    def variable_shape(self) -> TensorShape:
        """One vector."""
        return TensorShape([self.shared_embedding_column_creator.dimension])

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The transformed categories."""
        return transformation_cache.get(self.categorical_column, state_manager)

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The combined vectors of each example.

        Raises:
            ValueError: The categories are of a sequence, or a function that has no layer asks.
        """
        if isinstance(state_manager, ScopeVariables):
            raise ValueError("SharedEmbeddingColumns are not supported in `linear_model` or `input_layer`. Please use "
                             "`DenseFeatures` or `LinearModel` instead.")
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise refuse_sequence("embedding_column", self.name, self.categorical_column)
        return self._looked_up(transformation_cache, state_manager)

    def get_sequence_dense_tensor(
        self, transformation_cache: FeatureTransformationCache, state_manager: Any
    ) -> SequenceLengthPair:
        """The combined vectors of each step, and the lengths.

        Raises:
            ValueError: The categories are not of a sequence.
        """
        check_sequence("embedding_column", self.name, self.categorical_column)
        vectors = self._looked_up(transformation_cache, state_manager)
        ids, _ = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        return SequenceLengthPair(vectors, sequence_length(ids))

    def _get_config(self) -> dict[str, Any]:
        raise NotImplementedError  # as in the original: the table that columns share is not a part of one

    def _looked_up(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        with name_scope(None, self.name):
            ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
            table = self.shared_embedding_column_creator.embedding_weights
            return safe_embedding_lookup_sparse(
                table, ids, sparse_weights=weights, combiner=self.combiner, name=f"{self.name}_weights",
                max_norm=self.max_norm,
            )


@public("compat.v2.feature_column.shared_embeddings")
def shared_embeddings(
    categorical_columns: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[SharedEmbeddingColumn]:
    """Dense columns of learnt vectors, of one table for all of them, for layers.

    Args:
        categorical_columns, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
            trainable: As for `shared_embedding_columns`.
        shared_embedding_collection_name: Name of the table's variable; of the columns' names by default.

    Raises:
        ValueError: As there.
    """
    columns = shared_embedding_columns(
        categorical_columns, dimension, combiner, initializer, shared_embedding_collection_name, ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable,
    )
    like = columns[0]
    creator = SharedEmbeddingColumnCreator(
        dimension, like.initializer, ckpt_to_load_from, tensor_name_in_ckpt, buckets_of(like.categorical_column),
        trainable, like.shared_embedding_collection_name,
    )
    return [SharedEmbeddingColumn(column, creator, combiner, max_norm) for column in categorical_columns]
