"""What all feature columns of old have in common."""

from __future__ import annotations

import collections
from typing import Any

DeepArguments = collections.namedtuple(
    "DeepArguments",
    "input_tensor weight_tensor vocab_size initializer combiner dimension shared_embedding_name hash_key max_norm "
    "trainable",
)
"""What an embedding in a network is looked up by."""

WideArguments = collections.namedtuple(
    "WideArguments", "input_tensor weight_tensor vocab_size initializer combiner"
)
"""What the weights of a linear model are looked up by."""


class FeatureColumn:
    """How a model takes a feature; columns are compared by value."""

    name: str

    @property
    def config(self) -> dict[str, Any]:
        """How the raw features are parsed."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """A text that differs from that of every other column; models sort by it."""
        return repr(self)

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Puts what the column makes of the raw features into the dict, under itself."""
        raise NotImplementedError

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True, output_rank: int = 2
    ) -> Any:
        raise ValueError(f"Calling an abstract method. column: {self}")

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        raise ValueError(f"Column {self} is not supported in linear models. Please use sparse_column.")


def transformed(column: FeatureColumn, columns_to_tensors: dict[Any, Any]) -> Any:
    """What a column makes of the raw features, made once."""
    if column not in columns_to_tensors:
        column.insert_transformed_feature(columns_to_tensors)
    return columns_to_tensors[column]
