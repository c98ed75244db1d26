"""The ops that call functions: calls, conditionals, loops and gradients of functions."""
from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_functions import library
from ossia_functions.optional import Optional

LOWER = "_lower_using_switch_merge"  # whether a run makes Switch and Merge nodes of a conditional or loop
_MAX_INFERENCE = 16  # calls inside of calls through which static shapes are followed
_active = threading.local()


def _declared(count: int, shapes: Sequence[TensorShape]) -> list[TensorShape]:
    """The shapes of the `output_shapes` attribute, unknown ones where it has none."""
    return list(shapes) if len(shapes) == count else [UNKNOWN_SHAPE] * count


if_op = op("If(cond: Tcond, input: Tin) -> output: Tout", stateful=True, Tcond="type", Tin="list(type) >= 0",
           Tout="list(type) >= 0", then_branch="func", else_branch="func", output_shapes="list(shape) = []")
stateless_if_op = op("StatelessIf(cond: Tcond, input: Tin) -> output: Tout", Tcond="type", Tin="list(type) >= 0",
                     Tout="list(type) >= 0", then_branch="func", else_branch="func", output_shapes="list(shape) = []")
for _definition in (if_op, stateless_if_op):

    @_definition.shape
    def _(cond, input, *, Tout, output_shapes):
        return _declared(len(Tout), output_shapes)


case_op = op("Case(branch_index: int32, input: Tin) -> output: Tout", stateful=True, Tin="list(type) >= 0",
             Tout="list(type) >= 0", branches="list(func) >= 1", output_shapes="list(shape) = []")


@case_op.shape
def _(branch_index, input, *, Tout, output_shapes):
    return _declared(len(Tout), output_shapes)


while_op = op("While(input: T) -> output: T", stateful=True, T="list(type) >= 0", cond="func", body="func",
              output_shapes="list(shape) = []", parallel_iterations="int = 10")
stateless_while_op = op("StatelessWhile(input: T) -> output: T", T="list(type) >= 0", cond="func", body="func",
                        output_shapes="list(shape) = []", parallel_iterations="int = 10")
for _definition in (while_op, stateless_while_op):

    @_definition.shape
    def _(input, *, output_shapes):
        return _declared(len(input), output_shapes) if output_shapes else [t.shape for t in input]


partitioned_call_op = op("PartitionedCall(args: Tin) -> output: Tout", Tin="list(type) >= 0", Tout="list(type) >= 0",
                         f="func", config="string = ''", config_proto="string = ''", executor_type="string = ''")
stateful_partitioned_call_op = op(
    "StatefulPartitionedCall(args: Tin) -> output: Tout", stateful=True, Tin="list(type) >= 0",
    Tout="list(type) >= 0", f="func", config="string = ''", config_proto="string = ''", executor_type="string = ''",
)
for _definition in (partitioned_call_op, stateful_partitioned_call_op):

    @_definition.shape
    def _(args, *, node):
        return _body_shapes(node, node.attrs["f"].name, dict(node.attrs["f"].attr))


remote_call_op = op("RemoteCall(target: string, args: Tin) -> output: Tout", stateful=True, Tin="list(type) >= 1",
                    Tout="list(type) >= 1", f="func")


@remote_call_op.shape
def _(target, args, *, Tout):
    return [UNKNOWN_SHAPE] * len(Tout)


batch_function_op = op(
    "BatchFunction(in_tensors: Tin, captured_tensors: Tcaptured) -> out_tensors: Tout", f="func",
    num_batch_threads="int", max_batch_size="int", batch_timeout_micros="int", max_enqueued_batches="int = 10",
    allowed_batch_sizes="list(int) = []", container="string = ''", shared_name="string = ''",
    batching_queue="string = ''", Tin="list(type) >= 1", Tcaptured="list(type) >= 0", Tout="list(type) >= 1",
)


@batch_function_op.shape
def _(in_tensors, captured_tensors, *, Tout):
    return [UNKNOWN_SHAPE] * len(Tout)


symbolic_gradient_op = op("SymbolicGradient(input: Tin) -> output: Tout", Tin="list(type) >= 1",
                          Tout="list(type) >= 1", f="func")


@symbolic_gradient_op.shape
def _(input, *, Tout):
    # The gradient of an argument has its shape.
    return [t.shape for t in input[:len(Tout)]] if len(input) >= len(Tout) else [UNKNOWN_SHAPE] * len(Tout)


fake_param_op = op("FakeParam() -> output: dtype", dtype="type", shape="shape")


@fake_param_op.shape
def _(*, shape):
    return shape


@fake_param_op.kernel
def _(*, dtype, shape):
    # Stands where nothing reads a value: as small as its rank allows.
    if dtype in (dtypes.variant, dtypes.resource):
        return Optional(None)
    dims = shape.as_tuple() or ()
    return np.zeros([0 if d is None else d for d in dims], dtype.as_numpy_dtype)


def declare_call(definition: OpDef, function: library.Function) -> None:
    """Complete the op type of calls of a function by its name."""
    definition.shape(lambda *args, node: _body_shapes(node, function.name, library.call_attrs(node)))
    definition.foldable = False
    definition.calls = "call_by_name"


def _body_shapes(node: Operation, name: str, attrs: dict[str, Any]) -> Any:
    """Static shapes of a call's results, from the body of the function."""
    shapes = [UNKNOWN_SHAPE] * len(node.outputs)
    function = node.graph._functions.get(name)
    depth = getattr(_active, "depth", 0)
    if function is not None and depth < _MAX_INFERENCE and not node.attrs.get("_disable_call_shape_inference"):
        _active.depth = depth + 1
        try:
            body = function.body(node.graph, attrs, [t.shape for t in node._inputs])
        finally:
            _active.depth = depth
        if len(body.outputs) == len(shapes):
            shapes = [t.shape for t in body.outputs]
    if len(node.definition.outputs) == 1 and not node.definition.outputs[0].is_list:
        return shapes[0]
    return shapes if node.definition.simple_outputs else _grouped(node, shapes)


def _grouped(node: Operation, shapes: list) -> Any:
    from ossia_core.declare.kernels import grouped
    groups = grouped(node.definition.outputs, node.attrs, shapes)
    return groups[0] if len(groups) == 1 else groups


for _definition, _calls in (
    (if_op, "choice"),
    (stateless_if_op, "choice"),
    (case_op, "case"),
    (while_op, "loop"),
    (stateless_while_op, "loop"),
    (partitioned_call_op, "call"),
    (stateful_partitioned_call_op, "call"),
    (batch_function_op, "batch"),
    (remote_call_op, "remote_call"),
    (symbolic_gradient_op, "symbolic_gradient"),
):
    _definition.foldable = False
    _definition.calls = _calls
