"""What a plan is made of: the slots of a frame, and steps with what they read, write and wait for."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.forks import renewed
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.session.run.steps import (
    Block,
    Guard,
    Loop,
    Step,
    release_step,
)

_NOTHING: frozenset = frozenset()
_making = renewed(threading.RLock())  # held while a step is made: all threads must have the same one


class Scope:
    """The slots of one frame, and what is known of them while a plan is made."""

    def __init__(self, outer: Scope | None) -> None:
        self.outer = outer
        self.template: list[Any] = [None]
        self.slots: dict[Tensor, int] = {}
        self.guards: dict[Any, Guard] = {}  # of tensors and operations that may not run
        self.constant: set[int] = set()
        self.fed: set[int] = set()
        self.borrowed: set[int] = set()  # slots that hold feeds, constants, variables' buffers
        self.shares: dict[int, int] = {}  # slot -> a slot whose buffer it may share
        self.merged: dict[Any, list[int]] = {}
        self.const_slots: dict[int, int] = {}

    def new(self, value: Any = None) -> int:
        """A new slot."""
        self.template.append(value)
        return len(self.template) - 1

    def several(self, count: int) -> list[int]:
        """So many new slots."""
        template = self.template
        first = len(template)
        if count == 1:
            template.append(None)
            return [first]
        template += [None] * count
        return list(range(first, first + count))

    def add_constant(self, value: Any) -> int:
        """A slot that holds a value known now."""
        slot = self.new(value)
        self.constant.add(slot)
        self.borrowed.add(slot)
        return slot

    def add_borrowed(self, tensor: Tensor) -> int:
        """A slot that a feed fills."""
        slot = self.slots[tensor] = self.new()
        self.borrowed.add(slot)
        self.fed.add(slot)
        return slot

    def buffer(self, slot: int) -> int:
        """The slot that owns the buffer which `slot` may share."""
        while slot in self.shares:
            slot = self.shares[slot]
        return slot

    def buffers(self, slot: int) -> list[int]:
        """The slot, and those whose buffer it may share, its owner last."""
        found = [slot]
        while slot in self.shares:
            slot = self.shares[slot]
            found.append(slot)
        return found


class Work:
    """A step with what it reads, writes and waits for; in a region, the node that a backend compiles.

    Attributes:
      node: the node it belongs to; of a loop, its first Enter.
      op: the node that it computes; None if it reads a variable.
      ins: the slots that it reads.
      outs: the slots that it writes.
      guard: when it runs at all: pairs of a predicate's slot and the value wanted. A loop has its own.
      loop: the step, if it is a loop, whose own work has slots of its own (`loop.scope`).
      controls: nodes whose steps must have run, besides those that write what it reads.
      is_read: whether it takes the buffer of a variable for `node`, which has a step of its own.
      compiled: whether it stands for a region of several nodes.
      members: of a region, the steps that it was made of.
      lent: positions among `ins` of values in memory that others may write to: fed arrays, buffers of variables.
      choices: of a merge, the slots it takes its value from, each with the guard under which it does.
    """

    guard: Guard = _NOTHING
    loop: Loop | None = None
    controls: frozenset = _NOTHING
    is_read = compiled = False
    blocking: int = False  # 1: it may wait for any other step; 2: for another of its kind
    members: Sequence[Work] = ()
    lent: Sequence[int] = ()
    choices: Sequence[tuple[int, Guard]] = ()

    def __init__(
        self, node: Any, ins: Sequence[int], outs: Sequence[int], step: Step | None = None,
        make: Callable[[Work], Step] | None = None,
    ) -> None:
        """A piece of work. Where it has no step yet, `make` makes it when it is asked for: compiled work never is."""
        self.node = self.op = node
        self.ins, self.outs = ins, outs
        self._step, self._make = step, make

    @property
    def updates(self) -> bool:
        """Whether it may change the state behind a handle that it reads."""
        return not self.is_read and not self.node.definition.only_reads

    @property
    def step(self) -> Step:
        """What runs."""
        step = self._step
        if step is None:
            with _making:
                step = self._step
                if step is None:
                    step = self._step = self._make(self)  # type: ignore[misc]
        return step

    @step.setter
    def step(self, step: Step) -> None:
        self._step = step


def in_blocks(work: list[Work], released: dict[int, list[int]]) -> list[Step]:
    """The steps of `work`, neighbours of one guard put together; `released`: position -> slots to forget after it."""
    steps: list[Step] = []
    block: Block | None = None
    for i, w in enumerate(work):
        if not w.guard:
            block = None
            steps.append(w.step)
        else:
            if block is None or block.guard != w.guard:
                block = Block(w.guard)
                steps.append(block)
            block.steps.append(w.step)
        if i in released and block is None:
            steps.append(release_step(released[i]))
    return steps


def depends_on_shapes(work: list[Work]) -> bool:
    """Whether a plan has steps that depend on shapes only."""
    return any(
        w.loop is None and not w.is_read and isinstance(w.node, Operation) and w.node.definition.describes_shape
        for w in work
    )
