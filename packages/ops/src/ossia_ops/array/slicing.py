"""Parts of tensors: slices with steps, and what `x[...]` builds."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import constant_shape, merge
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_core.plugins.api_table import public, public_value
from ossia_ops.array.fill import ones_like
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX
from ossia_ops.math.cast import cast

_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
INVALID_INDEX = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 "
    "tensors are valid indices"
)
newaxis = None
public_value("newaxis", name="newaxis")


def numpy_index(
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> tuple:
    """The index of a NumPy array that selects what a strided slice does.

    Raises:
      InvalidArgumentError: a stride is zero, or negative where an integer is meant.
    """
    if begin.ndim != 1 or not begin.shape == end.shape == strides.shape:
        found = [dims_text(bound.shape) for bound in (begin, end, strides)]
        raise InvalidArgumentError(
            None, None,
            f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes {found[0]}, {found[1]}, and "
            f"{found[2]} instead."
        )
    index: list[Any] = []
    for i, (first, last, step) in enumerate(zip(begin.tolist(), end.tolist(), strides.tolist())):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif step == 0:
            raise InvalidArgumentError(None, None, f"strides[{i}] must be non-zero")
        elif shrink_axis_mask & bit:
            if step < 0:
                raise InvalidArgumentError(None, None, "only stride 1 allowed on non-range indexing.")
            index.append(first)
        else:
            index.append(slice(None if begin_mask & bit else first, None if end_mask & bit else last, step))
    if Ellipsis not in index:
        index.append(Ellipsis)
    elif index.count(Ellipsis) > 1:
        raise InvalidArgumentError(None, None, "Multiple ellipses in slice spec not allowed")
    return tuple(index)


def _length(size: int, begin: int | None, end: int | None, step: int) -> int:
    return len(range(*slice(begin, end, step).indices(size)))


def _check_steps(dims: tuple, strides: list[int], ellipsis: int, new_axis: int) -> None:
    """Refuse what is wrong whatever the bounds of a slice are."""
    if ellipsis & (ellipsis - 1):
        raise ValueError("Multiple ellipses in slice spec not allowed")
    axis = 0
    for i in range(len(strides)):
        if (ellipsis | new_axis) >> i & 1:
            continue
        if axis == len(dims):
            raise ValueError(f"Index out of range using input dim {axis}; input has only {axis} dims")
        axis += 1
    for i, step in enumerate(strides):
        if step == 0 and not (ellipsis | new_axis) >> i & 1:
            raise ValueError(f"strides[{i}] must be non-zero")


def _sliced_dims(dims: tuple, begin: Any, end: Any, strides: list[int], masks: dict[str, int]) -> list:
    """The static sizes of a slice; `begin` and `end` are None where they are not known."""
    ellipsis, new_axis, shrink = masks["ellipsis_mask"], masks["new_axis_mask"], masks["shrink_axis_mask"]
    count = len(strides)
    if not ellipsis & ((1 << count) - 1):
        ellipsis |= 1 << count
        count += 1
    used = sum(1 for i in range(count) if not (ellipsis | new_axis) >> i & 1)
    result: list[int | None] = []
    axis = 0
    for i in range(count):
        bit = 1 << i
        if ellipsis & bit:
            rest = len(dims) - used
            result.extend(dims[axis:axis + rest])
            axis += rest
            continue
        if new_axis & bit:
            result.append(1)
            continue
        size, step = dims[axis], strides[i]
        first = None if begin is None else begin[i]
        last = None if end is None else end[i]
        if shrink & bit:
            if step < 0:
                raise ValueError("only stride 1 allowed on non-range indexing.")
            if size is not None and first is not None and not -size <= first < size:
                place = first + size if first < 0 else first
                raise ValueError(f"slice index {place} of dimension {axis} out of bounds.")
        else:
            open_begin, open_end = masks["begin_mask"] & bit, masks["end_mask"] & bit
            known = (open_begin or first is not None) and (open_end or last is not None)
            result.append(
                _length(size, None if open_begin else first, None if open_end else last, step)
                if size is not None and known
                else None
            )
        axis += 1
    return result


strided_slice_op = op("StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> output: T", T="type",
                      Index=INDEX, begin_mask="int32 = 0", end_mask="int32 = 0", ellipsis_mask="int32 = 0",
                      new_axis_mask="int32 = 0", shrink_axis_mask="int32 = 0")


@strided_slice_op.static_shape
def _(node, index, known):
    """`shape[begin:end:stride]` of a partly known shape."""
    attrs = node.attrs
    if attrs["ellipsis_mask"] or attrs["new_axis_mask"] or attrs["shrink_axis_mask"]:
        return None
    bounds = [known.value(x) for x in node._inputs[1:4]]
    if any(bound is None or np.size(bound) != 1 for bound in bounds):
        return None
    begin, end, stride = (int(bound[0]) for bound in bounds)
    dims = known.shape(node._inputs[0]).as_tuple()
    if dims is None:
        return known.without_rank
    start = None if attrs["begin_mask"] & 1 else begin
    stop = None if attrs["end_mask"] & 1 else end
    return TensorShape(dims[start:stop:stride])


@strided_slice_op.shape
def _(input, begin, end, strides, *, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    steps, dims = constant_value(strides), input.shape.as_tuple()
    for bound in (begin, end, strides):
        if bound.shape.ndims not in (1, None):
            raise ValueError(f"Shape must be rank 1 but is rank {bound.shape.ndims}")
    merge(merge(begin.shape, end.shape), strides.shape)
    if steps is None or dims is None:
        return None
    _check_steps(dims, steps.tolist(), ellipsis_mask, new_axis_mask)
    first, last = constant_value(begin), constant_value(end)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    return tuple(
        _sliced_dims(
            dims,
            None if first is None else first.tolist(),
            None if last is None else last.tolist(),
            steps.tolist(),
            masks,
        )
    )


@strided_slice_op.kernel(alias=True)
def _(input, begin, end, strides, *, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    index = numpy_index(begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    try:
        return input[index]
    except IndexError:
        raise _outside(input.shape, index) from None


def _outside(dims: Any, index: tuple) -> InvalidArgumentError:
    """The error for an index that an array of the shape `dims` does not have."""
    used = sum(item is not None and item is not Ellipsis for item in index)
    if used > len(dims):
        return InvalidArgumentError(
            None, None, f"Index out of range using input dim {len(dims)}; input has only {len(dims)} dims"
        )
    axis = 0
    for item in index:
        if item is Ellipsis:
            axis += len(dims) - used
        elif item is not None:
            if isinstance(item, int) and not -dims[axis] <= item < dims[axis]:
                break
            axis += 1
    place = item + dims[axis] if item < 0 else item
    return InvalidArgumentError(None, None, f"slice index {place} of dimension {axis} out of bounds.")


@strided_slice_op.gradient
def _(node, grad):
    x, begin, end, strides = node.inputs
    dims = shape(x, out_type=begin.dtype)
    return (
        strided_slice_grad_op(dims, begin, end, strides, grad, **{mask: node.get_attr(mask) for mask in _MASKS}),
        None,
        None,
        None,
    )


strided_slice_op.samples(
    rows=([[1.0, 2.0], [3.0, 4.0]], [0], [1], [1]),
    reversed=sample([1, 2, 3], [0], [0], [-2], begin_mask=1, end_mask=1),
    shrunk=sample([[1, 2], [3, 4]], [0, -1], [0, 0], [1, 1], ellipsis_mask=1, shrink_axis_mask=2),
    empty=([1, 2, 3], [2], [1], [1]),
    new_axis=sample([1, 2], [0], [0], [1], new_axis_mask=1),
)


@public("strided_slice")
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """A part of a tensor, by a begin, an end and a stride per dimension: what `input_[begin:end:stride, ...]` builds.

    Args:
      input_: a tensor.
      begin: first indices, a vector.
      end: indices that end the ranges (not included).
      strides: steps, ones if None; negative ones go backwards.
      begin_mask: bits of the dimensions whose range starts at the beginning.
      end_mask: bits of the dimensions whose range goes to the end.
      ellipsis_mask: the bit of the position that stands for all other dimensions.
      new_axis_mask: bits of the positions at which a dimension of size 1 is added.
      shrink_axis_mask: bits of the dimensions of which one index is taken, and which vanish.
      var: the variable to which `assign` of the result writes.
      name: name of the result.
    """
    if strides is None:
        strides = ones_like(begin)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    result = strided_slice_op(input_, begin, end, strides, name=name, **masks)

    def assign(value: Any, name: str | None = None) -> Any:
        """Write `value` to this part of the variable."""
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        return var._strided_slice_assign(
            begin=begin, end=end, strides=strides, value=value, name=name or f"{result.op.name}_assign", **masks
        )

    result.assign = assign
    return result


strided_slice_grad_op = op("StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, "
                           "dy: T) -> output: T", T="type", Index=INDEX, begin_mask="int32 = 0", end_mask="int32 = 0",
                           ellipsis_mask="int32 = 0", new_axis_mask="int32 = 0", shrink_axis_mask="int32 = 0")


@strided_slice_grad_op.shape
def _(shape, begin, end, strides, dy):
    return constant_shape(shape)


@strided_slice_grad_op.kernel
def _(shape, begin, end, strides, dy, *, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    dims = shape.tolist()
    sizes.allocatable(dims, np.asarray(dy).dtype.itemsize)
    result = np.full(dims, b"", object) if dy.dtype == object else np.zeros(dims, dy.dtype)
    index = numpy_index(begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    part = np.shape(result[index])
    if part != np.shape(dy):
        raise InvalidArgumentError(None, None, f"shape of dy was {dims_text(np.shape(dy))} instead of {list(part)}")
    result[index] = dy
    return result


@strided_slice_grad_op.gradient
def _(node, grad):
    begin, end, strides = node.inputs[1:4]
    return (
        None,
        None,
        None,
        None,
        strided_slice(grad, begin, end, strides, **{mask: node.get_attr(mask) for mask in _MASKS}),
    )


strided_slice_grad_op.samples(rows=([2, 2], [0], [1], [1], [[5., 6.]]))


def _check_index(index: Any) -> None:
    if isinstance(index, (int, Dimension)):
        return
    dtype = getattr(index, "dtype", None)
    if dtype is not None:
        try:
            known = dtypes.as_dtype(dtype).base_dtype
        except TypeError:
            known = None
        rank_of = index.shape.ndims if isinstance(index.shape, TensorShape) else len(index.shape)
        if known in (dtypes.int32, dtypes.int64) and rank_of != 1:
            return
    raise TypeError(f"{INVALID_INDEX}, got {index!r}")


def _is_bool(spec: Any) -> bool:
    if isinstance(spec, (bool, np.bool_)):
        return True
    dtype = getattr(spec, "dtype", None)
    return (
        dtype is not None
        and (isinstance(spec, (Tensor, np.ndarray)) or hasattr(spec, "_as_graph_element"))
        and dtypes.as_dtype(dtype) == dtypes.bool
    )


def getitem(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
    """`tensor[slice_spec]`: ints, slices, `...`, None and scalar tensors, alone or in a tuple; a bool tensor is a mask.

    Args:
      tensor: a tensor.
      slice_spec: the index.
      var: the variable to which `assign` of the result writes.

    Raises:
      TypeError: an index of another kind.
    """
    if _is_bool(slice_spec):
        from ossia_ops.array.masking import boolean_mask
        return boolean_mask(tensor, slice_spec)
    if not isinstance(slice_spec, (list, tuple)):
        slice_spec = (slice_spec,)
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks: dict[str, Any] = dict.fromkeys(_MASKS, 0)
    for i, spec in enumerate(slice_spec):
        bit = 1 << i
        if isinstance(spec, slice):
            bounds: list[Any] = []
            for bound, mask in ((spec.start, "begin_mask"), (spec.stop, "end_mask")):
                if bound is None or (not isinstance(bound, Tensor) and bound == sys.maxsize):
                    bounds.append(0)
                    masks[mask] |= bit
                else:
                    _check_index(bound)
                    bounds.append(bound)
            if spec.step is not None:
                _check_index(spec.step)
            begin.append(bounds[0])
            end.append(bounds[1])
            strides.append(1 if spec.step is None else spec.step)
        elif spec is Ellipsis or spec is None:
            begin.append(0)
            end.append(0)
            strides.append(1)
            masks["ellipsis_mask" if spec is Ellipsis else "new_axis_mask"] |= bit
        else:
            _check_index(spec)
            begin.append(spec)
            end.append(spec + 1)
            strides.append(1)
            masks["shrink_axis_mask"] |= bit
    with name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as name:
        if begin:
            packed = [stack(bounds) for bounds in (begin, end, strides)]
            if any(p.dtype.base_dtype is dtypes.int64 for p in packed):
                packed = [cast(p, dtypes.int64) for p in packed]
        else:
            packed = [constant([], dtypes.int32)] * 3
        starts, ends, steps = packed
        return strided_slice(tensor, starts, ends, steps, **masks, var=var, name=name)
