"""Input functions of arrays and frames, as `tf.estimator.inputs` makes them, with more defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.learn.io.numpy_input_fn")
def numpy_input_fn(
    x: dict[str, Any], y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool = True,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable:
    """An input function of arrays; see `tf.estimator.inputs.numpy_input_fn`.

    Args:
      x: arrays `[rows, ...]` by name.
      y: labels of the rows.
      batch_size: how many rows a batch has.
      num_epochs: how often all rows are read; None for ever.
      shuffle: whether they are mixed.
      queue_capacity: how many rows wait.
      num_threads: how many threads read.
    """
    return tf.estimator.inputs.numpy_input_fn(
        x, y=y, batch_size=batch_size, num_epochs=num_epochs, shuffle=shuffle, queue_capacity=queue_capacity,
        num_threads=num_threads,
    )


@public("contrib.learn.io.pandas_input_fn")
def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool = True,
    queue_capacity: int = 1000, num_threads: int = 1, target_column: str = "target",
) -> Callable:
    """An input function of a frame of pandas; see `tf.estimator.inputs.pandas_input_fn`.

    Args:
      x: the frame.
      y: labels of the rows, a series.
      batch_size, num_epochs, shuffle, queue_capacity, num_threads: as for `numpy_input_fn`.
      target_column: the name of the labels among the columns that are read.
    """
    return tf.estimator.inputs.pandas_input_fn(
        x, y=y, batch_size=batch_size, num_epochs=num_epochs, shuffle=shuffle, queue_capacity=queue_capacity,
        num_threads=num_threads, target_column=target_column,
    )
