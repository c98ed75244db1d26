"""Loops of functions expanded for a plan: While, For and MapDefun as while frames around copies of their bodies."""
from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.declare import opdef
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_functions import ops
from ossia_functions.func_graph import FuncGraph

Steps = Generator[Any, Any, Any]


class Place:
    """Where a body is put: the prefix of its names, what its sources wait for, the functions around it."""

    __slots__ = ("around", "controls", "depth", "origin", "pivot", "prefix")

    def __init__(
        self, prefix: str, controls: Sequence[Operation], pivot: Operation | None, origin: Operation | None,
        around: Place | None = None,
    ) -> None:
        self.prefix, self.controls, self.pivot, self.origin = prefix, list(controls), pivot, origin
        self.around: frozenset = frozenset() if around is None else around.around
        self.depth: int = 0 if around is None else around.depth + 1


def joined(prefix: str, name: str) -> str:
    """A name under a prefix, if there is one."""
    return f"{prefix}/{name}" if prefix else name


def check_lowered(op: Operation, value: Tensor, argument: str, name: str, signature: str) -> None:
    """Refuse a predicate of another dtype where the node is to become Switch or LoopCond nodes, which take none.

    Raises:
      InvalidArgumentError: `value` is not boolean.
    """
    if value.dtype.base_dtype is not dtypes.bool and op.attrs.get(ops.LOWER):
        raise errors.InvalidArgumentError(
            None, None, f"Input '{argument}' passed {dtypes.engine_name(value.dtype.base_dtype)} expected bool while "
            f"building NodeDef '{name}' using Op<name={signature}>"
        )


class Loops:
    """What an expansion knows of loops."""

    if TYPE_CHECKING:
        effects: list[Operation]
        _names: dict[str, int]
        _node: Callable[..., Operation]
        _new: Callable[..., Operation]
        _body: Callable[..., FuncGraph]
        _put: Callable[..., Steps]
        _truth: Callable[..., Tensor]

    def loop(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        count = len(inputs)
        condition_ref, body_ref = op.attrs["cond"], op.attrs["body"]
        condition = self._body(op, condition_ref, dict(condition_ref.attr), count, 1)
        body = self._body(op, body_ref, dict(body_ref.attr), count, count)
        place = Place(joined(here.prefix, op.name), (), None, here.origin, here)
        fixed = {i for i in range(count) if body.outputs[i] is body.inputs[i]}
        variables = list(inputs)
        shapes = [t.shape for t in op.outputs] if op.attrs["output_shapes"] else [UNKNOWN_SHAPE] * count
        if len(fixed) == count:
            # No variable changes: a value that enters the loop says when an iteration runs.
            variables.append(self._start(np.int32(0), controls, here, place))
            shapes.append(TensorShape([]))

        def holds(values: list[Tensor], inner: Place) -> Steps:
            (found,), _ = yield self._put(op, condition, values[:count], inner)
            check_lowered(
                op, found, "input", f"{op.name}/LoopCond/_10", "LoopCond; signature=input:bool -> output:bool"
            )
            return found

        def following(values: list[Tensor], inner: Place) -> Steps:
            found, _ = yield self._put(op, body, values[:count], inner)
            return [*found, *values[count:]]

        outs, end = yield self._frame(
            variables, fixed, shapes, holds, following, op.attrs["parallel_iterations"], controls, here, place
        )
        return outs[:count], [end]

    def counting(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        start, limit, delta, *values = inputs
        reference = op.attrs["body"]
        body = self._body(op, reference, dict(reference.attr), len(values) + 1, len(values))
        place = Place(joined(here.prefix, op.name), (), None, here.origin, here)
        count = self._new("_ForCount", "count", (start, limit, delta), place, controls).outputs[0]
        step = self._start(np.int64(0), controls, here, place)
        fixed = {1, 2, 3, *(4 + i for i in range(len(values)) if body.outputs[i] is body.inputs[i + 1])}

        def following(now: list[Tensor], inner: Place) -> Steps:
            number = self._new("_ForNumber", "number", (now[2], now[3], now[0]), inner).outputs[0]
            found, _ = yield self._put(op, body, [number, *now[4:]], inner)
            return [self._next(now[0], inner), *now[1:4], *found]

        shapes = [TensorShape([])] * 4 + [UNKNOWN_SHAPE] * len(values)
        outs, end = yield self._frame(
            [step, count, start, delta, *values], fixed, shapes, self._more, following, 10, controls, here, place
        )
        return outs[4:], [end]

    def mapping(self, op: Operation, inputs: list[Tensor], controls: list[Operation], here: Place) -> Steps:
        reference, kinds = op.attrs["f"], op.attrs["output_types"]
        body = self._body(op, reference, dict(reference.attr), len(inputs), len(kinds))
        for i, (result, kind) in enumerate(zip(body.outputs, kinds, strict=True)):
            if result.dtype.base_dtype is not kind:
                raise errors.InvalidArgumentError(
                    None, op, f"Mismatch in function return type and expected output type for output: {i}"
                )
        place = Place(joined(here.prefix, op.name), (), None, here.origin, here)
        sliced = len(op.attrs["Targuments"])
        length = self._node(
            opdef.lookup("_MapCount"), "count", inputs[:sliced], {"T": list(op.attrs["Targuments"])}, controls, place
        ).outputs[0]
        length._shape = TensorShape([])
        step = self._start(np.int64(0), controls, here, place)
        lists, dims = [], []
        for shape, kind in zip(op.attrs["output_shapes"], kinds, strict=True):
            known = shape.as_tuple()
            size = np.int32(-1) if known is None else np.array([-1 if d is None else d for d in known], np.int32)
            dims.append(self._constant(size, "element_shape", controls, here, place))
            size_of_list = self._new("_MapSize", "size", (length,), place).outputs[0]
            lists.append(self._new(
                "TensorListReserve", "results", (dims[-1], size_of_list), place, element_dtype=kind,
                shape_type=dtypes.int32,
            ).outputs[0])
        results = len(kinds)
        fixed = {1, *range(2 + results, 2 + results + len(inputs))}

        def following(now: list[Tensor], inner: Place) -> Steps:
            made, given = now[2:2 + results], now[2 + results:]
            slices = [self._new("_MapSlice", "slice", (t, now[0]), inner).outputs[0] for t in given[:sliced]]
            found, _ = yield self._put(op, body, [*slices, *given[sliced:]], inner)
            index = self._new("_MapSize", "index", (now[0],), inner).outputs[0]
            made = [
                self._new("TensorListSetItem", "result", (held, index, value), inner, element_dtype=kind).outputs[0]
                for held, value, kind in zip(made, found, kinds, strict=True)
            ]
            return [self._next(now[0], inner), now[1], *made, *given]

        shapes = [TensorShape([])] * (2 + results) + [UNKNOWN_SHAPE] * len(inputs)
        outs, end = yield self._frame(
            [step, length, *lists, *inputs], fixed, shapes, self._more, following, 10, controls, here, place
        )
        stacked = [
            self._new("TensorListStack", "stacked", (held, shape), place, element_dtype=kind).outputs[0]
            for held, shape, kind in zip(outs[2:2 + results], dims, kinds, strict=True)
        ]
        return stacked, [end, *(t.op for t in stacked)]

    # -- parts ------------------------------------------------------------------------------------------

    def _constant(
        self, value: Any, name: str, controls: Sequence[Operation], here: Place, place: Place
    ) -> Tensor:
        """A constant that is there whenever the loop runs."""
        pivots = [here.pivot] if here.pivot is not None else []
        kind = dtypes.as_dtype(value.dtype)
        made = self._node(
            opdef.lookup("Const"), name, (), {"value": np.asarray(value), "dtype": kind}, [*controls, *pivots], place
        ).outputs[0]
        made._shape = TensorShape(value.shape)
        return made

    def _start(self, value: Any, controls: Sequence[Operation], here: Place, place: Place) -> Tensor:
        return self._constant(value, "start", controls, here, place)

    def _next(self, step: Tensor, inner: Place) -> Tensor:
        return self._new("_NextStep", "step", (step,), inner).outputs[0]

    def _more(self, values: list[Tensor], inner: Place) -> Steps:
        """The condition of a loop whose first variables are the number of the step and that of all steps."""
        yield from ()
        return self._new("_MoreSteps", "more", (values[0], values[1]), inner).outputs[0]

    def _frame(
        self, variables: Sequence[Tensor], fixed: set[int], shapes: Sequence[TensorShape],
        holds: Callable[[list[Tensor], Place], Steps], following: Callable[[list[Tensor], Place], Steps],
        parallel_iterations: int, controls: Sequence[Operation], here: Place, place: Place,
    ) -> Steps:
        """A while frame.

        Args:
          variables: the values that enter it.
          fixed: numbers of those that do not change; one at least has to change.
          shapes: static shapes of what is left of them.
          holds: makes the condition, of the variables, in a place.
          following: makes the variables of the next iteration.
          parallel_iterations: an attribute of the nodes where values enter.
          controls: what runs before.
          here: where the node stands that the loop is expanded for.
          place: where the frame is put.

        Returns:
          What the variables are in the end, and the node that ends the loop.
        """
        frame = {"frame_name": self._frame_name(place), "parallel_iterations": parallel_iterations}
        enters = []
        for i, tensor in enumerate(variables):
            entered = self._new(
                "Enter", f"enter_{i}", (tensor,), place, controls, is_constant=i in fixed, **frame
            ).outputs[0]
            entered._shape = tensor.shape
            enters.append(entered)
        merges: dict[int, Operation] = {}
        for i, entered in enumerate(enters):
            if i not in fixed:
                merged = self._new("Merge", f"merge_{i}", (entered, entered), place)
                merged.outputs[0]._shape = shapes[i]
                merges[i] = merged
        effects = len(self.effects)
        first = next(iter(merges.values()))
        seen = [enters[i] if i in fixed else merges[i].outputs[0] for i in range(len(enters))]
        inner = Place(f"{place.prefix}/cond", (), first, here.origin, here)
        predicate = yield holds(seen, inner)
        going = self._new("LoopCond", "loop_cond", (self._truth(predicate, place),), place).outputs[0]
        switches = {i: self._new("Switch", f"switch_{i}", (m.outputs[0], going), place) for i, m in merges.items()}
        inside = {i: self._new("Identity", f"inside_{i}", (s.outputs[1],), place) for i, s in switches.items()}
        inner = Place(f"{place.prefix}/body", (), next(iter(inside.values())), here.origin, here)
        now = [enters[i] if i in fixed else inside[i].outputs[0] for i in range(len(enters))]
        later = yield following(now, inner)
        outs = list(variables)
        for i, merged in merges.items():
            again = self._new("NextIteration", f"next_{i}", (later[i],), place)
            merged._update_input(1, again.outputs[0])
            left = self._new("Exit", f"exit_{i}", (switches[i].outputs[0],), place)
            left.outputs[0]._shape = merged.outputs[0]._shape
            outs[i] = end = left.outputs[0]
        if len(self.effects) > effects:
            self.effects.append(end.op)
        return outs, end.op

    def _frame_name(self, place: Place) -> bytes:
        key = f"{place.prefix}/frame"
        self._names[key] = used = self._names.get(key, 0) + 1
        return f"{key}__{used}".encode()
