"""Weights of components beside values of theirs."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank, reshape, shape


def for_events(x: Tensor, mixture: Any, categorical: Any, event_ndims: Any) -> Tensor:
    """Weights of shape `[..., components]` with axes of size 1 for the batch and the events of a mixture."""
    with name_scope("pad_mix_dims", values=[x]):
        batch_ndims, weight_ndims = _batch_ndims(mixture), _batch_ndims(categorical)
        missing = where_v2(categorical.is_scalar_batch(), batch_ndims, batch_ndims - weight_ndims)
        sizes = shape(x)
        return reshape(
            x,
            shape=concat(
                [
                    sizes[:-1],
                    ones([missing], dtype=int32),
                    sizes[-1:],
                    ones([event_ndims], dtype=int32),
                ],
                axis=0,
            ),
        )


def with_component_axis(x: Tensor, event_ndims: Any) -> Tensor:
    """Values with an axis of size 1 for the components, before those of an event."""
    with name_scope("pad_sample_dims", values=[x]):
        ndims = x.shape.ndims if x.shape.ndims is not None else rank(x)
        sizes = shape(x)
        place = ndims - event_ndims
        return reshape(x, shape=concat([sizes[:place], [1], sizes[place:]], axis=0))


def _batch_ndims(distribution: Any) -> Any:
    if distribution.batch_shape.ndims is not None:
        return distribution.batch_shape.ndims
    return shape(distribution.batch_shape_tensor())[0]
