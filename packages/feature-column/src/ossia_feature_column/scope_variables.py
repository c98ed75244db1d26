"""Variables of columns in the variable scope that is open: what `input_layer` and `linear_model` use."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection
from ossia_core.names import dtypes
from ossia_core.variables.scope import get_variable
from ossia_feature_column.either_interface import buckets_of


class ScopeVariables:
    """Makes a column's variables when they are first asked for.

    Args:
        collections: Names of collections that the variables are added to.
        trainable: Whether variables are trained, if their columns say so too.
        builder: The features; keeps the variables that were asked for.
    """

    def __init__(self, collections: list[str] | None, trainable: bool, builder: Any) -> None:
        self.collections, self.trainable, self._builder = collections, trainable, builder

    def get_variable(self, column: Any, name: str) -> Any:
        """The table of vectors of a column, in the open scope."""
        shape = (buckets_of(column.categorical_column), column.dimension)
        return self._table(column, name, shape)

    def get_shared_variable(self, column: Any, name: str, shape: tuple[int, int]) -> Any:
        """The table of vectors that columns share: the one in their collection, or a new one.

        Raises:
            ValueError: The collection has several variables, or one of another shape.
        """
        collection = column.shared_embedding_collection_name
        found = get_collection(collection)
        if not found:
            table = self._table(column, name, shape)
            add_to_collection(collection, table)
            return table
        if len(found) > 1:
            raise ValueError(f"Collection {found} can only contain one variable. Suggested fix A: Choose a unique name "
                             "for this collection. Suggested fix B: Do not add any variables to this collection. The "
                             "feature_column library already adds a variable under the hood.")
        if found[0].shape.as_list() != list(shape):
            raise ValueError(f"Shared embedding collection {collection} contains variable {found[0].name} of "
                             f"unexpected shape {found[0].shape}. Expected shape is {shape}. Suggested fix A: Choose a "
                             "unique name for this collection. Suggested fix B: Do not add any variables to this "
                             "collection. The feature_column library already adds a variable under the hood.")
        return found[0]

    def _table(self, column: Any, name: str, shape: tuple[int, int]) -> Any:
        table = get_variable(
            name, shape=shape, dtype=dtypes.float32, initializer=column.initializer,
            trainable=column.trainable and self.trainable, collections=self.collections,
        )
        self._builder.tables.append(table)
        return table


def variable_collections(weight_collections: Any) -> list[str]:
    """The collections of a model's variables: those given, and the graph's own."""
    names = list(weight_collections or [])
    return names + [name for name in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES) if name not in names]
