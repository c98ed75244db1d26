"""Rewrites of what a plan runs: which of them a session asked for, and the copy of the nodes that they change."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.declare import opdef
from ossia_core.declare.kernels import grouped
from ossia_core.declare.opdef import Arg
from ossia_core.graph.inference import inferred_shapes, output_types
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins import manager as plugins

_ON, _OFF, _AGGRESSIVE = 1, 2, 3  # of RewriterConfig.Toggle
options: dict[str, Any] = {}
"""What the program set of graph rewriting, for sessions made from now on."""
_without: set[str] = set()  # rewrites without which a session was made


class Rewriting:
    """The nodes of one plan, for a rewrite to change.

    Attributes:
      ops: the nodes that run, in order of creation; they belong to the plan alone.
      kept: the nodes whose values the program sees or gives, which have to keep their dtypes: what is fetched or fed.
      config: the session's ConfigProto, or None.
    """

    def __init__(
        self, ops: Sequence[Operation], fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], config: Any
    ) -> None:
        self.ops = list(ops)
        self.kept = {f if isinstance(f, Operation) else f.op for f in (*fetches, *feeds)}
        self.config = config
        self._after: dict[Operation, list[Operation]] = {}
        self._names = {op.name for op in ops}

    def set_attrs(self, op: Operation, **attrs: Any) -> None:
        """Change attributes of a node; the dtypes of its outputs follow."""
        op.attrs = {**op.attrs, **attrs}
        for tensor, dtype in zip(op.outputs, output_types(op.definition, op.attrs), strict=True):
            tensor.dtype = dtype

    def set_input(self, op: Operation, position: int, tensor: Tensor) -> None:
        """Let a node read another tensor."""
        op._update_input(position, tensor)

    def insert(self, after: Operation, op_type: str, name: str, inputs: Sequence[Tensor], **attrs: Any) -> Operation:
        """A new node, which stands behind `after` in the order of creation and on its device.

        Args:
          after: the node that it follows.
          op_type: its type.
          name: its name; a number is added to one that is taken.
          inputs: its inputs.
          **attrs: its attributes; those left out have their defaults.
        """
        definition = opdef.lookup(op_type)
        for attr in definition.attrs.values():
            if attr.name not in attrs:
                attrs[attr.name] = attr.default
        unique, number = name, 0
        while unique in self._names:
            number += 1
            unique = f"{name}_{number}"
        self._names.add(unique)
        made = Operation.made(
            after.graph, definition, unique, tuple(inputs), attrs, output_types(definition, attrs), []
        )
        made.frames, made.device = after.frames, after.device
        for tensor, shape in zip(made.outputs, inferred_shapes(made) or (), strict=False):
            tensor._shape = shape
        self._after.setdefault(after, []).append(made)
        return made

    def in_order(self) -> list[Operation]:
        """All nodes, new ones behind those they were inserted after, numbered anew."""
        found: list[Operation] = []
        # Of what follows a fed tensor, whose own node does not run, the order among the others does not matter.
        there = set(self.ops)
        first = [made for op, following in self._after.items() if op not in there for made in following]
        for op in [*first, *self.ops]:
            pending = [op]
            while pending:
                op = pending.pop()
                op._id = len(found)
                found.append(op)
                pending += reversed(self._after.get(op, ()))
        return found


def input_args(op: Operation) -> list[Arg]:
    """The declared argument of each input tensor of a node."""
    return _flat_args(op.definition.inputs, op.attrs, op._inputs)


def output_args(op: Operation) -> list[Arg]:
    """The declared argument of each output tensor of a node."""
    return _flat_args(op.definition.outputs, op.attrs, op.outputs)


def _flat_args(args: tuple[Arg, ...], attrs: dict[str, Any], tensors: Sequence[Tensor]) -> list[Arg]:
    found: list[Arg] = []
    for arg, group in zip(args, grouped(args, attrs, tensors), strict=True):
        found += [arg] * (len(group) if arg.is_list else 1)
    return found


def asked_for(config: Any) -> list[Callable[[Rewriting], None]]:
    """The rewrites that a session with this ConfigProto asks for (see `ossia_core.hookspecs.ossia_plan_rewrites`)."""
    table = plugins.table("ossia_plan_rewrites")
    if not table:
        return []
    fields = config.graph_options.rewrite_options if config is not None else None
    custom = {optimizer.name for optimizer in fields.custom_optimizers} if fields is not None else ()
    found = []
    for name, target in table.items():
        toggle = getattr(fields, name, 0) if fields is not None else 0
        wanted = options.get(name) or os.environ.get("TF_ENABLE_" + name.upper(), "").lower() in ("1", "true")
        if toggle in (_ON, _AGGRESSIVE) or name in custom or (wanted and toggle != _OFF):
            found.append(plugins.load(target))
        else:
            _without.add(name)
    return found


def made_without(name: str) -> bool:
    """Whether a session was made, since the process began, that did not ask for a rewrite."""
    return name in _without


def rewritten(
    ops: Sequence[Operation], fetches: Sequence[Any], feeds: Sequence[Tensor],
    rewrites: Sequence[Callable[[Rewriting], None]], config: Any,
) -> list[Operation]:
    """The nodes of a plan after the rewrites, in order of creation; `ops` must be the plan's own."""
    for rewrite in rewrites:
        rewriting = Rewriting(ops, fetches, feeds, config)
        rewrite(rewriting)
        ops = rewriting.in_order()
    return list(ops)
