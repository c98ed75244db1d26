"""Batches of elements of similar length: `bucket_by_sequence_length`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset
from ossia_data.experimental import Transformation
from ossia_data.grouping import group_by_window
from ossia_ops.array.selection import where
from ossia_ops.math.comparison import less, less_equal
from ossia_ops.math.logical import logical_and
from ossia_ops.math.reduction import reduce_min

_INT32 = np.iinfo(np.int32)


@public("data.experimental.bucket_by_sequence_length", "compat.v2.data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable, bucket_boundaries: list[int], bucket_batch_sizes: list[int],
    padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
    no_padding: bool = False, drop_remainder: bool = False,
) -> Transformation:
    """Batches of elements whose lengths lie between the same two boundaries.

    Args:
        element_length_func: Takes an element, returns its length, an int32 scalar.
        bucket_boundaries: The boundaries: a length that equals one is above it.
        bucket_batch_sizes: The size of batches, one more than boundaries.
        padded_shapes: As for `padded_batch`; the shapes of the elements if None.
        padding_values: As for `padded_batch`.
        pad_to_bucket_boundary: Whether sizes that are not known are padded to the boundary less one.
        no_padding: Whether elements are put together as they are.
        drop_remainder: Whether last batches of fewer elements are left out.

    Raises:
        ValueError: There are not as many sizes as that. A length above all boundaries, where it is padded to one, fails
            in a run.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
    with name_scope("bucket_by_seq_length"):
        sizes = constant(bucket_batch_sizes, dtype=dtypes.int64)

        def element_to_bucket_id(*parts: Any) -> Any:
            length = element_length_func(*parts)
            fits = logical_and(
                less_equal([_INT32.min, *bucket_boundaries], length),
                less(length, [*bucket_boundaries, _INT32.max]),
            )
            return reduce_min(where(fits))

        def window_size_fn(bucket: Any) -> Any:
            return sizes[bucket]

        def batching_fn(bucket: Any, grouped: Dataset) -> Dataset:
            size = window_size_fn(bucket)
            if no_padding:
                return grouped.batch(size, drop_remainder=drop_remainder)
            shapes = padded_shapes
            if shapes is None:
                shapes = structure.packed(
                    grouped.element_spec, [_tensor_shape(s) for s in structure.flatten(grouped.element_spec)]
                )
            if pad_to_bucket_boundary:
                shapes = _bounded(grouped.element_spec, shapes, constant(
                    [*bucket_boundaries, _INT32.max + 1], dtypes.int64
                )[bucket] - 1)
            return grouped.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

        return lambda dataset: dataset.apply(
            group_by_window(element_to_bucket_id, batching_fn, window_size_func=window_size_fn)
        )


def _tensor_shape(spec: Any) -> TensorShape:
    if not isinstance(spec, TensorSpec):
        raise TypeError("Batching of padded sparse tensors is not currently supported")
    return spec.shape


def _bounded(spec: Any, shapes: Any, size: Any) -> Any:
    """The shapes with `size` where a size is not known."""
    from ossia_core.graph.convert import convert_to_tensor

    leaves = []
    for shape in structure.leaves_up_to(spec, shapes):
        dims = TensorShape(shape).as_list()
        leaves.append(convert_to_tensor([size if d is None else np.int64(d) for d in dims]) if None in dims else shape)
    return structure.packed(spec, leaves)
