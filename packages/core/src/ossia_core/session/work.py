"""What a plan is made of: the slots of a frame, and steps with what they read, write and wait for."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.session.steps import (
    Block,
    Guard,
    Loop,
    Step,
    release_step,
)

_READS = frozenset(
    (
        "ReadVariableOp",
        "VarIsInitializedOp",
        "IsVariableInitialized",
        "VariableShape",
        "ResourceGather",
        "ResourceGatherNd",
    )
)


_making = threading.RLock()  # held while a step is made: all threads must have the same one


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
    """A step with what it reads, writes and waits for.

    Attributes:
      node: the node it belongs to; of a loop, its first Enter.
      loop: the step, if it is a loop.
      controls: nodes whose steps must have run, besides those that write what it reads.
      is_read: whether it takes the buffer of a variable for `node`, which has a step of its own.
      updates: whether it may change the state behind a handle that it reads.
      compiled: whether it stands for a region of several nodes.
      members: of a region, the steps that it was made of.
      choices: of a merge, the slots it takes its value from, each with the guard under which it does.
    """

    __slots__ = (
        "_make",
        "_step",
        "blocking",
        "choices",
        "compiled",
        "controls",
        "guard",
        "is_read",
        "loop",
        "members",
        "node",
        "reads",
        "updates",
        "writes",
    )

    def __init__(
        self,
        node: Any,
        step: Step | None,
        reads: Sequence[int],
        writes: Sequence[int],
        guard: Guard,
        blocking: bool = False,
        controls: frozenset = frozenset(),
        is_read: bool = False,
        compiled: bool = False,
        make: Callable[[Work], Step] | None = None,
    ) -> None:
        """A piece of work. Where it has no step yet, `make` makes it when it is asked for: compiled work never is."""
        self.node, self._step, self.reads, self.writes = node, step, reads, writes
        self.guard, self.blocking, self.controls, self.is_read = guard, blocking, controls, is_read
        self.compiled, self._make = compiled, make
        self.loop: Loop | None = step if step.__class__ is Loop else None  # type: ignore[assignment]
        self.choices: Sequence[tuple[int, Guard]] = ()
        self.members: Sequence[Work] = ()
        self.updates = not is_read and node.type not in _READS

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
