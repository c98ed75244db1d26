"""Categories as vectors that are learnt: `embedding_column`."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import PartitionedVariable
from ossia_feature_column.column import Dense, SequenceDense
from ossia_feature_column.either_interface import buckets_of, sparse_tensors_of, spec_of
from ossia_feature_column.interface import SequenceLengthPair
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn, check_sequence, refuse_sequence
from ossia_feature_column.sequence_length import sequence_length
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_nn.initializers import TruncatedNormal
from ossia_ops.nn.embedding import safe_embedding_lookup_sparse


class EmbeddingColumn(
    Dense,
    SequenceDense,
    namedtuple(
        "EmbeddingColumn",
        ("categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt",
         "max_norm", "trainable"),
    ),
):
    """Learnt vectors; made by `embedding_column`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories, and what it is."""
        return f"{self.categorical_column.name}_embedding"

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
        return TensorShape([self.dimension])

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The transformed categories."""
        return transformation_cache.get(self.categorical_column, state_manager)

    def create_state(self, state_manager: Any) -> None:
        """Makes the table of vectors, a row for each id."""
        state_manager.create_variable(
            self, name="embedding_weights", shape=(buckets_of(self.categorical_column), self.dimension),
            dtype=dtypes.float32, trainable=self.trainable, use_resource=True, initializer=self.initializer,
        )

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The combined vectors of each example.

        Raises:
            ValueError: The categories are of a sequence.
        """
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise refuse_sequence("embedding_column", self.name, self.categorical_column)
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        return self.looked_up(ids, weights, state_manager)

    def get_sequence_dense_tensor(
        self, transformation_cache: FeatureTransformationCache, state_manager: Any
    ) -> SequenceLengthPair:
        """The combined vectors of each step, and the lengths.

        Raises:
            ValueError: The categories are not of a sequence.
        """
        check_sequence("embedding_column", self.name, self.categorical_column)
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        return SequenceLengthPair(self.looked_up(ids, weights, state_manager), sequence_length(ids))

    def looked_up(self, ids: Any, weights: Any, state_manager: Any) -> Tensor:
        """The combined vectors of ids."""
        table = state_manager.get_variable(self, name="embedding_weights")
        restore_table(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
        return safe_embedding_lookup_sparse(
            table, ids, sparse_weights=weights, combiner=self.combiner, name=f"{self.name}_weights",
            max_norm=self.max_norm,
        )


def restore_table(table: Any, checkpoint: str | None, tensor_name: str | None) -> None:
    """Lets the table start with a tensor of a checkpoint, if one is named."""
    if checkpoint is None:
        return
    from ossia_checkpoint.initializers import init_from_checkpoint

    parts = list(table) if isinstance(table, PartitionedVariable) else table
    init_from_checkpoint(checkpoint, {str(tensor_name): parts})


def check_embedding(
    dimension: int | None, ckpt_to_load_from: str | None, tensor_name_in_ckpt: str | None, initializer: Any,
    of: str = "",
) -> Callable:
    """The initializer of a table of vectors: the one given, or normal numbers, smaller for longer vectors.

    Raises:
        ValueError: The dimension is not positive, the checkpoint or its tensor is missing, or no initializer is given.
    """
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified.{of}")
    return initializer if initializer is not None else TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))


@public("feature_column.embedding_column", "compat.v2.feature_column.embedding_column")
def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None, max_norm: float | None = None,
    trainable: bool = True,
) -> EmbeddingColumn:
    """A dense column of vectors that are learnt, one for each category.

    Args:
        categorical_column: The column of the categories.
        dimension: Length of a vector.
        combiner: How an example's vectors are combined: "mean", "sqrtn" or "sum".
        initializer: Of the table of vectors; truncated normal numbers of deviation 1 / sqrt(dimension) by default.
        ckpt_to_load_from: Path of a checkpoint that has the table.
        tensor_name_in_ckpt: Its name there.
        max_norm: Vectors of a larger L2 norm are scaled down to it.
        trainable: Whether the table is trained.

    Raises:
        ValueError: The dimension is not positive, the checkpoint or its tensor is missing, or no initializer is given.
    """
    of = f" Embedding of column_name: {categorical_column.name}"
    initializer = check_embedding(dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer, of)
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer, ckpt_to_load_from,
                           tensor_name_in_ckpt, max_norm, trainable)
