"""How far two judgements of the same things agree."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable


@public(*both("cohen_kappa"))
def cohen_kappa(
    labels: Any, predictions_idx: Any, num_classes: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """Cohen's kappa: by how much classes agree more than they would by chance (Cohen 1960).

    Args:
      labels: classes, `[rows]` or `[rows, 1]`.
      predictions_idx: classes that were predicted, of the same shape.
      num_classes: how many classes there are.
      weights: how often each row counts, or None.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      Kappa, a double of at most 1, and the op that takes a batch in.

    Raises:
      ValueError: shapes do not fit each other.
    """
    with tf.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels = tf.convert_to_tensor(labels)
        if labels.get_shape().ndims == 2:
            labels = tf.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = aligned(predictions_idx, labels, weights)
        predictions_idx.get_shape().assert_is_compatible_with(labels.get_shape())
        dtype = tf.int64 if weights is None or weights.dtype in (tf.int32, tf.int64) else tf.float32
        if weights is not None:
            weights = tf.cast(weights, dtype)
        po, rows, columns = (metric_variable((num_classes,), dtype, name=each) for each in ("po", "pe_row", "pe_col"))
        table = tf.confusion_matrix(
            labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table"
        )
        agreed, by_row, by_column = tf.diag_part(table), tf.reduce_sum(table, 0), tf.reduce_sum(table, 1)
        agreed = tf.assign_add(po, agreed)
        by_row, by_column = tf.assign_add(rows, by_row), tf.assign_add(columns, by_column)

        def kappa(po: Any, rows: Any, columns: Any, name: str) -> tf.Tensor:
            agreed, total = tf.reduce_sum(po), tf.reduce_sum(rows)
            by_chance = tf.reduce_sum(
                tf.div_no_nan(tf.cast(rows * columns, tf.float64), tf.cast(total, tf.float64))
            )
            agreed, total = tf.cast(agreed, tf.float64), tf.cast(total, tf.float64)
            return tf.div_no_nan(agreed - by_chance, total - by_chance, name=name)

        value = kappa(po, rows, columns, "value")
        update = kappa(agreed, by_row, by_column, "update_op")
        return collected(value, metrics_collections), collected(update, updates_collections)
