"""Columns for the features of an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.learn import feeding
from ossia_core.plugins.api_table import public


@public("contrib.learn.infer_real_valued_columns_from_input_fn")
def infer_real_valued_columns_from_input_fn(input_fn: Callable) -> list[Any]:
    """Columns of numbers for the features of an input function.

    Args:
      input_fn: a function that makes features and labels.

    Raises:
      ValueError: a feature is no number.
    """
    with tf.Graph().as_default():
        features, _ = input_fn()
        return tf.contrib.layers.infer_real_valued_columns(features)


@public("contrib.learn.infer_real_valued_columns_from_input")
def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """Columns of numbers for an array, or a dict of arrays.

    Args:
      x: features `[rows, ...]`.

    Raises:
      ValueError: a feature is no number.
    """
    make, _ = feeding.input_and_feed(x, None, None, None, shuffle=False, epochs=1)
    return infer_real_valued_columns_from_input_fn(make)
