"""`tf.GradientTape`: gradients of what was built while a tape recorded."""
from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.language import ENTER, EXIT, MERGE, NEXT, SWITCH
from ossia_core.declare.opdef import lookup
from ossia_core.differentiate.autodiff import (
    UnconnectedGradients,
    gradient_function,
    is_trainable,
    sum_slices,
    unwanted_gradients,
)
from ossia_core.graph import collector
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.plugins.api_table import public
from ossia_core.primitives.variable_ops import handle_data

# Their gradients look at that of the first output alone.

@public("GradientTape")
class GradientTape:
    """Records what is built in its context, and differentiates it.

    Args:
      persistent: whether `gradient` may be called more than once.
      watch_accessed_variables: whether trainable resource variables that are read are watched.

    Example:
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(x)
      ...     y = x * x
      >>> tape.gradient(y, x)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent, self._watch_variables = persistent, watch_accessed_variables
        self._used = self._recording = False
        self._forget()

    def _forget(self) -> None:
        self._spans: list[tuple[Graph, int, int]] = []
        self._watched: dict[Tensor, None] = {}
        self._variables: dict[Any, None] = {}
        self._read: list[tuple[Graph, dict]] = []

    # -- recording ------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        graph = get_default_graph()
        self._recording = True
        self._spans.append((graph, graph._next_id, -1))
        if self._watch_variables:
            seen: dict[Any, None] = {}
            graph._reads_seen.append(seen)
            self._read.append((graph, seen))

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._recording = False
        graph, first, _ = self._spans.pop()
        self._spans.append((graph, first, graph._next_id))
        if self._watch_variables:
            source, seen = self._read.pop()
            source._reads_seen[:] = [other for other in source._reads_seen if other is not seen]
            self._variables.update(seen)

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            self._stop()

    def watch(self, tensor: Any) -> None:
        """Differentiate by `tensor`: a tensor, a variable, or a structure of them."""
        for item in nest.flatten(tensor):
            if not (isinstance(item, Tensor) or hasattr(item, "_as_graph_element") or hasattr(item, "handle")):
                raise ValueError(f"Passed in object of type {type(item)}, not tf.Tensor")
            if not dtypes.as_dtype(item.dtype).base_dtype.is_floating and not item.dtype.is_complex:
                from ossia_core.names import logging

                logging.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", item.dtype
                )
            if hasattr(item, "handle") and not isinstance(item, Tensor):
                self._variables[item] = None
            self._watched[_source(item)] = None

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """A context in which nothing is recorded."""
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget all that was recorded."""
        recording = self._recording
        if recording:
            self._stop()
        self._forget()
        if recording:
            self._start()

    def watched_variables(self) -> tuple:
        """The variables watched, in the order in which they were used."""
        seen = dict(self._variables)
        for _, current in self._read:
            seen.update(current)
        return tuple(seen)

    # -- gradients ------------------------------------------------------------------------------------

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The gradients of the sum of `target` with respect to `sources`.

        Args:
          target: a tensor or a structure of tensors.
          sources: a tensor or variable, or a structure of them.
          output_gradients: gradients of the targets to start from; ones if None.
          unconnected_gradients: what to return for a source that no target depends on.

        Returns:
          The gradients in the structure of `sources`; None where there is none.

        Raises:
          RuntimeError: the tape is not persistent and was used before, or is used in its own context without being
              persistent.
          ValueError: an unknown value of `unconnected_gradients`.
        """
        if self._used:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        if self._recording:
            if not self._persistent:
                self._stop()
            else:
                from ossia_core.names import logging

                logging.warning(
                    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less "
                    "efficient than calling it outside the context (it causes the gradient ops to be recorded on the "
                    "tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside the "
                    "context if you actually want to trace the gradient in order to compute higher order derivatives."
                )
        unconnected = _unconnected(unconnected_gradients)
        flat = [_source(item) for item in nest.flatten(sources)]
        for item in nest.flatten(sources):
            if not dtypes.as_dtype(item.dtype).base_dtype.is_floating and not item.dtype.is_complex:
                from ossia_core.names import logging

                logging.vlog(
                    1, "The dtype of the source tensor must be floating (e.g. tf.float32), got %r", item.dtype
                )
        targets = [_as_tensor(t) for t in nest.flatten(target)]
        starts = None if output_gradients is None else [
            None if g is None else convert_to_tensor(g) for g in nest.flatten(output_gradients)
        ]
        with collector.paused():
            found = self._played_back(targets, flat, starts)
        if unconnected is UnconnectedGradients.ZERO:
            found = [_zeros(item) if g is None else g
                     for g, item in zip(found, nest.flatten(sources), strict=True)]
        if not self._persistent:
            self._used = True
            self._forget()
        return nest.pack_sequence_as(sources, found)

    def _recorded(self) -> set[Operation]:
        found: set[Operation] = set()
        for graph, first, last in self._spans:
            for op in reversed(graph._operations):
                if op._id <= first:
                    break
                if last < 0 or op._id <= last:
                    found.add(op)
        return found

    def _played_back(self, targets: list[Tensor], sources: list[Tensor], starts: list | None) -> list:
        recorded = self._recorded()
        graph = get_default_graph()
        watched = {_here(t, graph) for t in self._watched}
        watched |= {_here(_source(v), graph) for v in self.watched_variables()}
        sources = [_here(t, graph) for t in sources]
        connected = {t for t in watched if _flows_through(t)}
        made: set[Tensor] = set()  # by the ops on the tape, of whatever dtype
        uses: dict[Operation, int] = {}
        on_tape: set[Operation] = set()
        following = list(connected)
        while following:  # not in the order of making: what brings a value into a branch comes after its use
            tensor = following.pop()
            for op in tensor.consumers():
                # The way back of a loop is added to a Merge after it was recorded.
                if op in recorded and op not in on_tape and tensor.op.definition.role is not NEXT:
                    on_tape.add(op)
                    made.update(op.outputs)
                    new = [t for t in op.outputs if _flows_through(t) and t not in connected]
                    connected.update(new)
                    following.extend(new)
        # The ops between the targets and what is watched, with how often others on the way use them.
        pending = [t.op for t in targets if t.op in on_tape]
        reached = set(pending)
        while pending:
            op = pending.pop()
            for t in op._inputs:
                if t.op in on_tape and t in connected:
                    uses[t.op] = uses.get(t.op, 0) + 1
                    if t.op not in reached:
                        reached.add(t.op)
                        pending.append(t.op)
        partial: dict[Tensor, list] = {}
        for i, t in enumerate(targets):
            if starts is None or starts[i] is None:
                reached_by = t in made or t in connected or t in sources
                start = _ones(t) if reached_by and t.dtype.base_dtype not in _NO_NUMBERS else None
            else:
                start = starts[i]
            if start is not None:
                partial.setdefault(t, []).append(start)
        last = [t.op for t in reversed(targets) if t.op in reached and not uses.get(t.op)]
        ready = collections.deque(dict.fromkeys(last))
        while ready:
            op = ready.popleft()
            self._step(op, partial, connected)
            for t in op._inputs:
                if t.op in reached and t in connected:
                    uses[t.op] -= 1
                    if not uses[t.op]:
                        ready.append(t.op)
        return [
            _total(partial.get(t)) if t in watched or t in connected or t in targets else None for t in sources
        ]

    @staticmethod
    def _step(op: Operation, partial: dict[Tensor, list], connected: set[Tensor]) -> None:
        """Play back one op."""
        grads = [_total(partial.get(t)) for t in op.outputs]
        for t, g in zip(op.outputs, grads, strict=True):
            if g is not None:
                partial[t] = [g]
        # What a loop or branch takes from outside is played back inside.
        if op.definition.role is ENTER or _brings_in(op):
            partial.setdefault(op._inputs[0], []).extend(g for g in grads if g is not None)
            return
        fn = gradient_function(op, _is_custom(op)) if any(g is not None for g in grads) else None
        if fn is None:
            return
        if op.definition.role in (SWITCH, MERGE, EXIT):
            raise NotImplementedError(
                f"A tape cannot play back {op.type!r}: conditionals and loops of a graph are for tf.gradients()"
            )
        used = grads[:1] if op.definition.first_gradient_only else grads
        grads[: len(used)] = [_zeros_like(t) if g is None else g for t, g in zip(op.outputs, used, strict=False)]
        with unwanted_gradients(op, frozenset(i for i, t in enumerate(op._inputs) if t not in connected)):
            results = fn(op, *grads)
        for t, g in zip(op._inputs, results if isinstance(results, (list, tuple)) else [results], strict=True):
            if g is not None and t in connected:
                partial.setdefault(t, []).append(g)

    def jacobian(self, target: Any, sources: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
                 parallel_iterations: int | None = None, experimental_use_pfor: bool = True) -> Any:
        """The derivatives of every element of `target` with respect to `sources`.

        Args:
          target: a tensor.
          sources: a tensor or variable, or a structure of them.
          unconnected_gradients: what to return for a source that the target does not depend on.
          parallel_iterations: rows that may be computed at once.
          experimental_use_pfor: accepted; the rows are computed in a loop.

        Returns:
          One tensor of shape `target.shape + source.shape` per source, in their structure.
        """
        flat_sources = nest.flatten(sources)
        shape = builder("shape")(target)
        flat_target = builder("reshape")(target, [-1])
        return self._rows(flat_target, shape, flat_sources, sources, unconnected_gradients, parallel_iterations)

    def _rows(self, flat_target: Tensor, shape: Tensor, flat_sources: list, sources: Any, unconnected: Any,
              parallel_iterations: int | None) -> Any:
        persistent, self._persistent = self._persistent, True
        if not self._recording:
            # The reshaped target belongs to what is differentiated.
            self._spans.append((get_default_graph(), flat_target.op._id - 1, flat_target.op._id))
        try:
            probe = self.gradient(flat_target, flat_sources, unconnected_gradients=unconnected)
            present = [i for i, g in enumerate(probe) if g is not None]
            count = flat_target.shape.num_elements()
            size = count if count is not None else builder("size")(flat_target)
            arrays = [builder("TensorArray")(_dtype(flat_sources[i]), size=size) for i in present]

            def body(row: Any, filled: list) -> Any:
                weight = builder("one_hot")(builder("reshape")(row, []), size, dtype=flat_target.dtype.base_dtype)
                found = self.gradient(
                    flat_target, [flat_sources[i] for i in present], output_gradients=weight,
                    unconnected_gradients=unconnected,
                )
                return row + 1, [a.write(row, convert_to_tensor(g)) for a, g in zip(filled, found, strict=True)]
            result: list[Any] = [None] * len(flat_sources)
            if present:
                _, arrays = builder("while_loop")(
                    lambda row, _: builder("less")(row, size), body, [builder("constant")(0), arrays],
                    parallel_iterations=parallel_iterations or 10,
                )
                for i, array in zip(present, arrays, strict=True):
                    stacked = array.stack()
                    source_shape = builder("shape")(flat_sources[i])
                    result[i] = builder("reshape")(stacked, builder("concat")([shape, source_shape], 0))
        finally:
            self._persistent = persistent
        if not persistent:
            self._used = True
            self._forget()
        return nest.pack_sequence_as(sources, result)

    def batch_jacobian(self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
                       parallel_iterations: int | None = None, experimental_use_pfor: bool = True) -> Any:
        """The derivatives of each row of `target` with respect to the same row of `source`.

        Args:
          target: a tensor of shape [b, ...], whose rows depend on the same row of `source` only.
          source: a tensor of shape [b, ...].
          unconnected_gradients: what to return if the target does not depend on the source.
          parallel_iterations: columns that may be computed at once.
          experimental_use_pfor: accepted; the columns are computed in a loop.

        Returns:
          A tensor of shape [b, target.shape[1:], source.shape[1:]].

        Raises:
          ValueError: the first dimensions differ, or a rank is unknown or zero.
        """
        if target.shape.ndims in (None, 0) or not target.shape[:1].is_compatible_with(source.shape[:1]):
            raise ValueError(
                "Need first dimension of target shape and source shape to match. "
                f"Got: {target.shape} and {source.shape}"
            )
        full = self.jacobian(target, source, unconnected_gradients, parallel_iterations, experimental_use_pfor)
        if full is None:
            return None
        shape, reshape, concat = builder("shape"), builder("reshape"), builder("concat")
        batch = shape(target)[:1]
        columns, parts = shape(target)[1:], shape(source)[1:]
        width, depth = builder("reduce_prod")(columns), builder("reduce_prod")(parts)
        rows = reshape(full, builder("stack")([batch[0], width, batch[0], depth]))
        diagonal = builder("matrix_diag_part")(builder("transpose")(rows, [1, 3, 0, 2]))
        result = reshape(builder("transpose")(diagonal, [2, 0, 1]), concat([batch, columns, parts], 0))
        result.set_shape(target.shape.concatenate(source.shape[1:]))
        return result


def _flows_through(tensor: Tensor) -> bool:
    """Whether a tape follows a tensor; it loses sight of references."""
    if tensor.dtype._is_ref_dtype:
        return False
    return is_trainable(tensor) or tensor.dtype is dtypes.bfloat16


def _is_custom(op: Operation) -> bool:
    """Whether a function that is differentiated by another made the op; a tape sees no other override."""
    return op.attrs.get("_gradient_op_type", b"").startswith(b"CustomGradient-")


def _brings_in(op: Operation) -> bool:
    """Whether a Switch gives the branch that is being built a value from outside."""
    if op.definition.role is not SWITCH:
        return False
    context: Any = get_default_graph()._control_flow_context
    while context is not None:
        if context.IsCondContext() and any(t.op is op for t in context._external_values.values()):
            return True
        context = context.outer_context
    return False


def _unconnected(value: Any) -> UnconnectedGradients:
    try:
        return UnconnectedGradients(value)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}") from None


def _source(item: Any) -> Tensor:
    """The tensor whose gradient is that of a tensor or variable."""
    handle = getattr(item, "handle", None)
    if not isinstance(item, Tensor) and isinstance(handle, Tensor):
        return handle
    return _as_tensor(item)


def _as_tensor(item: Any) -> Tensor:
    if isinstance(item, Tensor):
        return item
    return convert_to_tensor(item)


def _here(tensor: Tensor, graph: Any) -> Tensor:
    """In the body of a function, what stands for a tensor from outside."""
    return graph.captures.get(tensor, tensor) if graph.building_function else tensor


def _dtype(item: Any) -> Any:
    return dtypes.as_dtype(item.dtype).base_dtype


_NO_NUMBERS = (dtypes.string, dtypes.resource, dtypes.variant)


def _ones(t: Tensor) -> Tensor:
    if t.shape.is_fully_defined():
        return builder("ones")(t.shape, t.dtype.base_dtype)
    return builder("ones")(lookup("Shape")(t), t.dtype.base_dtype)


def _zeros_like(t: Tensor) -> Tensor:
    """Zeros for an output that no gradient reached."""
    if t.dtype is dtypes.variant:
        made: Tensor = lookup("ZerosLike")(t)
        return made
    if t.dtype is dtypes.resource:
        dtype, _ = handle_data(t) or (dtypes.float32, None)
        return builder("zeros")(lookup("VariableShape")(t), dtype)
    if t.shape.is_fully_defined():
        return builder("zeros")(t.shape, t.dtype.base_dtype)
    return builder("zeros")(lookup("Shape")(t), t.dtype.base_dtype)


def _zeros(item: Any) -> Tensor | None:
    if isinstance(item, Tensor) and item.dtype.base_dtype in _NO_NUMBERS:
        if item.dtype.base_dtype is dtypes.string:
            lookup("Shape")(item)  # which the original makes before it finds that there are no zeros
        return None
    if not isinstance(item, Tensor) and hasattr(item, "handle"):
        return builder("zeros")(item.shape, _dtype(item))
    return builder("zeros")(lookup("Shape")(item), _dtype(item))


def _total(gradients: list | None) -> Any:
    found = [g for g in gradients or () if g is not None]
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    if any(isinstance(g, IndexedSlices) for g in found):
        return sum_slices(found)
    return lookup("AddN")(found)
