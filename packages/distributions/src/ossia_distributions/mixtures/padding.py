"""Weights of components beside values of theirs."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.graph.tensor import Tensor


def for_events(x: Tensor, mixture: Any, categorical: Any, event_ndims: Any) -> Tensor:
    """Weights of shape `[..., components]` with axes of size 1 for the batch and the events of a mixture."""
    with tf.name_scope("pad_mix_dims", values=[x]):
        batch_ndims, weight_ndims = _batch_ndims(mixture), _batch_ndims(categorical)
        missing = tf.where_v2(categorical.is_scalar_batch(), batch_ndims, batch_ndims - weight_ndims)
        sizes = tf.shape(x)
        return tf.reshape(
            x,
            shape=tf.concat(
                [
                    sizes[:-1],
                    tf.ones([missing], dtype=tf.int32),
                    sizes[-1:],
                    tf.ones([event_ndims], dtype=tf.int32),
                ],
                axis=0,
            ),
        )


def with_component_axis(x: Tensor, event_ndims: Any) -> Tensor:
    """Values with an axis of size 1 for the components, before those of an event."""
    with tf.name_scope("pad_sample_dims", values=[x]):
        ndims = x.shape.ndims if x.shape.ndims is not None else tf.rank(x)
        sizes = tf.shape(x)
        place = ndims - event_ndims
        return tf.reshape(x, shape=tf.concat([sizes[:place], [1], sizes[place:]], axis=0))


def _batch_ndims(distribution: Any) -> Any:
    if distribution.batch_shape.ndims is not None:
        return distribution.batch_shape.ndims
    return tf.shape(distribution.batch_shape_tensor())[0]
