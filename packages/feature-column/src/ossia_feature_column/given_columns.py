"""What models check about the columns that they are given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


def listed_columns(feature_columns: Any, kind: type) -> list[Any]:
    """The columns, of one column or several, sorted by name.

    Args:
        feature_columns: The columns, or one.
        kind: The interface that all must have.

    Raises:
        ValueError: There are none, they come in a dict, one is no column, or two have one name.
    """
    if isinstance(feature_columns, kind):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError(f"Items of feature_columns must be a {kind.__name__}. "
                             f"Given (type {type(column)}): {column}.")
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    named: dict[str, Any] = {}
    for column in feature_columns:
        if column.name in named:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and {named[column.name]}. This usually "
                "means that these columns refer to same base feature. Either one must be discarded or a duplicated but "
                "renamed item must be inserted in features dict."
            )
        named[column.name] = column
    return sorted(feature_columns, key=lambda column: column.name)


def check_batch_sizes(tensors: Iterable[Any], columns: list[Any]) -> None:
    """Refuses tensors whose batches are known to differ.

    Raises:
        ValueError: They do.
    """
    expected, first = None, 0
    for i, tensor in enumerate(tensors):
        size = tensor.shape[0].value if tensor.shape.ndims else None
        if size is None:
            continue
        if expected is None:
            expected, first = size, i
        elif size != expected:
            raise ValueError("Batch size (first dimension) of each feature must be same. Batch size of columns "
                             f"({columns[first].name}, {columns[i].name}): ({expected}, {size})")
