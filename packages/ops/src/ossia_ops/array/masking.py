"""Elements chosen by masks, and masks from lengths."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.gather import gather
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, squeeze
from ossia_ops.math.cast import cast_op
from ossia_ops.math.reduction import reduce_prod, reduction_axes
from ossia_ops.math.sequence import range_op


@public("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Tensor:
    """The elements (or slices) of `tensor` where `mask` is true, in a row.

    Args:
      tensor: a tensor.
      mask: a bool tensor of known rank k, with the shape of `tensor` from dimension `axis` on.
      name: name scope.
      axis: the first dimension that the mask covers; 0 if None.

    Returns:
      A tensor with one dimension in place of the k masked ones.

    Raises:
      ValueError: shapes do not fit, or the mask is a scalar or of unknown rank.
    """
    with name_scope(name, values=[tensor, mask]):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        count = mask.shape.ndims
        if count == 0:
            raise ValueError("mask cannot be scalar.")
        if count is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is "
                "ok, but shape=None is not."
            )
        axis = 0 if axis is None else axis
        if isinstance(axis, Tensor) and get_static_value(axis) is not None:
            axis = int(get_static_value(axis))
        static = tensor.shape
        if not isinstance(axis, Tensor):
            static[axis:axis + count].assert_is_compatible_with(mask.shape)
        leading = reduce_prod(shape(tensor)[axis:axis + count], [0])
        tensor = reshape(tensor, concat([shape(tensor)[:axis], [leading], shape(tensor)[axis + count:]], 0))
        if not isinstance(axis, Tensor):
            masked = static[axis:axis + count].num_elements()
            tensor.set_shape(TensorShape(static[:axis]).concatenate([masked]).concatenate(static[axis + count:]))
        positions = squeeze(where(reshape(mask, [-1])), axis=[1])
        return gather(tensor, positions, axis=axis)


@public("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Tensor:
    """A mask with as many true elements at the front of each row as `lengths` says.

    Args:
      lengths: an integer tensor.
      maxlen: length of the rows, a scalar; the largest of `lengths` if None.
      dtype: dtype of the result.
      name: name scope.

    Returns:
      A tensor with one more dimension than `lengths`, of size `maxlen`.

    Raises:
      ValueError: `maxlen` is not a scalar.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            every = range_op(0, rank(lengths), 1) if lengths.shape.ndims is None else reduction_axes(lengths, None)
            maxlen = lookup("Max")(lengths, every)
            maxlen = lookup("Maximum")(constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.ndims not in (0, None):
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = range_op(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        matrix = cast_op(expand_dims(lengths, -1), DstT=maxlen.dtype)
        result = row < matrix
        return (
            result
            if dtype is None or result.dtype.base_dtype == dtypes.as_dtype(dtype).base_dtype
            else cast_op(result, DstT=dtype)
        )
