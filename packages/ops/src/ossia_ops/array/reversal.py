"""Elements in reverse or rotated order."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import merge, merge_dim, unchanged, with_rank, with_rank_at_least
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of
from ossia_ops.element_types import INDEX, INDEX_32, INDEX_64

reverse_v2_op = op("ReverseV2(tensor: T, axis: Tidx) -> output: T", Tidx=INDEX_32,
                   T="{uint8, int8, uint16, int16, int32, int64, bool, bfloat16, half, float, double, complex64, "
                   "complex128, string}")


@reverse_v2_op.shape
def _(tensor, axis):
    with_rank(axis, 1)
    known, rank = constant_value(axis), tensor.shape.ndims
    if rank is not None and rank > 8:
        raise ValueError("reverse does not work on tensors with more than 8 dimensions")
    if known is not None and rank is not None:
        seen = set()
        for place, a in enumerate(known.tolist()):
            if not -rank <= a < rank:
                raise ValueError(f"'axis'[{place}] = {a} is out of valid range [0, {rank - 1}")
            if a % rank in seen:
                raise ValueError(f"axis {a % rank} specified more than once.")
            seen.add(a % rank)
    return unchanged(tensor)


@reverse_v2_op.kernel
def _(tensor, axis):
    x = np.asarray(tensor)
    if axis.ndim != 1:
        raise InvalidArgumentError(None, None, f"'dims' must be 1-dimension, not {axis.ndim}")
    axes = axis.tolist()
    seen = set()
    for place, a in enumerate(axes):
        if not -x.ndim <= a < x.ndim:
            raise InvalidArgumentError(None, None, f"'axis'[{place}] = {a} is out of valid range [0, {x.ndim - 1}")
        if a % x.ndim in seen:
            raise InvalidArgumentError(None, None, f"axis {a % x.ndim} specified more than once.")
        seen.add(a % x.ndim)
    return np.array(np.flip(x, axes), order="C")


@reverse_v2_op.gradient
def _(node, grad):
    return reverse(grad, node.inputs[1]), None


reverse_v2_op.samples(
    rows=([[1.0, 2.0], [3.0, 4.0]], [0]), both=([[1, 2], [3, 4]], [0, -1]), none=([1, 2], np.zeros(0, np.int32))
)


@public("reverse", "reverse_v2", "manip.reverse")
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """A tensor with its elements in reverse order along the dimensions in `axis`, a vector."""
    return reverse_v2_op(tensor, axis, name=name)


reverse_op = op("Reverse(tensor: T, dims: bool) -> output: T",
                T="{uint8, int8, uint16, int16, int32, int64, bool, half, float, double, complex64, complex128, "
                "string}")


@reverse_op.shape
def _(tensor, dims):
    rank = with_rank(dims, 1).as_tuple()[0]
    return unchanged(tensor) if rank is None else with_rank(tensor, rank)


@reverse_op.kernel
def _(tensor, dims):
    x = np.asarray(tensor)
    if dims.shape != (x.ndim,):
        raise InvalidArgumentError(None, None, f"'dims' must have length {x.ndim}, not shape {dims_text(dims.shape)}")
    axes = np.flatnonzero(dims).tolist()
    return np.ascontiguousarray(np.flip(x, axes)) if axes else np.array(x)


@reverse_op.gradient
def _(node, grad):
    return reverse_op(grad, node.inputs[1]), None


reverse_op.samples(rows=([[1., 2.], [3., 4.]], [True, False]))


reverse_sequence_op = op("ReverseSequence(input: T, seq_lengths: Tlen) -> output: T", seq_dim="int",
                         batch_dim="int = 0", T="type", Tlen=INDEX_64)


@reverse_sequence_op.shape
def _(input, seq_lengths, *, seq_dim, batch_dim):
    dims, count = input.shape.as_tuple(), with_rank(seq_lengths, 1).as_tuple()[0]
    if dims is None:
        return None
    if batch_dim >= len(dims):
        raise ValueError(f"batch_dim must be < input rank: {batch_dim} vs. {len(dims)}")
    if seq_dim >= len(dims):
        raise ValueError(f"seq_dim must be < input rank: {seq_dim} vs. {len(dims)}")
    if batch_dim < -len(dims):
        raise ValueError(f"batch_dim must be >= -input rank: {batch_dim} vs. {len(dims)}")
    rows = merge_dim(dims[batch_dim], count)
    batch_dim %= len(dims)
    return dims[:batch_dim] + (rows,) + dims[batch_dim + 1:]


@reverse_sequence_op.kernel
def _(input, seq_lengths, *, seq_dim, batch_dim):
    x = np.array(input)
    if batch_dim == seq_dim:
        raise InvalidArgumentError(None, None, f"batch_dim == seq_dim == {seq_dim}")
    if seq_lengths.ndim != 1:
        raise InvalidArgumentError(None, None, f"seq_lens input must be 1-dim, not {seq_lengths.ndim}")
    for name, axis in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if not 0 <= axis < x.ndim:
            raise InvalidArgumentError(None, None, f"{name} must be < input.dims()( {axis} vs. {x.ndim})")
    if len(seq_lengths) != x.shape[batch_dim]:
        raise InvalidArgumentError(
            None,
            None,
            f"len(seq_lens) != input.dims({batch_dim}), ({len(seq_lengths)} vs. {x.shape[batch_dim]})",
        )
    view = np.moveaxis(x, (batch_dim, seq_dim), (0, 1))
    for i, (row, length) in enumerate(zip(view, seq_lengths.tolist())):
        if length < 0:
            raise InvalidArgumentError(None, None, f"seq_lens({i}) < 0")
        if length > x.shape[seq_dim]:
            raise InvalidArgumentError(None, None, f"seq_lens({i}) > input.dims({seq_dim})")
        row[:length] = row[:length][::-1].copy()
    return x


@reverse_sequence_op.gradient
def _(node, grad):
    return [
        reverse_sequence_op(
            grad, node.inputs[1], seq_dim=node.get_attr("seq_dim"), batch_dim=node.get_attr("batch_dim")
        ),
        None,
    ]


reverse_sequence_op.samples(plain=sample([[1., 2., 3.], [4., 5., 6.]], [2, 3], seq_dim=1))


@public("reverse_sequence")
def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Tensor:
    """A batch of sequences, the first `seq_lengths[i]` elements of each in reverse order.

    Args:
      input: a tensor.
      seq_lengths: how many elements of each sequence to reverse, an integer vector.
      seq_axis: the dimension of the sequences.
      batch_axis: the dimension of the batch, 0 if None.
      name: name of the result.
      seq_dim: the old name of `seq_axis`.
      batch_dim: the old name of `batch_axis`.
    """
    seq_axis = one_of("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = one_of("batch_axis", batch_axis, "batch_dim", batch_dim)
    return reverse_sequence_op(input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis, name=name)


roll_op = op("Roll(input: T, shift: Tshift, axis: Taxis) -> output: T", T="type", Tshift=INDEX, Taxis=INDEX)


@roll_op.shape
def _(input, shift, axis):
    with_rank_at_least(input, 1)
    for part in (shift, axis):
        if part.shape.ndims is not None and part.shape.ndims > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {part.shape.ndims}")
    merge(shift, axis)
    return unchanged(input)


@roll_op.kernel
def _(input, shift, axis):
    x, shifts, axes = np.asarray(input), np.ravel(shift).tolist(), np.ravel(axis).tolist()
    if not x.ndim:
        raise InvalidArgumentError(None, None, "input must be 1-D or higher")
    for what, part in (("shift", shift), ("axis", axis)):
        if np.ndim(part) > 1:
            raise InvalidArgumentError(
                None, None, f"{what} must be a scalar or a 1-D vector. Found: {dims_text(np.shape(part))}"
            )
    if np.shape(shift) != np.shape(axis):
        raise InvalidArgumentError(None, None, "shift and axis must have the same size")
    for a in axes:
        if not -x.ndim <= a < x.ndim:
            raise InvalidArgumentError(None, None, f"axis {a + x.ndim if a < 0 else a} is out of range")
    return np.roll(x, shifts, axes)


@roll_op.gradient
def _(node, grad):
    _, shift, axis = node.inputs
    return roll_op(grad, -shift, axis), None, None


roll_op.samples(one=([1., 2., 3.], 1, 0), two=([[1, 2], [3, 4]], [1, -1], [0, 1]))


@public("roll", "manip.roll")
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """A tensor rotated by `shift` positions along each dimension in `axis`."""
    return roll_op(input, shift, axis, name=name)
