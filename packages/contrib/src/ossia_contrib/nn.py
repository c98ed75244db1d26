"""`tf.contrib.nn`: the order statistics of rows."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.nn.nth_element")
def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> tf.Tensor:
    """The element that would stand at index `n` of each row if the rows were sorted.

    Args:
      input: numbers `[..., columns]`.
      n: an index, a scalar from 0 to below `columns`.
      reverse: whether the rows would be sorted from the largest down.
      name: name of the result.

    Returns:
      `[...]`, one element of each row.

    Raises:
      ValueError: `n` is no scalar, or is out of range.
    """
    return tf.raw_ops.NthElement(input=input, n=n, reverse=reverse, name=name)
