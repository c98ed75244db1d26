"""The dataflow ops of control flow. Plans raise them to branches and loops; none but these runs as a kernel of its
own."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import IndexedSlices, with_one_index_type
from ossia_core.graph.convert import convert
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.names.structures import CompositeTensor

_ENTER_ATTRS: Any = {
    "T": "type",
    "frame_name": "string",
    "is_constant": "bool = false",
    "parallel_iterations": "int = 10",
}

switch_op = op("Switch(data: T, pred: bool) -> output_false: T, output_true: T", T="type")
ref_switch_op = op("RefSwitch(data: Ref(T), pred: bool) -> output_false: Ref(T), output_true: Ref(T)", T="type")
merge_op = op("Merge(inputs: N*T) -> output: T, value_index: int32", T="type", N="int >= 1")
ref_merge_op = op("RefMerge(inputs: Ref(N*T)) -> output: Ref(T), value_index: int32", T="type", N="int >= 1")
enter_op = op("Enter(data: T) -> output: T", **_ENTER_ATTRS)
ref_enter_op = op("RefEnter(data: Ref(T)) -> output: Ref(T)", **_ENTER_ATTRS)
exit_op = op("Exit(data: T) -> output: T", T="type")
ref_exit_op = op("RefExit(data: Ref(T)) -> output: Ref(T)", T="type")
next_iteration_op = op("NextIteration(data: T) -> output: T", T="type")
ref_next_iteration_op = op("RefNextIteration(data: Ref(T)) -> output: Ref(T)", T="type")
loop_cond_op = op("LoopCond(input: bool) -> output: bool")
loop_cond_op.forwards()
control_trigger_op = op("ControlTrigger()")
ref_select_op = op("RefSelect(index: int32, inputs: Ref(N*T)) -> output: Ref(T)", T="type", N="int >= 1")
ref_select_op.changes("inputs")  # what takes the output may


def _both(data: Tensor, pred: Tensor) -> tuple[TensorShape, TensorShape]:
    with_rank(pred, 0)
    return data.shape, data.shape


switch_op.shape(_both)
ref_switch_op.shape(_both)


def _merged(inputs: list[Tensor]) -> tuple[TensorShape, TensorShape]:
    """What all inputs agree on; a size that differs is unknown."""
    dims = inputs[0].shape.as_tuple()
    for t in inputs[1:]:
        other = t.shape.as_tuple()
        if dims is None or other is None or len(dims) != len(other):
            return UNKNOWN_SHAPE, TensorShape(())
        dims = tuple(a if a == b else None for a, b in zip(dims, other, strict=True))
    return TensorShape(dims), TensorShape(())


merge_op.shape(_merged)
ref_merge_op.shape(_merged)


def _passed_on(data: Tensor) -> TensorShape:
    return data.shape


for _definition in (ref_enter_op, exit_op, ref_exit_op, next_iteration_op, ref_next_iteration_op):
    _definition.shape(_passed_on)


@enter_op.shape
def _(data, *, is_constant):
    # A loop variable may change its shape; the builder sets what it knows.
    return data.shape if is_constant else UNKNOWN_SHAPE


@loop_cond_op.shape
def _(input):
    return with_rank(input, 0)


@ref_select_op.shape
def _(index, inputs):
    shape = inputs[0].shape
    same = shape.is_fully_defined() and all(t.shape.is_fully_defined() and t.shape == shape for t in inputs)
    return shape if same else UNKNOWN_SHAPE


@control_trigger_op.kernel
def _():
    return ()


@ref_select_op.kernel(alias=True)
def _(index, inputs):
    if not 0 <= index < len(inputs):
        raise InvalidArgumentError(None, None, f"Index must be in the range [0, {len(inputs)}) but got {index}")
    return inputs[int(index)]


def _stands_alone(*_: Any) -> Any:
    raise ValueError("this node is outside of the conditional or loop that it belongs to")


@loop_cond_op.kernel(alias=True)
def _(input):
    return input


for _definition in (enter_op, ref_enter_op, exit_op, ref_exit_op, next_iteration_op, ref_next_iteration_op):
    _definition.kernel(_stands_alone)

loop_cond_op.gradient(lambda node, grad: None)
for _definition in (switch_op, ref_switch_op, merge_op, ref_merge_op):
    _definition.gradient_in("ossia_core.control.cond")
for _definition in (enter_op, ref_enter_op, exit_op, ref_exit_op, next_iteration_op, ref_next_iteration_op):
    _definition.gradient_in("ossia_core.control.while_loop")


def switch(data: Any, pred: Any, name: str | None = None) -> Any:
    """(output_false, output_true): `data` in the branch that `pred` takes."""
    with name_scope(name, "Switch", [data, pred]) as name:
        if isinstance(data, CompositeTensor):
            branches = zip(*[switch_op(part, pred) for part in data.components()])
            return tuple(data.with_components(parts) for parts in branches)
        data = convert(data, name="data", as_ref=True)
        return switch_op(data, convert(pred, name="pred"), name=name)


def switch_ref_or_tensor(data: Any, pred: Any, name: str = "Switch") -> Any:
    """`switch` that hands references on, placed with `data`."""
    with colocate_with(data, ignore_existing=True):
        if isinstance(data, Tensor) and data.dtype._is_ref_dtype:
            return ref_switch_op(data, pred, name=name)
        return switch(data, pred, name=name)


def merge(inputs: Any, name: str | None = None) -> Any:
    """(output, value_index): the one of `inputs` that has a value."""
    if any(t is None for t in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with name_scope(name, "Merge", inputs) as name:
        if all(isinstance(t, Tensor) and t.dtype._is_ref_dtype for t in inputs):
            return ref_merge_op(inputs, name=name)
        composite = next((t for t in inputs if isinstance(t, CompositeTensor)), None)
        if composite is not None:
            parts = [merge_op(group) for group in zip(*[value.components() for value in _as_composites(inputs)])]
            return composite.with_components([part[0] for part in parts]), parts[0][1]
        return merge_op(inputs, name=name)


def _as_composites(inputs: Any) -> list[Any]:
    """Composite tensors; a dense gradient beside IndexedSlices is all of its rows, and their indices have one dtype."""
    if any(isinstance(value, CompositeTensor) and not isinstance(value, IndexedSlices) for value in inputs):
        for value in inputs:
            if not isinstance(value, CompositeTensor):
                raise TypeError(f"Type {type(value)} not supported")
        return list(inputs)
    found = []
    for value in inputs:
        if not isinstance(value, IndexedSlices):
            shape = lookup("Shape")(value)
            value = IndexedSlices(value, builder("range")(0, shape[0]), shape)
        found.append(value)
    return with_one_index_type(found)


def enter(data: Tensor, frame_name: str, is_constant: bool, parallel_iterations: int, use_input_shape: bool = True,
          name: str | None = None) -> Tensor:
    """`data` inside the while frame."""
    make = ref_enter_op if data.dtype._is_ref_dtype else enter_op
    result = make(
        data, frame_name=frame_name, is_constant=is_constant, parallel_iterations=parallel_iterations, name=name
    )
    if use_input_shape:
        result.set_shape(data.shape)
    return result


def leave(data: Tensor, name: str | None = None) -> Tensor:
    """`data` outside of its while frame, once the loop ends."""
    return (ref_exit_op if data.dtype._is_ref_dtype else exit_op)(data, name=name)


def next_iteration(data: Tensor, name: str | None = None) -> Tensor:
    """`data` in the next iteration."""
    return (ref_next_iteration_op if data.dtype._is_ref_dtype else next_iteration_op)(data, name=name)
