"""Functions called for numbers (For) and for the slices of tensors (MapDefun), and the nodes that these stand for."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape

for_op = op(
    "For(start: int32, limit: int32, delta: int32, input: T) -> output: T", T="list(type) >= 0", body="func"
)
for_op.calls, for_op.foldable = "counting", False


@for_op.shape
def _(start, limit, delta, input):
    return [UNKNOWN_SHAPE] * len(input)


map_defun_op = op(
    "MapDefun(arguments: Targuments, captured_inputs: Tcaptured) -> output: output_types",
    Targuments="list(type) >= 1", Tcaptured="list(type) >= 0 = []", output_types="list(type) >= 1",
    output_shapes="list(shape) >= 1", f="func", max_intra_op_parallelism="int = 1",
)
map_defun_op.calls, map_defun_op.foldable = "mapping", False


@map_defun_op.shape
def _(arguments, captured_inputs, *, output_types, output_shapes):
    if len(output_shapes) != len(output_types):
        raise ValueError(
            f"`output_shapes` must be the same length as `output_types` ({len(output_shapes)} vs. {len(output_types)})"
        )
    count: Any = None
    for i, argument in enumerate(arguments):
        dims = argument.shape.as_tuple()
        if dims == ():
            raise ValueError(f"Arguments must have rank at least 1. Input {i} has rank of 0.")
        first = dims[0] if dims else None
        if None not in (count, first) and count != first:
            raise ValueError("Arguments must have the same dimension 0.")
        count = first if count is None else count
    return [TensorShape([count]).concatenate(shape) for shape in output_shapes]


# How often a loop runs, and what one of its steps takes.
for_count_op = op("_ForCount(start: int32, limit: int32, delta: int32) -> count: int64")
for_number_op = op("_ForNumber(start: int32, delta: int32, step: int64) -> number: int32")
map_count_op = op("_MapCount(arguments: T) -> count: int64", T="list(type) >= 1")
map_size_op = op("_MapSize(step: int64) -> size: int32")
map_slice_op = op("_MapSlice(argument: T, step: int64) -> slice: T", T="type")
next_step_op = op("_NextStep(step: int64) -> next: int64")
more_steps_op = op("_MoreSteps(step: int64, count: int64) -> more: bool")
for _definition in (for_count_op, for_number_op, map_count_op, map_size_op, next_step_op, more_steps_op):
    _definition.shape(lambda *_: SCALAR)


@for_count_op.kernel
def _(start, limit, delta):
    for name, value in {"start": start, "limit": limit, "delta": delta}.items():
        if np.ndim(value):
            raise InvalidArgumentError(None, None, f"{name} must be a scalar, but {list(np.shape(value))}")
    first, last, stride = int(start), int(limit), int(delta)
    if not (stride > 0 and first <= last or stride < 0 and first >= last or first == last):
        raise InvalidArgumentError(None, None, f"Invalid start/limit/delta: {first} {last} {stride}")
    return np.int64(len(range(first, last, stride)) if stride else 0)


@for_number_op.kernel
def _(start, delta, step):
    return np.int32(operator.index(start) + operator.index(delta) * operator.index(step))


@map_count_op.kernel
def _(arguments):
    for i, argument in enumerate(arguments):
        if not np.ndim(argument):
            raise InvalidArgumentError(None, None, f"All inputs must have rank at least 1. Input {i} has a rank of 0.")
        if len(argument) != len(arguments[0]):
            raise InvalidArgumentError(
                None, None, "All inputs must have the same dimension 0. Input "
                f"{i} has leading dimension {len(argument)}, while all previous inputs have leading dimension "
                f"{len(arguments[0])}."
            )
    return np.int64(len(arguments[0]))


@map_size_op.kernel
def _(step):
    if step >= 1 << 31:
        raise InvalidArgumentError(None, None, f"There are too many slices: {step}")
    return np.int32(step)


@map_slice_op.shape
def _(argument, step):
    dims = argument.shape.as_tuple()
    return TensorShape(dims[1:]) if dims else UNKNOWN_SHAPE


@map_slice_op.kernel
def _(argument, step):
    return np.array(argument[operator.index(step)], argument.dtype)


@next_step_op.kernel
def _(step):
    return np.int64(step + 1)


@more_steps_op.kernel
def _(step, count):
    return np.bool_(step < count)


for _definition in (
    for_count_op, for_number_op, map_count_op, map_size_op, map_slice_op, next_step_op, more_steps_op,
):
    _definition.not_differentiable()
for_count_op.samples(
    up=(np.int32(0), np.int32(5), np.int32(2)),
    down=(np.int32(5), np.int32(0), np.int32(-1)),
    none=(np.int32(3), np.int32(3), np.int32(0)),
    far=(np.int32(-(2**31)), np.int32(2**31 - 1), np.int32(1)),
    refused_zero=(np.int32(0), np.int32(1), np.int32(0)),
    refused_direction=(np.int32(0), np.int32(1), np.int32(-1)),
    refused_vector=([0], np.int32(1), np.int32(1)),
)
for_number_op.samples(plain=(np.int32(5), np.int32(-2), np.int64(3)))
map_count_op.samples(
    two=sample([[1.0, 2.0], [[3], [4]]]), refused_scalar=sample([1.0]), refused_sizes=sample([[1.0], [1.0, 2.0]])
)
map_size_op.samples(plain=np.int64(3), refused_large=np.int64(2**31))
map_slice_op.samples(row=([[1.0, 2.0], [3.0, 4.0]], np.int64(1)), text=([b"a", b"b"], np.int64(0)))
next_step_op.samples(plain=np.int64(3))
more_steps_op.samples(more=(np.int64(3), np.int64(4)), done=(np.int64(4), np.int64(4)))
