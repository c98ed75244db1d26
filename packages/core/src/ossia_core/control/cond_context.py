"""The context of a branch: a value from outside enters it through a Switch, made the first time it is used."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ossia_core.control.context import ControlFlowContext
from ossia_core.control.control_ops import (
    switch_ref_or_tensor,
)
from ossia_core.control.loop_variables import pack
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_core.primitives.source import no_op


class CondContext(ControlFlowContext):
    """One branch of a `cond`."""

    def __init__(
        self, pred: Tensor | None = None, pivot: Tensor | None = None, branch: int = 0, name: str = "cond_text"
    ) -> None:
        super().__init__()
        if pred is None or pivot is None:
            return
        self._name = self.graph.unique_name(name)
        self._pred, self._pivot, self._branch = pred, pivot, branch
        self._values |= {pred.name, pivot.name}
        self._external_values[pred.name] = pred
        pivot.op._control_flow_context = self

    @property
    def pred(self) -> Tensor:
        """The predicate."""
        return self._pred

    @property
    def pivot(self) -> Tensor:
        """A tensor that has a value only in this branch."""
        return self._pivot

    @property
    def branch(self) -> int:
        """1 for the branch taken when the predicate is true, else 0."""
        return self._branch

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The CondContextDef; None where the context lies outside of `export_scope`."""
        from ossia_core.control import context_protos
        return context_protos.to_proto(self, export_scope)

    @staticmethod
    def from_proto(proto: Any, import_scope: str | None = None) -> Any:
        """The context of a CondContextDef or WhileContextDef whose nodes are in the default graph."""
        from ossia_core.control import context_protos
        return context_protos.from_proto(proto, import_scope)

    def IsCondContext(self) -> bool:
        """True."""
        return True

    def GetControlPivot(self) -> Tensor | None:
        """The pivot."""
        return self._pivot

    def AddValue(self, val: Tensor) -> Tensor:
        """A Switch on `val`, unless it is known here."""
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        result = val
        self._values.add(val.name)
        outer = self._outer_context
        if outer is not None:
            result = outer.AddValue(val)
            self._values.add(result.name)
            self._external_values[result.name] = result
        with control_dependencies(None):
            result = switch_ref_or_tensor(result, self._pred)[self._branch]
            if outer is not None:
                outer.AddInnerOp(result.op)
        result.op.graph.prevent_fetching(result.op)
        result.op.graph.prevent_feeding(result)
        result.op._control_flow_context = self
        self._seen_by_all([result.name])
        self._external_values[val.name] = result
        return result

    def _seen_by_all(self, names: Iterable[str]) -> None:
        context: Any = self
        while context is not None:
            context._values.update(names)
            context = context.outer_context

    def AddOp(self, op: Operation) -> None:
        """Inputs come in through Switches; a node without inputs waits for the pivot."""
        self._take(op)

    def _take(self, op: Operation) -> None:
        if not op._inputs:
            self._drop_external_controls(op)
            if not any(c._control_flow_context is self for c in op._control_inputs):
                op._add_control_input(self._pivot.op)
        else:
            self._replace_inputs(op)
            self._drop_external_controls(op)
        self._seen_by_all([t.name for t in op.outputs])
        self._hide(op)

    def build_branch(self, fn: Callable[[], Any]) -> tuple[Any, list]:
        """What `fn` returns, and tensors for its leaves that have a value only in this branch."""
        summaries = GraphKeys._SUMMARY_COLLECTION
        before = len(self.graph._collections.get(summaries, ()))
        result = fn()
        added = self.graph._collections.get(summaries, [])[before:]
        if added:
            with control_dependencies(added):
                result = nest.map_structure(identity, no_op() if result is None else result)
        if result is None:
            return None, []
        tensors = [self._result(leaf) for leaf in nest.flatten(result, expand_composites=True)]
        if not isinstance(result, Operation):
            # Composites are put together again here, which takes names as in the original.
            pack(result, tensors)
        return result, tensors

    def _result(self, leaf: Any) -> Tensor:
        if isinstance(leaf, Operation):
            return with_dependencies([leaf], self._pivot)
        leaf = getattr(leaf, "flow", leaf)
        val = convert_to_tensor(leaf)
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        self._values.add(val.name)
        real = val
        if self._outer_context is not None:
            real = self._outer_context.AddValue(val)
            self._values.add(real.name)
            self._external_values[real.name] = real
        real = switch_ref_or_tensor(real, self._pred)[self._branch]
        self._external_values[val.name] = real
        return real
