"""Reverse-mode differentiation of graphs: `tf.gradients`."""
from __future__ import annotations

import collections
import contextlib
import enum
import operator
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ossia_core.declare import opdef
from ossia_core.declare.builders import builder, functional
from ossia_core.declare.language import EXIT, SWITCH
from ossia_core.declare.opdef import lookup
from ossia_core.graph import collector
from ossia_core.graph.composites import (
    IndexedSlices,
    convert_to_tensor_or_indexed_slices,
    with_one_index_type,
)
from ossia_core.graph.convert import convert, convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import tuple as gated
from ossia_core.primitives.variable_ops import handle_data

_TRAINABLE = frozenset(
    (
        dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128, dtypes.resource,
        dtypes.variant,
    )
)


@public("AggregationMethod")
class AggregationMethod:
    """How gradients that flow into one tensor are added up."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@public("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What `gradients` gives for an x that the ys do not depend on."""

    NONE = "none"
    ZERO = "zero"


def is_trainable(tensor: Any) -> bool:
    """Whether gradients flow through tensors of this dtype, or of the dtype of this tensor."""
    return dtypes.as_dtype(getattr(tensor, "dtype", tensor)).base_dtype in _TRAINABLE


def _carries(tensor: Tensor) -> bool:
    return is_trainable(tensor) or tensor.dtype.base_dtype is dtypes.bfloat16


@public("gradients")
def gradients(ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", colocate_gradients_with_ops: bool = False,
              gate_gradients: bool = False, aggregation_method: int | None = None, stop_gradients: Any = None,
              unconnected_gradients: Any = UnconnectedGradients.NONE) -> list:
    """Derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
      ys: a tensor or list of tensors to be differentiated.
      xs: a tensor, variable or list of them.
      grad_ys: initial gradients, one per y; ones if None.
      name: name scope of the ops made.
      colocate_gradients_with_ops: whether to place gradient ops with the ops they belong to.
      gate_gradients: whether the gradients of one op become available together.
      aggregation_method: a value of `AggregationMethod`.
      stop_gradients: tensors to be treated as constants.
      unconnected_gradients: what to return for an x that no y depends on.

    Returns:
      A list of tensors or IndexedSlices, one per x; None (or zeros) where ys do not depend on x.

    Raises:
      LookupError: an op on the way has no gradient.
      ValueError: invalid arguments, or a gradient function returned the wrong number of gradients.
      TypeError: `grad_ys` of other dtypes than `ys`.
    """
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
    ys, xs = _as_list(ys), _as_list(xs)
    stops = [] if stop_gradients is None else _as_list(stop_gradients)
    initial = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    with name_scope(name, "gradients", [*ys, *xs, *stops, *initial]):
        graph = get_default_graph()
        graph.unique_name("uid")  # the original takes a name for the call here, which programs see in later names
        ys = [convert_to_tensor_or_indexed_slices(y, name=f"y_{i}") for i, y in enumerate(ys)]
        xs = list(map(_handle, xs))
        xs = [x if isinstance(x, IndexedSlices) else convert(x, None, f"x_{i}", as_ref=True) for i, x in enumerate(xs)]
        stops = [
            x if isinstance(x, IndexedSlices) else convert(_handle(x), None, f"stop_{i}", as_ref=True)
            for i, x in enumerate(stops)
        ]
        starts = _initial(initial, ys, graph, colocate_gradients_with_ops)
        backward = _Backward(graph, xs, colocate_gradients_with_ops, gate_gradients, aggregation_method)
        with collector.paused():
            backward.run(ys, starts, stops)
    with collector.paused():  # what the loops still lack has names outside the scope, as in the original
        found = backward.results()
    if unconnected is UnconnectedGradients.ZERO:
        return [zeros_of(x) if g is None else g for x, g in zip(xs, found)]
    return found


def _as_list(value: Any) -> list:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _handle(x: Any) -> Any:
    """The handle of a resource variable, through which its gradient flows."""
    handle = getattr(x, "handle", None)
    return handle if isinstance(handle, Tensor) and handle.dtype is dtypes.resource and not isinstance(x, Tensor) else x


def _initial(grad_ys: Sequence[Any], ys: Sequence[Any], graph: Any, colocate: bool) -> list:
    """The gradients to start from, with dtypes checked."""
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    found: list[Any] = []
    grad_ys = [
        grad
        if grad is None or isinstance(grad, IndexedSlices)
        else convert_to_tensor_or_indexed_slices(grad, name=f"grad_y_{i}")
        for i, grad in enumerate(grad_ys)
    ]
    for i, (grad, y) in enumerate(zip(grad_ys, ys, strict=True)):
        with _placed_with(graph, y.op, colocate):
            if grad is None:
                if y.dtype.is_complex:
                    raise TypeError(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})")
                shape = builder("shape")(y.values if isinstance(y, IndexedSlices) else y)
                one = convert_to_tensor(1.0 if y.dtype.is_floating else 1, y.dtype.base_dtype, f"grad_ys_{i}")
                found.append(lookup("Fill")(shape, one))
                continue
            _check_initial(grad, y)
            if isinstance(grad, IndexedSlices):
                identity = lookup("Identity")
                found.append(
                    IndexedSlices(
                        indices=identity(grad.indices, name=f"grad_ys_{i}_indices"),
                        values=identity(grad.values, name=f"grad_ys_{i}_values"),
                        dense_shape=None
                        if grad.dense_shape is None
                        else identity(grad.dense_shape, name=f"grad_ys_{i}_shape"),
                    )
                )
            else:
                found.append(lookup("Identity")(grad, name=f"grad_ys_{i}"))
    return found


def _check_initial(grad: Any, y: Any) -> None:
    if y.dtype is dtypes.variant:
        if grad.dtype is not dtypes.variant:
            raise TypeError(
                f"Gradient type {grad.dtype.name} generated for variant tensor {y} with type {y.dtype.name} must be "
                "variant"
            )
    elif y.dtype is dtypes.resource:
        if grad.dtype is dtypes.resource:
            raise TypeError("Input gradient for a resource tensor may not be a resource")
    elif _is_real(y.dtype) or y.dtype.is_complex:
        kind = "real or integer" if _is_real(y.dtype) else "complex"
        if not (grad.dtype.is_complex if y.dtype.is_complex else _is_real(grad.dtype)):
            raise TypeError(
                f"Gradient type {grad.dtype.name} generated for {kind}-valued tensor {y} with type {y.dtype.name} must "
                f"be {kind.replace('complex', 'real')}"
            )
    else:
        raise TypeError(f"Tensor {y} with type {y.dtype.name} must be numeric to obtain a default gradient")


def _is_real(dtype: Any) -> bool:
    return dtype.is_floating or dtype.is_integer


def _placed_with(graph: Any, op: Operation, colocate: bool) -> Any:
    return graph.colocate_with(op) if colocate else contextlib.nullcontext()


class _Backward:
    """One call of `gradients`: walks from the ys to the xs, each op after all that it feeds into."""

    def __init__(self, graph: Any, xs: list, colocate: bool, gate: bool, aggregation: int | None) -> None:
        self._graph, self._xs, self._colocate, self._gate, self._aggregation = graph, xs, colocate, gate, aggregation
        self._grads: dict[Operation, list] = {}
        self._pending: dict[Operation, int] = collections.defaultdict(int)
        self._loops: Any = None  # LoopGradients, if there are loops
        self._queue: collections.deque[Operation] = collections.deque()
        self._inputs: Callable[[Operation], Sequence[Tensor]] = operator.attrgetter("_inputs")
        self._consumers: Callable[[Tensor], Sequence[Operation]] = operator.attrgetter("_consumers")
        if graph.building_function:
            closures = graph.closures(xs)
            self._inputs, self._consumers = closures.inputs, closures.consumers

    def run(self, ys: list, starts: list, stops: list) -> None:
        targets, sources = [y.op for y in ys], [x.op for x in self._xs]
        reachable = self._count(targets, sources)
        for y, start in zip(ys, starts, strict=True):
            self._add(y, start)
        queued: set[Operation] = set()
        for op in targets:
            if not self._pending[op] and op not in queued and op in reachable:
                queued.add(op)
                self._queue.append(op)
        if self._loops is not None:
            for exit_ in self._loops.unused_exits(self._pending, queued):
                if is_trainable(exit_):
                    self._add(exit_, self._loops.zeros_like_for_exit(exit_))
                    self._queue.append(exit_.op)
        stop_ops = {t.op for t in stops}
        stop_ops.update(op for op in sources if not any(self._pending[t.op] > 0 for t in self._inputs(op)))
        while self._queue:
            op = self._queue.popleft()
            with _placed_with(self._graph, op, self._colocate):
                self._visit(op, stop_ops)
            self._release_inputs(op)

    def results(self) -> list[Any]:
        """The gradients of the `xs`; what ends loops stands outside of the scope of the call."""
        if self._loops is not None:
            self._loops.finish()
        return [self._result(x) for x in self._xs]

    def _count(self, targets: list[Operation], sources: list[Operation]) -> set[Operation]:
        """Count, for the ops between sources and targets, the uses that must be differentiated before them."""
        reached: set[Operation] = set()
        pending = collections.deque(sources)
        while pending:
            op = pending.popleft()
            if op not in reached:
                reached.add(op)
                for output in op.outputs:
                    if _carries(output):
                        pending.extend(self._consumers(output))
        reachable = {op for op in targets if op in reached}
        between: dict[Operation, None] = {}
        pending = collections.deque(targets)
        while pending:
            op = pending.popleft()
            if op in reached:
                between[op] = None
                reached.remove(op)
                pending.extend(t.op for t in self._inputs(op))
        if self._graph._control_flow_context is not None or any(op.definition.role is EXIT for op in between):
            from ossia_core.differentiate.loop_gradient import check_initial_values, loop_gradients
            check_initial_values(between, sources)
            self._loops = loop_gradients(between, self._colocate)
        for op in between:
            for t in self._inputs(op):
                if t.op in between:
                    self._pending[t.op] += 1
        return reachable

    def _visit(self, op: Operation, stop_ops: set[Operation]) -> None:
        loops = self._loops
        if loops is not None:
            loops.enter(op, before=True)
        grads = self._aggregated(op)
        if loops is not None:
            loops.leave(op, before=True)
        has_grads = any(g is not None for g in grads)
        gradient = gradient_function(op) if has_grads and op not in stop_ops else None
        if loops is not None:
            loops.enter(op, before=False)
        if gradient is not None:
            for i, grad in enumerate(grads):
                if grad is None and is_trainable(op.outputs[i]) and not _is_list_of_call(op, i):
                    grads[i] = loops.zeros_like(op, i) if loops is not None else zeros_like_output(op, i)
            with self._graph.name_scope(op.name + "_grad"), self._graph._original_op(op):
                results = gradient(op, *grads)
                results = list(results) if isinstance(results, (list, tuple)) else [results]
                if len(results) != len(op._inputs):
                    raise ValueError(
                        f"Num gradients {len(results)} generated for op {op} do not match num inputs "
                        f"{len(op._inputs)}"
                    )
                if self._gate and sum(g is not None for g in results) > 1:
                    with self._graph.device(None), self._graph.colocate_with(None, ignore_existing=True):
                        results = gated(results)
        else:
            results = [None] * len(op._inputs)
        for tensor, grad in zip(self._inputs(op), results, strict=True):
            if grad is None:
                continue
            if isinstance(grad, Tensor) and tensor.dtype is not dtypes.resource:
                try:
                    grad.set_shape(tensor.shape)
                except ValueError:
                    raise ValueError(
                        "Incompatible shapes between op input and calculated input gradient.  Forward operation: "
                        f"{op.name}.  Input index: {op._inputs.index(tensor)}. Original input shape: {tensor.shape}.  "
                        f"Calculated input gradient shape: {grad.shape}"
                    ) from None
            self._add(tensor, grad)
        if loops is not None:
            loops.leave(op, before=False)

    def _release_inputs(self, op: Operation) -> None:
        """Queue the producers of an op's inputs that wait for no other use."""
        for x in self._inputs(op):
            source = x.op
            self._pending[source] -= 1
            ready = self._pending[source] == 0
            if self._loops is not None and not ready:
                ready = self._pending[source] > 0 and self._loops.is_switch(source)
            if not ready:
                continue
            if self._loops is not None and source.definition.role is EXIT:
                # A loop is entered once the gradients of all its exits are known.
                for exit_, zero in self._loops.exit_ready(x, self._has_grads):
                    if zero and is_trainable(exit_):
                        self._add(exit_, self._loops.zeros_like_for_exit(exit_))
                    self._queue.append(exit_.op)
            else:
                self._queue.append(source)

    def _has_grads(self, op: Operation) -> bool:
        for grads in self._grads.get(op, ()):
            if isinstance(grads, (Tensor, IndexedSlices)) or (grads and any(g is not None for g in grads)):
                return True
        return False

    def _add(self, tensor: Any, grad: Any) -> None:
        op = tensor.op
        per_output = self._grads.get(op)
        if per_output is None:
            per_output = self._grads[op] = [[] for _ in op.outputs]
        index = tensor.value_index if isinstance(tensor, Tensor) else tensor.values.value_index
        if isinstance(per_output[index], list):
            per_output[index].append(grad)
        else:
            # The merge of a loop's gradient is known before the gradient that flows back into it.
            per_output[index] = grad

    def _aggregated(self, op: Operation) -> list:
        per_output = self._grads.get(op)
        if per_output is None:
            return [None] * len(op.outputs)
        for i, grads in enumerate(per_output):
            if isinstance(grads, (Tensor, IndexedSlices)):
                continue
            if not grads:
                per_output[i] = None if grads is None else []
                continue
            per_output[i] = self._sum(op, grads)
        found = [None if isinstance(g, list) else g for g in per_output]
        self._grads[op] = found
        return list(found)

    def _sum(self, op: Operation, grads: list) -> Any:
        if self._aggregation not in (None, 0, 1, 2):
            raise ValueError(f"Invalid aggregation_method specified {self._aggregation}.")
        if len(grads) < 2:
            return grads[0]
        if not all(isinstance(g, Tensor) for g in grads):
            return sum_slices(grads)
        if self._aggregation == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(grads) > 2 and \
                any(g.shape.is_fully_defined() for g in grads):
            return builder("accumulate_n")(grads)
        if self._aggregation in (AggregationMethod.EXPERIMENTAL_TREE, AggregationMethod.EXPERIMENTAL_ACCUMULATE_N):
            with self._graph.name_scope(op.name + "_gradient_sum"):
                total = grads[0]
                for grad in grads[1:]:
                    total = lookup("AddN")([total, grad])
                return total
        by_device: dict[str, list] = {}
        for grad in grads:
            by_device.setdefault(grad.device, []).append(grad)
        sums = []
        for device in sorted(by_device):
            group = by_device[device]
            with self._graph.colocate_with(group[0].op, ignore_existing=True):
                sums.append(group[0] if len(group) == 1 else lookup("AddN")(group))
        return sums[0] if len(sums) == 1 else lookup("AddN")(sums)

    def _result(self, x: Any) -> Any:
        grads = self._grads.get(x.op)
        grad = None if grads is None else grads[x.value_index]
        if isinstance(grad, list):
            if len(grad) > 1:
                raise AssertionError(f"gradients of {x.name} were not added up")
            grad = grad[0] if grad else None
        return grad


_playing = threading.local()


@contextlib.contextmanager
def unwanted_gradients(op: Operation, inputs: frozenset[int]) -> Iterator[None]:
    """A context in which the gradient of `op` needs none for some of its inputs, by their indices."""
    before = getattr(_playing, "back", None)
    _playing.back = (op, inputs)
    try:
        yield
    finally:
        _playing.back = before


def unwanted(op: Operation) -> frozenset[int]:
    """The inputs whose gradients a tape that plays `op` back has no use for; `tf.gradients` asks for all."""
    back = getattr(_playing, "back", None)
    return back[1] if back is not None and back[0] is op else frozenset()


def gradient_function(op: Operation, overridden: bool = True) -> Callable | None:
    """The function that differentiates a node; None if no gradient flows through it.

    Args:
      op: the node.
      overridden: whether the one that it was given in place of its type's counts.

    Raises:
      LookupError: its type has no gradient.
    """
    if not op._inputs:
        return None
    override = op.attrs.get("_gradient_op_type") if overridden else None
    try:
        return opdef.gradient_of(override.decode() if override else op.type)
    except LookupError:
        if op.definition.calls == "loop":
            return functional("loop_gradient")
        if op.definition.calls in ("call", "call_by_name"):
            return functional("call_gradient")
        raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})") from None


def _is_list_of_call(op: Operation, index: int) -> bool:
    """Whether an output is a list or optional of a call, whose gradient goes without zeros for it."""
    return op.definition.calls == "call" and op.outputs[index].dtype is dtypes.variant


def zeros_of(tensor: Tensor) -> Tensor:
    """Zeros for a gradient of `tensor`; of a variable's handle, in the shape of the variable."""
    return _zeros_of_variable(tensor) if tensor.dtype is dtypes.resource else builder("zeros_like")(tensor)


def _zeros_of_variable(handle: Tensor) -> Tensor:
    dtype, _ = handle_data(handle) or (dtypes.float32, None)
    from ossia_core.primitives.handle_shape import shape_of_variable
    return builder("zeros")(shape_of_variable(handle), dtype)


def zeros_like_output(op: Operation, index: int) -> Tensor:
    """Zeros for an output that no gradient reached, made only where the output itself has a value."""
    value = op.outputs[index]
    context = op._control_flow_context
    if op.definition.role is not SWITCH or context is None:
        if value.dtype is dtypes.resource:
            return _zeros_of_variable(value)
        return lookup("ZerosLike")(value, name="zeros_like")
    graph = get_default_graph()
    other = lookup("Switch")(op._inputs[0], context.pred)[1 - context.branch]
    pivot = lookup("Identity")(other)
    if value.dtype is dtypes.resource:
        with graph.control_dependencies([pivot]):
            return _zeros_of_variable(other)
    shape = lookup("Shape")(other)
    with graph.control_dependencies([pivot]):
        return builder("zeros")(shape, dtype=value.dtype.base_dtype)


def sum_slices(grads: Iterable[Any]) -> Any:
    """The sum of gradients some of which are IndexedSlices: rows put one after the other, dense if any is dense."""
    found = [g for g in grads if g is not None]
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    if any(isinstance(g, Tensor) for g in found):
        return lookup("AddN")(found)
    concat = lookup("ConcatV2")
    slices = with_one_index_type(found)
    values = concat([g.values for g in slices], 0, name="concat")
    indices = concat([g.indices for g in slices], 0, name="concat")
    return IndexedSlices(values, indices, slices[0].dense_shape)
