"""Functions that private modules have in their second version under the plain name."""

from __future__ import annotations

from typing import Any

import ossia as tf


def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = tf.int32,
    name: str | None = None,
) -> Any:
    """How often each label (row) was predicted as each class (column)."""
    return tf.math.confusion_matrix(labels, predictions, num_classes, dtype, name, weights)
