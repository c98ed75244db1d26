"""`tf.contrib.data`: what `tf.data.experimental` has, and the transformations that went with TensorFlow 1.15."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

Transformation = Callable[["tf.data.Dataset"], "tf.data.Dataset"]


@public("contrib.data.batch_and_drop_remainder")
def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """Full batches of elements; elements that fill no batch are left out.

    Args:
      batch_size: how many elements, an int or an int64 scalar.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@public("contrib.data.padded_batch_and_drop_remainder")
def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """Full batches of padded elements; elements that fill no batch are left out.

    Args:
      batch_size: how many elements, an int or an int64 scalar.
      padded_shapes: the shape of each component in a batch.
      padding_values: what to pad each component with; zeros by default.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


@public("contrib.data.sliding_window_batch")
def sliding_window_batch(
    window_size: int, stride: int | None = None, window_shift: int | None = None, window_stride: int = 1
) -> Transformation:
    """Batches that are windows sliding over the elements.

    Args:
      window_size: how many elements a window holds.
      stride: the older name of `window_shift`.
      window_shift: how far one window begins after the other.
      window_stride: how far apart the elements of a window are.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = window_shift or stride or 1

    def apply(dataset: tf.data.Dataset) -> tf.data.Dataset:
        windows = dataset.window(window_size, shift, window_stride, drop_remainder=True)
        return windows.flat_map(lambda *parts: _zipped(parts).batch(window_size, drop_remainder=True))

    return apply


def _zipped(parts: tuple[Any, ...]) -> tf.data.Dataset:
    return parts[0] if len(parts) == 1 else tf.data.Dataset.zip(parts)


@public("contrib.data.sloppy_interleave")
def sloppy_interleave(map_func: Callable, cycle_length: int, block_length: int = 1) -> Transformation:
    """Elements of several datasets by turns, in whichever order they are ready.

    Args:
      map_func: a function of an element that makes a dataset.
      cycle_length: how many of them are read at a time.
      block_length: how many elements are taken at once.

    Returns:
      A function for `Dataset.apply`.
    """
    return tf.data.experimental.parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


@public("contrib.data.reduce_dataset")
def reduce_dataset(dataset: tf.data.Dataset, reducer: Any) -> tf.Tensor:
    """One element made of all elements of a dataset.

    Args:
      dataset: the elements.
      reducer: a `Reducer`, with `init_func`, `reduce_func` and `finalize_func`.

    Returns:
      Tensors, as `finalize_func` makes them.
    """
    return reducer.finalize_func(dataset.reduce(reducer.init_func(tf.constant(0, tf.int64)), reducer.reduce_func))
