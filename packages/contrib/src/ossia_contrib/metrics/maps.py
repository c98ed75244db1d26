"""Several metrics at once; confusion matrices and sets under their names of old."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public


@public(*both("aggregate_metrics"))
def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """Pairs (value, update) as a list of values and a list of updates.

    Raises:
      ValueError: there are none.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


@public(*both("aggregate_metric_map"))
def aggregate_metric_map(names_to_tuples: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Named pairs (value, update) as a dict of values and a dict of updates."""
    names = names_to_tuples.keys()
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names, values)), dict(zip(names, updates))


@public(*both("confusion_matrix"))
def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, dtype: Any = tf.int32, name: str | None = None,
    weights: Any = None,
) -> tf.Tensor:
    """`tf.math.confusion_matrix`, with its arguments in the order of old."""
    return tf.math.confusion_matrix(
        labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name, weights=weights
    )


@public(*both("set_size"))
def set_size(a: Any, validate_indices: bool = True) -> tf.Tensor:
    """`tf.sets.size`."""
    return tf.sets.size(a, validate_indices)


@public(*both("set_intersection"))
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> tf.SparseTensor:
    """`tf.sets.intersection`."""
    return tf.sets.intersection(a, b, validate_indices)


@public(*both("set_difference"))
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> tf.SparseTensor:
    """`tf.sets.difference`."""
    return tf.sets.difference(a, b, aminusb, validate_indices)


@public(*both("set_union"))
def set_union(a: Any, b: Any, validate_indices: bool = True) -> tf.SparseTensor:
    """`tf.sets.union`."""
    return tf.sets.union(a, b, validate_indices)
