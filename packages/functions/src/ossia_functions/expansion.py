"""Calls expanded for a plan: what functional ops stand for, as the ops of which plans are made.

The nodes of a run are copied to a graph of the plan's own. A call is replaced by its body, a conditional by Switch and
Merge around its branches, a loop by a while frame, so that plans, backends and errors see one kind of graph. Bodies are
expanded by generators, which a loop drives: calls may be nested deeper than Python's stack.
"""
from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from ossia_core.declare import opdef
from ossia_core.declare.language import ENTER
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.graph import Graph
from ossia_core.graph.inference import inferred_shapes, output_types
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import provides
from ossia_core.session.compile.ordering import needed, ordered
from ossia_functions import batching, library
from ossia_functions.func_graph import FuncGraph
from ossia_functions.loops import Loops, Place, check_lowered, joined
from ossia_functions.ops import LOWER
from ossia_functions.symbolic import gradient_function

_MAX_NODES = 250_000  # of the bodies of functions, counted for each call
_BETWEEN_CHECKS = 64  # nodes
_MAX_DEPTH = 1000  # of calls inside of calls
Steps = Generator[Any, Any, Any]


@provides("ossia_functions", "expansion")
class Expanded:
    """The nodes of a run without calls.

    Attributes:
      ops: the nodes, in order of creation, those among them that only have side effects.
      fetches: tensors and nodes that stand for the fetches.
      feeds: tensors that stand for the feeds.
      origin: node -> the node of the program's graph that it was made for.
    """

    def __init__(
        self, ops: Sequence[Operation], fetches: Sequence[Any], feeds: Sequence[Tensor], check: Callable[[], None]
    ) -> None:
        """Expand the calls among the nodes of a run; `check` raises if it must end."""
        made = _Expansion(ops[0].graph, set(feeds), check)
        _drive(made.copy(ops))
        self.feeds = [made.value(t) for t in feeds]
        self.fetches: list[Any] = []
        targets = set(made.effects)
        for fetch in fetches:
            if isinstance(fetch, Tensor):
                value = made.value(fetch)
                self.fetches.append(value)
                if fetch not in made.fed:
                    targets.add(value.op)
            else:
                self.fetches.extend(made.done[fetch])
                targets.update(made.done[fetch])
        self.origin = made.origin
        self.ops = needed(targets, set(self.feeds))


class _Expansion(Loops):
    def __init__(self, source: Graph, fed: set[Tensor], check: Callable[[], None]) -> None:
        self._source, self.fed, self._check = source, fed, check
        self._count, self._until_check = 0, _BETWEEN_CHECKS
        self._graph = Graph()
        self._graph._functions = source._functions
        self._graph._function_gradients = source._function_gradients
        self.values: dict[Tensor, Tensor] = {}
        self.done: dict[Operation, list[Operation]] = {}
        self.origin: dict[Operation, Operation] = {}
        self.effects: list[Operation] = []
        self._loose: set[Operation] = set()  # nodes in loops that could as well run before
        self._names: dict[str, int] = {}

    def copy(self, ops: Sequence[Operation]) -> Steps:
        """Copy the nodes of the program's graph, calls expanded."""
        return self._copy(ops, self.values, self.done, Place("", (), None, None))

    def value(self, tensor: Tensor) -> Tensor:
        """What stands for a tensor of the program's graph."""
        found = self.values.get(tensor)
        return self._feed(tensor) if found is None else found

    # -- copying --------------------------------------------------------------------------------------

    def _node(
        self, definition: OpDef, name: str, inputs: Sequence[Tensor], attrs: dict[str, Any],
        controls: Sequence[Operation], place: Place, model: Operation | None = None,
    ) -> Operation:
        graph = self._graph
        self._counted(place)
        if place.prefix:
            name = f"{place.prefix}/{name}"
            used = self._names.get(name)
            self._names[name] = (used or 0) + 1
            if used is not None or name in self._source._by_name:
                name = f"{name}__{used or 0}"
        made = Operation.made(
            graph, definition, name, tuple(inputs), attrs, output_types(definition, attrs),
            list(dict.fromkeys(controls)),
        )
        if model is not None:
            made.frames, made.device = model.frames, model.device
        elif place.origin is not None:
            made.frames, made.device = place.origin.frames, place.origin.device
        if place.origin is not None:
            self.origin[made] = place.origin
        return made

    def _counted(self, place: Place) -> None:
        """Count a node, or a call, which may stand for none.

        Raises:
          ResourceExhaustedError: calls stand for too many.
        """
        if place.origin is not None:
            self._count += 1
            if self._count > _MAX_NODES:
                raise errors.ResourceExhaustedError(
                    None, place.origin, f"The calls of functions stand for more than {_MAX_NODES} nodes"
                )
        self._until_check -= 1
        if not self._until_check:
            self._until_check = _BETWEEN_CHECKS
            self._check()

    def _new(self, kind: str, name: str, inputs: Sequence[Tensor], place: Place, controls: Sequence[Operation] = (),
             **attrs: Any) -> Operation:
        """A node that control flow is made of."""
        definition = opdef.lookup(kind)
        if "T" in definition.attrs:
            attrs["T"] = inputs[0].dtype.base_dtype
        if "N" in definition.attrs:
            attrs["N"] = len(inputs)
        for attr in definition.attrs.values():
            attrs.setdefault(attr.name, attr.default)
        made = self._node(definition, name, inputs, attrs, controls, place)
        for tensor, shape in zip(made.outputs, inferred_shapes(made) or (), strict=False):
            tensor._shape = shape
        return made

    def _copy(
        self, ops: Sequence[Operation], values: dict[Tensor, Tensor], done: dict[Operation, list[Operation]],
        place: Place,
    ) -> Steps:
        """Copy nodes of one graph, `values` holding what stands for their outer inputs; calls are expanded."""
        late: list[tuple[Operation, int, Tensor]] = []
        top = place.origin is None
        for op in ordered(list(ops), self.fed, {op.definition for op in ops}):
            inputs: list[Tensor] = []
            for position, tensor in enumerate(op._inputs):
                found = values.get(tensor)
                if found is None and tensor in self.fed:
                    found = self._feed(tensor)
                if found is None:
                    # The value that comes around a while frame: stands in until its node is there.
                    late.append((op, position, tensor))
                    found = inputs[0]
                inputs.append(found)
            controls = [d for c in op._control_inputs for d in done.get(c, ())]
            # Nothing ties a loose node to an iteration of the loop that it is in: it only takes what never changes.
            loose = place.pivot is not None and self._are_loose(inputs, controls)
            if not top and all(t.op not in done for t in op._inputs) and not any(c in done for c in op._control_inputs):
                controls += place.controls
            if loose and (not inputs or op.definition.calls is not None or not op.definition.repeatable):
                controls.append(place.pivot)  # type: ignore[arg-type]
                loose = False
            here = place if not top else Place("", (), None, op)
            if op.definition.calls is not None:
                self._counted(here)
                outs, ends = yield _EXPANDERS[op.definition.calls](self, op, inputs, controls, here)
                for tensor, out in zip(op.outputs, outs, strict=True):
                    values[tensor] = out
                done[op] = ends
                continue
            attrs = op.attrs
            if not top and op.definition.role is ENTER:
                attrs = {**attrs, "frame_name": place.prefix.encode() + b"/" + attrs["frame_name"]}
            made = self._node(op.definition, op.name, inputs, attrs, controls, here, op)
            if loose:
                self._loose.add(made)
            self._shapes(made, op, top)
            for tensor, out in zip(op.outputs, made.outputs, strict=True):
                values[tensor] = out
            done[op] = [made]
        for op, position, tensor in late:
            done[op][0]._update_input(position, values[tensor])

    def _are_loose(self, inputs: Sequence[Tensor], controls: Sequence[Operation]) -> bool:
        loose = self._loose
        return all(t.op.definition.role is ENTER or t.op in loose for t in inputs) and all(c in loose for c in controls)

    def _feed(self, tensor: Tensor) -> Tensor:
        """A placeholder for a fed tensor whose producer does not run."""
        attrs = {"dtype": tensor.dtype.base_dtype, "shape": tensor.shape}
        made = self._node(opdef.lookup("Placeholder"), tensor.op.name, (), attrs, (), Place("", (), None, tensor.op))
        made.outputs[0]._shape = tensor.shape
        if tensor.dtype._is_ref_dtype:
            made.outputs[0].dtype = tensor.dtype
        self.values[tensor] = made.outputs[0]
        return made.outputs[0]

    @staticmethod
    def _shapes(made: Operation, op: Operation, top: bool) -> None:
        known = top or all(t.shape.is_fully_defined() for t in op.outputs)
        shapes = None if known else inferred_shapes(made)
        for i, (out, tensor) in enumerate(zip(made.outputs, op.outputs, strict=True)):
            out._shape = tensor._shape
            if shapes is not None and i < len(shapes) and shapes[i].is_compatible_with(tensor._shape):
                out._shape = tensor._shape.merge_with(shapes[i])
            data = getattr(tensor, "_handle_data", None)
            if data is not None:
                out._handle_data = data  # type: ignore[attr-defined]

    # -- calls ----------------------------------------------------------------------------------------

    def _find(self, op: Operation, reference: Any) -> library.Function:
        try:
            return library.find(self._source, reference)
        except errors.OpError as e:
            if op.definition.calls in ("batch", "remote_call", "symbolic_gradient"):
                raise errors.NotFoundError(None, op, e.message) from None
            raise e.attach(op) from None

    def _body(self, op: Operation, reference: Any, attrs: dict[str, Any], inputs: int, outputs: int) -> FuncGraph:
        """The body of a function that a node calls.

        Raises:
          InvalidArgumentError: there is no such function, it is malformed, or the call does not fit it.
        """
        function = self._find(op, reference)
        try:
            body = function.body(self._source, attrs)
        except ValueError as e:
            raise errors.InvalidArgumentError(None, op, str(e)) from None
        if len(body.inputs) != inputs:
            raise errors.InvalidArgumentError(
                None, op, f"Expects {len(body.inputs)} arguments, but {inputs} is provided"
            )
        if len(body.outputs) != outputs:
            raise errors.InvalidArgumentError(
                None, op, f"Function '{function.name}' returns {len(body.outputs)} values, but {outputs} are expected"
            )
        return body

    def _put(self, op: Operation, body: FuncGraph, args: Sequence[Tensor], place: Place) -> Steps:
        """Copy a body; returns what it returns, and the nodes that have run when it has."""
        key = body
        if key in place.around or place.depth > _MAX_DEPTH:
            problem = "calls itself" if key in place.around else f"is called more than {_MAX_DEPTH} calls deep"
            raise errors.InvalidArgumentError(None, place.origin, f"Function '{body.name}' {problem}")
        place.around = place.around | {key}
        values: dict[Tensor, Tensor] = {}
        for i, (placeholder, arg) in enumerate(zip(body.inputs, args, strict=True)):
            if placeholder.dtype.base_dtype is not arg.dtype.base_dtype:
                raise errors.InvalidArgumentError(
                    None,
                    place.origin,
                    f"Expects arg[{i}] to be {placeholder.dtype.base_dtype.name} but {arg.dtype.base_dtype.name} is "
                    f"provided to function '{body.name}'",
                )
            values[placeholder] = arg
        # What becomes Switch and Merge nodes runs as far as it leads to results; what is called has all its effects.
        effects = [] if op.attrs.get(LOWER) else [o for o in body._operations if o.definition.has_effect]
        roots = {t.op for t in body.outputs} | set(body.control_outputs) | set(effects)
        arguments = {t.op for t in body.inputs}
        ops = [o for o in needed(roots, set(body.inputs)) if o not in arguments]
        done: dict[Operation, list[Operation]] = {}
        yield self._copy(ops, values, done, place)
        outs = [values[t] for t in body.outputs]
        ends = [d for o in (*body.control_outputs, *effects) if o not in arguments for d in done[o]]
        if place.origin is not None:
            self.effects.extend(ends)
        if not ends:
            ends = list(dict.fromkeys(t.op for t in outs))
        return outs, ends

    def call(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        reference = op.attrs["f"]
        body = self._body(op, reference, dict(reference.attr), len(inputs), len(op.outputs))
        return (yield self._called(op, body, inputs, controls, here))

    def batch(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        # Every run is a batch of its own.
        batching.check_attributes(op)
        reference = op.attrs["f"]
        body = self._body(op, reference, dict(reference.attr), len(inputs), len(op.outputs))
        for i, (result, tensor) in enumerate(zip(body.outputs, op.outputs, strict=True)):
            if result.dtype.base_dtype is not tensor.dtype.base_dtype:
                raise errors.InvalidArgumentError(
                    None,
                    op,
                    f"Output {i} of type {result.dtype.name} does not match declared output type {tensor.dtype.name}",
                )
        kinds, most = list(op.attrs["Tin"]), op.attrs["max_batch_size"]
        given = self._node(
            batching.batch_inputs_op, joined(op.name, "batch"), inputs[:len(kinds)], {"T": kinds, "most": most},
            controls, here,
        )
        outs, ends = yield self._called(op, body, [*given.outputs, *inputs[len(kinds):]], controls, here)
        made = self._node(
            batching.batch_outputs_op, joined(op.name, "unbatch"), [*outs, given.outputs[0]],
            {"T": list(op.attrs["Tout"]), "Tbatched": kinds[0]}, ends, here,
        )
        return list(made.outputs), [*ends, made]

    def call_by_name(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        body = self._body(op, op.type, library.call_attrs(op), len(inputs), len(op.outputs))
        return (yield self._called(op, body, inputs, controls, here))

    def remote_call(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        # There is one device to call on; the target only has to be computed.
        reference = op.attrs["f"]
        body = self._body(op, reference, dict(reference.attr), len(inputs) - 1, len(op.outputs))
        return (yield self._called(op, body, inputs[1:], [*controls, inputs[0].op], here))

    def symbolic_gradient(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        reference = op.attrs["f"]
        function = self._find(op, reference)
        name = self._source._function_gradients.get(function.name)
        if name is not None:
            body = self._body(op, name, dict(reference.attr), len(inputs), len(op.outputs))
        else:
            try:
                body = gradient_function(function, self._source, dict(reference.attr))
            except (ValueError, LookupError) as e:
                raise errors.InvalidArgumentError(None, op, str(e)) from None
            if (len(body.inputs), len(body.outputs)) != (len(inputs), len(op.outputs)):
                raise errors.InvalidArgumentError(
                    None,
                    op,
                    f"The gradient of function '{function.name}' takes {len(body.inputs)} values and returns "
                    f"{len(body.outputs)}; the node has {len(inputs)} and {len(op.outputs)}",
                )
        return (yield self._called(op, body, inputs, controls, here))

    def _called(
        self, op: Operation, body: FuncGraph, inputs: Sequence[Tensor], controls: Sequence[Operation], here: Place
    ) -> Steps:
        place = Place(joined(here.prefix, op.name), controls, here.pivot, here.origin, here)
        outs, ends = yield self._put(op, body, inputs, place)
        return outs, [*ends, *controls]

    # -- conditionals -----------------------------------------------------------------------------------

    def _truth(self, value: Tensor, place: Place) -> Tensor:
        if value.dtype.base_dtype is dtypes.bool and value.shape.ndims in (0, None):
            return value
        return self._new("_Truth", "truth", (value,), place).outputs[0]

    def choice(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        bodies = [
            self._body(op, op.attrs[key], dict(op.attrs[key].attr), len(inputs) - 1, len(op.outputs))
            for key in ("then_branch", "else_branch")
        ]
        place = Place(joined(here.prefix, op.name), controls, here.pivot, here.origin, here)
        check_lowered(op, inputs[0], "pred", f"{op.name}/switch_pred/_2",
                       "Switch; signature=data:T, pred:bool -> output_false:T, output_true:T; attr=T:type")
        predicate = self._truth(inputs[0], place)
        return (yield self._branches(op, [predicate], bodies, inputs[1:], place, here))

    def case(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        bodies = [
            self._body(op, branch, dict(branch.attr), len(inputs) - 1, len(op.outputs))
            for branch in op.attrs["branches"]
        ]
        place = Place(joined(here.prefix, op.name), controls, here.pivot, here.origin, here)
        predicates = []
        for i in range(len(bodies) - 1):
            index = self._node(
                opdef.lookup("Const"), f"index_{i}", (), {"value": np.array(i, np.int32), "dtype": dtypes.int32},
                [*controls, *([here.pivot] if here.pivot is not None else [])], place,
            ).outputs[0]
            index._shape = TensorShape([])
            predicates.append(self._new("Equal", f"is_{i}", (inputs[0], index), place).outputs[0])
        return (yield self._branches(op, predicates, bodies, inputs[1:], place, here))

    def _branches(
        self, op: Operation, predicates: list[Tensor], bodies: list[FuncGraph], args: Sequence[Tensor], outer: Place,
        here: Place,
    ) -> Steps:
        """The first body whose predicate is true, the last one if none is: results and nodes that end it."""
        if not predicates:
            place = Place(f"{outer.prefix}/branch_0", outer.controls, outer.pivot, outer.origin, here)
            return (yield self._put(op, bodies[0], args, place))
        results: list[tuple[list[Tensor], Operation]] = []
        rest, on_way = list(args), predicates[0]
        effects = len(self.effects)
        for i, body in enumerate(bodies):
            mine, name = rest, f"branch_{i}"
            if i < len(predicates):
                switches = [self._new("Switch", f"{name}/switch", (t, predicates[i]), outer).outputs for t in rest]
                mine, rest = [s[1] for s in switches], [s[0] for s in switches]
                on_way, taken = self._new("Switch", f"{name}/pivot", (on_way, predicates[i]), outer).outputs
            else:
                taken = on_way
            pivot = self._new("Identity", f"{name}/taken", (taken,), outer)
            place = Place(f"{outer.prefix}/{name}", outer.controls, pivot, outer.origin, here)
            before = len(self.effects)
            outs, ends = yield self._put(op, body, mine, place)
            if len(self.effects) > before:
                pivot = self._new("Identity", "finished", (pivot.outputs[0],), place, ends)
            results.append((outs, pivot))
        effectful = len(self.effects) > effects
        outs, end = results[-1]
        for i, (branch_outs, branch_end) in reversed(list(enumerate(results[:-1]))):
            outs = [
                self._new("Merge", f"merge_{i}", (b, a), outer).outputs[0]
                for a, b in zip(branch_outs, outs, strict=True)
            ]
            if effectful or not outs:
                end = self._new("Merge", f"end_{i}", (end.outputs[0], branch_end.outputs[0]), outer)
        for out, tensor in zip(outs, op.outputs, strict=True):
            if tensor.shape.is_compatible_with(out.shape):
                out._shape = out.shape.merge_with(tensor.shape)
        if effectful or not outs:
            self.effects.append(end)
            return outs, [end]
        return outs, list(dict.fromkeys(t.op for t in outs))


def _drive(steps: Steps) -> Any:
    """Run a generator that yields generators, each of which gets back what the one it yields returns."""
    stack, value = [steps], None
    while stack:
        try:
            child = stack[-1].send(value)
        except StopIteration as end:
            stack.pop()
            value = end.value
        else:
            stack.append(child)
            value = None
    return value


_EXPANDERS = {
    "call": _Expansion.call,
    "batch": _Expansion.batch,
    "call_by_name": _Expansion.call_by_name,
    "remote_call": _Expansion.remote_call,
    "symbolic_gradient": _Expansion.symbolic_gradient,
    "choice": _Expansion.choice,
    "case": _Expansion.case,
    "loop": _Expansion.loop,
    "counting": _Expansion.counting,
    "mapping": _Expansion.mapping,
}
