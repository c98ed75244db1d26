"""Steps: the closures that a plan runs one after the other over its slots.

Slot 0 holds the run's context. A guard says when a step runs at all: pairs of a predicate's slot and the branch wanted,
and slots that must hold a value (not `DEAD`). Steps of an untaken branch are skipped as a block.
"""
from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, dims_text

Slots = list
Step = Callable[[Slots], None]
Guard = frozenset  # of (slot, wanted: bool) and (slot, None) for "must not be DEAD"


class _Dead:
    def __repr__(self) -> str:
        return "DEAD"


DEAD = _Dead()


def holds(guard: Guard, slots: Slots) -> bool:
    """Whether all conditions of a guard hold."""
    try:
        for slot, wanted in guard:
            value = slots[slot]
            if value is DEAD or (wanted is not None and bool(value) is not wanted):
                return False
    except ValueError:
        raise InvalidArgumentError(
            None, None, f"The second input must be a scalar, but it has shape {dims_text(np.shape(value))}"
        ) from None
    return True


def kernel_step(kernel: Callable, ins: Sequence[int], outs: Sequence[int]) -> Step:
    """`outs = kernel(*ins)` for ops without list arguments."""
    if len(outs) == 1:
        out = outs[0]
        if len(ins) == 2:
            a, b = ins

            def step2(slots: Slots) -> None:
                slots[out] = kernel(slots[a], slots[b])
            return step2
        if len(ins) == 1:
            a = ins[0]

            def step1(slots: Slots) -> None:
                slots[out] = kernel(slots[a])
            return step1
        if len(ins) == 3:
            a, b, c = ins

            def step3(slots: Slots) -> None:
                slots[out] = kernel(slots[a], slots[b], slots[c])
            return step3

        def step_n(slots: Slots) -> None:
            slots[out] = kernel(*[slots[i] for i in ins])
        return step_n
    if not outs:
        def step_none(slots: Slots) -> None:
            kernel(*[slots[i] for i in ins])
        return step_none

    def step_many(slots: Slots) -> None:
        for o, value in zip(outs, kernel(*[slots[i] for i in ins]), strict=True):
            slots[o] = value
    return step_many


def list_step(kernel: Callable, ins: Sequence[Any], outs: Sequence[Any]) -> Step:
    """Like `kernel_step`; an item of `ins` or `outs` may be a list of slots, for a list argument."""
    single = len(outs) == 1
    if single and type(outs[0]) is list and list not in map(type, ins):
        def step_to_list(slots: Slots) -> None:
            for slot, item in zip(outs[0], kernel(*[slots[i] for i in ins]), strict=True):
                slots[slot] = item
        return step_to_list

    def step(slots: Slots) -> None:
        result = kernel(*[[slots[j] for j in i] if type(i) is list else slots[i] for i in ins])
        for o, value in zip(outs, (result,) if single else result or (), strict=True):
            if type(o) is list:
                for slot, item in zip(o, value, strict=True):
                    slots[slot] = item
            else:
                slots[o] = value
    return step


def read_step(source: int, out: int) -> Step:
    """`out` = the current buffer of the variable whose state is in `source`."""
    def step(slots: Slots) -> None:
        slots[out] = slots[source].read()
    return step


def copy_step(source: int, out: int) -> Step:
    """`out` = what is in `source`."""
    def step(slots: Slots) -> None:
        slots[out] = slots[source]
    return step


def release_step(dropped: Sequence[int]) -> Step:
    """Forget values that nothing needs any more."""
    def step(slots: Slots) -> None:
        for i in dropped:
            slots[i] = None
    return step


def merge_step(inputs: Sequence[tuple[int, Guard]], out: int, index_out: int) -> Step:
    """`out` = the first input whose guard holds; DEAD if none does."""
    def step(slots: Slots) -> None:
        for index, (slot, guard) in enumerate(inputs):
            if holds(guard, slots) and slots[slot] is not DEAD:
                slots[out] = slots[slot]
                slots[index_out] = np.int32(index)
                return
        slots[out] = slots[index_out] = DEAD
    return step


class Block:
    """Steps under one guard; skipped together."""

    __slots__ = ("guard", "steps")

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.steps: list[Step] = []

    def __call__(self, slots: Slots) -> None:
        if holds(self.guard, slots):
            for step in self.steps:
                step(slots)


class Loop:
    """A while frame: enters, condition and body steps in turn, what follows the last condition, then exits."""

    __slots__ = ("enters", "exits", "guard", "indices", "merges", "predicate", "steps", "template",
                 "condition_work", "body_work", "end_work", "scope")

    def __init__(self) -> None:
        self.template: list = []
        self.enters: list[tuple[int, int]] = []      # outer slot, inner slot
        self.merges: list[tuple[int, int, int]] = []  # merge slot, enter slot, next-iteration slot
        self.indices: list[int] = []                  # slots of the merges' value_index outputs that are used
        # Those of the condition, the body and the end, made when they are first asked for: a compiled loop never is.
        self.steps: Callable[[], tuple[list[Step], list[Step], list[Step]]]
        self.predicate = -1
        self.exits: list[tuple[int, int]] = []        # inner slot, outer slot
        self.guard: Guard = frozenset()
        self.condition_work: list[Any] = []           # what the steps were made of, for backends that compile loops
        self.body_work: list[Any] = []
        self.end_work: list[Any] = []
        self.scope: Any = None

    def __call__(self, slots: Slots) -> None:
        exits = self.exits
        if self.guard and not holds(self.guard, slots):
            for _, outer in exits:
                slots[outer] = DEAD
            return
        local = self.template.copy()
        context = local[0] = slots[0]
        for outer, inner in self.enters:
            local[inner] = slots[outer]
        for merge, enter, _ in self.merges:
            local[merge] = local[enter]
        for index in self.indices:
            local[index] = np.int32(0)
        (condition, body, end), predicate = self.steps(), self.predicate
        merge_slots = [merge for merge, _, _ in self.merges]
        next_slots = [following for _, _, following in self.merges]
        closed = context.session_state.closed
        while True:
            for step in condition:
                step(local)
            if not local[predicate]:
                break
            for step in body:
                step(local)
            values = [local[i] for i in next_slots]
            for merge, value in zip(merge_slots, values, strict=True):
                local[merge] = value
            if self.indices:
                for index in self.indices:
                    local[index] = np.int32(1)
            if context.deadline is not None or context.failed or closed.is_set():
                context.check()
        for step in end:
            step(local)
        for inner, outer in exits:
            slots[outer] = local[inner]


# -- calls without NumPy's warnings: in the original, infinities and NaN are values like others ----------------

_IGNORED: Any = {"divide": "ignore", "over": "ignore", "under": "ignore", "invalid": "ignore"}
_idle: list[contextvars.Context] = []  # in which NumPy ignores errors; each is entered by one call at a time


def quietly(function: Callable, *args: Any) -> Any:
    """Call `function`, which sees the caller's context variables, without warnings."""
    with np.errstate(**_IGNORED):
        return function(*args)


def quietly_apart(function: Callable, *args: Any) -> Any:
    """Call `function` without warnings, and without the caller's context variables; several times faster."""
    try:
        context = _idle.pop()
    except IndexError:
        context = contextvars.Context()
        context.run(np.seterr, **_IGNORED)
    try:
        return context.run(function, *args)
    finally:
        _idle.append(context)


if int(np.__version__.split(".")[0]) < 2:  # there the error state is the thread's, not the context's
    quietly_apart = quietly
