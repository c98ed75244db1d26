"""`auto_control_deps`: ops that change or read one resource run in the order in which they were built."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.control.control_ops import merge
from ossia_core.names import dtypes, nest
from ossia_functions.tracing import order_effects


class AutomaticControlDependencies:
    """A context in which ops with effects are ordered, and what is marked as returned waits for all of them."""

    def __init__(self) -> None:
        self._returned: list[Any] = []

    def mark_as_return(self, tensor: Any) -> Any:
        """A copy of a tensor, or of what is made of tensors, that is there when all effects are."""
        if isinstance(tensor, (tf.IndexedSlices, tf.SparseTensor)):
            parts = [self.mark_as_return(part) for part in nest.flatten(tensor, expand_composites=True)]
            return nest.pack_sequence_as(tensor, parts, expand_composites=True)
        if isinstance(tensor, tf.TensorArray):
            return tensor.with_flow(self.mark_as_return(tensor.flow))
        copy = tf.identity(tensor)
        self._returned.append(copy)
        return copy

    def __enter__(self) -> AutomaticControlDependencies:
        self._graph = tf.get_default_graph()
        self._known = len(self._graph.get_operations())
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        """Orders what was built.

        Raises:
            RuntimeError: Another graph is the default one than where the context began.
        """
        if kind is not None:
            return
        if self._graph is not tf.get_default_graph():
            raise RuntimeError("Graph changed while trying to add control dependencies.")
        operations = self._graph.get_operations()[self._known :]
        branched = any(op._control_flow_context is not None for op in operations)
        made = _Branches().order(operations) if branched else order_effects(operations)
        for tensor in self._returned:
            tensor.op._add_control_inputs([op for op in made if op is not tensor.op])


class _Branches:
    """Orders effects where conditionals of the graph are: what follows a conditional waits for the branch that ran.

    Attributes:
      last: The op that used a resource last.
      ends: Handle inside of a branch -> a Merge that is there when the conditional is done with the resource.
      must: What must have run at the end.
    """

    def __init__(self) -> None:
        self.last: dict[Any, Any] = {}
        self.ends: dict[Any, Any] = {}
        self.must: dict[Any, None] = {}
        self.previous: Any = None

    def order(self, operations: list[Any]) -> list[Any]:
        """Adds control inputs; the ops that must run."""
        for op in operations:
            context = op._control_flow_context
            if context is not None and context.GetWhileContext() is not None:
                continue
            handles = [t for t in op.inputs if t.dtype is dtypes.resource]
            if op.type == "Merge":
                self._gather(op)
            elif not (op.type == "Switch" and handles):
                self._note(op, handles)
        return list(self.must)

    def _gather(self, end: Any) -> None:
        end._add_control_inputs([op for op in self.must if op is not end])
        for op in self.must:
            for tensor in op.inputs:
                if tensor in self.last:
                    self.last[tensor] = end
        self.must = {end: None}

    def _note(self, op: Any, handles: list[Any]) -> None:
        stateful = op.definition.stateful and not op.definition.unordered
        if stateful:
            self.must[op] = None
        before: dict[Any, None] = {}
        for handle in handles:
            if handle.op.type == "Switch":
                self._enter(handle.op)
            known = self.last.get(handle)
            if known is not None and known._control_flow_context is op._control_flow_context:
                before[known] = None
            if handle in self.ends:
                self.ends[handle]._add_control_inputs([op])
            self.last[handle] = op
        if stateful and not handles and op._control_flow_context is None:
            if self.previous is not None:
                before[self.previous] = None
            self.previous = op
        op._add_control_inputs([b for b in before if b not in op._control_inputs])

    def _enter(self, switch: Any) -> None:
        """The first use of a resource in a branch of a conditional."""
        handle = switch.inputs[0]
        if switch.outputs[0] in self.ends:
            return
        if handle.op.type == "Switch":
            self._enter(handle.op)
        graph, context = tf.get_default_graph(), switch._control_flow_context
        around, graph._control_flow_context = graph._control_flow_context, context.outer_context
        try:
            with tf.control_dependencies(None):
                end = merge(switch.outputs, "artificial_merge")[0].op
        finally:
            graph._control_flow_context = around
        self.must[end] = None
        known = self.last.get(handle)
        if known is not None:
            switch._add_control_inputs([known])
        if handle in self.ends:
            self.ends[handle]._add_control_inputs([end])
        self.last[handle] = end
        for output in switch.outputs:
            self.ends[output] = end


def automatic_control_dependencies(f: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of functions whose results are there when all effects of their ops are."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with AutomaticControlDependencies() as control:
            result = f(*args, **kwargs)
            return nest.map_structure(lambda t: None if t is None else control.mark_as_return(t), result)

    return wrapper
