"""All values of all batches, in one growing array."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, collected, metric_variable

_GROWTH = 1.5


def _next_size(required: Any) -> Any:
    """The power of the factor of growth that is at least `required`."""
    exponent = tf.ceil(tf.log(tf.cast(required, tf.float32)) / tf.log(tf.cast(_GROWTH, tf.float32)))
    return tf.cast(tf.ceil(_GROWTH**exponent), tf.int32)


@public(*both("streaming_concat"))
def streaming_concat(
    values: Any, axis: int = 0, max_size: int | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The values of all batches, one behind the other along an axis.

    Args:
      values: a tensor of known rank; its sizes but that of `axis` are known.
      axis: the axis.
      max_size: how many are kept, the first; all if None.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The values so far, and the op that takes a batch in.

    Raises:
      ValueError: the shape is not known as far as it has to be, or the axis is out of range.
    """
    with tf.variable_scope(name, "streaming_concat", (values,)):
        shape = values.get_shape()
        if shape.dims is None:
            raise ValueError("`values` must have known statically known rank")
        rank = len(shape)
        if not 0 <= (axis := axis + rank if axis < 0 else axis) < rank:
            raise ValueError(f"axis = {axis} not in [0, {rank})")
        fixed = [size.value for place, size in enumerate(shape.dims) if place != axis]
        if any(size is None for size in fixed):
            raise ValueError("all dimensions of `values` other than the dimension to concatenate along must be known")
        # The axis that grows comes first, so that a slice of the variable can be assigned.
        array = _growing_variable([max_size or 0, *fixed], values.dtype, name="array")
        size = metric_variable([], tf.int32, name="size")
        order = [axis if place == 0 else place - 1 if place <= axis else place for place in range(rank)]
        back = [0 if place == axis else place + 1 if place < axis else place for place in range(rank)]
        taken = array[:size]
        taken.set_shape([None, *fixed])
        value = tf.transpose(taken, back, name="concat")
        number = tf.shape(values)[axis]
        if max_size is not None:
            number = tf.minimum(number, max_size - size)
        batch = tf.transpose(values, order)[:number]
        new_size = size + number
        room = tf.shape(array)[0]
        grown = tf.cond(new_size > room, lambda: _grow(array, size, new_size, fixed), tf.no_op)
        with tf.control_dependencies([grown]):
            written = array[size:new_size].assign(batch)
        with tf.control_dependencies([written]):
            update = size.assign(new_size)
        return collected(value, metrics_collections), collected(update, updates_collections)


def _growing_variable(shape: Any, dtype: Any, name: str) -> Any:
    return tf.Variable(
        lambda: tf.zeros(shape, dtype), trainable=False, name=name, validate_shape=False,
        collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES],
    )


def _grow(array: Any, size: Any, new_size: Any, fixed: list[int]) -> Any:
    wider = tf.zeros(tf.stack([_next_size(new_size), *fixed]), dtype=array.dtype)
    old = array.value()
    with tf.control_dependencies([old]):
        grown = tf.assign(array, wider, validate_shape=False)
    with tf.control_dependencies([grown]):
        kept = array[:size].assign(old[:size])
    with tf.control_dependencies([kept]):
        return tf.no_op()
