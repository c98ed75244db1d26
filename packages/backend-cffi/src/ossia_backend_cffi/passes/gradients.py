"""Gradients that an elementwise chain makes and only an update reads, such as those that are clipped, scaled or
decayed: the update takes the chain in, and computes with it block by block in the first-level cache.

The pass works on the table of a program before others join instructions: the steps that make a gradient move down to
the update that reads it. What else the chain computes stays where it is."""
from __future__ import annotations

from ossia_backend_cffi.program.accesses import (
    LOADS,
    STORES,
    UPDATES,
    accesses_of,
    gradient_of,
    pattern_of,
    results_of,
    steps_of,
)
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.chains import NUMBER


def take_in(builder: Builder) -> None:
    """Let updates of a program take in the chains that make their gradients."""
    rows, buffers = builder.rows, builder.buffers
    makers: dict[int, int] = {}          # buffer -> the chain that computes it
    found: list[tuple[int, int, int]] = []  # chain, update, and the buffer between them
    for n, row in enumerate(rows):
        if row.name == "elementwise":
            makers.update(dict.fromkeys(builder.chains[row.code][1], n))
        elif makers and row.name in UPDATES:
            gradient = gradient_of(row)
            maker = makers.get(gradient)
            if maker is not None and (buffers[gradient].first, buffers[gradient].last) == (maker, n):
                found.append((maker, n, gradient))
    if found:
        _Joining(builder, min(maker for maker, _, _ in found)).join(found)


class _Chain:
    """The steps of a chain: what each takes, and what takes it."""

    def __init__(self, steps: list[list[int]]) -> None:
        self.steps = steps
        self.args: list[list[int]] = []
        self.users: list[list[int]] = [[] for _ in steps]
        self.targets: dict[int, int] = {}  # buffer -> the step that is stored there
        holders: dict[int, int] = {}
        for at, step in enumerate(steps):
            op, register = step[:2]
            args: list[int] = []
            if op in STORES:
                self.targets[step[2]] = at
                args = [holders[register]]
            elif op not in LOADS:
                args = [holders[a] for a in step[2:5] if a >= 0]
                if step[6]:
                    self.targets[step[6] - 1] = at
            for arg in args:
                self.users[arg].append(at)
            self.args.append(args)
            if op not in STORES:
                holders[register] = at

    def before(self, at: int) -> set[int]:
        """A step and all that it follows from."""
        found, open_steps = {at}, [at]
        while open_steps:
            for arg in self.args[open_steps.pop()]:
                if arg not in found:
                    found.add(arg)
                    open_steps.append(arg)
        return found


class _Joining:
    """Chains and updates that become one."""

    def __init__(self, builder: Builder, start: int) -> None:
        self._builder = builder
        self._written: dict[int, list[int]] = {}  # buffer -> the instructions that write it
        self._read: dict[int, int] = {}           # buffer -> how many read it
        self._unknown: list[int] = []             # for each instruction, the last one before it that nothing may pass
        self._chains: dict[int, _Chain] = {}
        self._taken: dict[int, set[int]] = {}     # of each chain, the steps that updates have taken in
        last = -1
        for n, row in enumerate(builder.rows):
            self._unknown.append(last)
            if n < start:
                continue
            accesses = accesses_of(builder, row)
            if accesses is None:
                last = n
                continue
            for buffer in accesses[0]:
                self._read[buffer] = self._read.get(buffer, 0) + 1
            for buffer in accesses[1]:
                self._written.setdefault(buffer, []).append(n)

    def join(self, found: list[tuple[int, int, int]]) -> None:
        """Let updates take in what makes their gradients, where that cannot be told from outside."""
        builder = self._builder
        for maker, at, gradient in found:
            steps = self._steps(maker, at, gradient)
            if steps is not None:
                self._taken.setdefault(maker, set()).update(steps)
                self._take(maker, at, gradient, sorted(steps))
        gone = {maker for maker, taken in self._taken.items() if not self._leave(maker, taken)}
        if not builder.controlled and not builder.loops:
            builder.leave_out(gone)  # else they stay, as passes over nothing

    def _steps(self, maker: int, at: int, gradient: int) -> set[int] | None:
        """The steps that make a gradient, if they can wait for the update; else None."""
        builder = self._builder
        row, update = builder.rows[maker], builder.rows[at]
        size = row.elements
        if builder.buffers[gradient].kind != "arena" or self._unknown[at] >= maker or self._read[gradient] != 1:
            return None
        if update.buffers().count(gradient) != 1 or update.elements != size or not size:
            return None
        chain = self._chains.get(maker)
        if chain is None:
            chain = self._chains[maker] = _Chain(steps_of(builder, row.code, row.steps))
        final = chain.targets[gradient]
        step = chain.steps[final]
        if step[0] in STORES or chain.users[final]:
            return None
        steps = chain.before(final)
        changed = results_of(update)
        for k in steps:
            step = chain.steps[k]
            if step[0] in LOADS:
                buffer = step[2]
                if any(maker <= n < at for n in self._written.get(buffer, ())):
                    return None
                # Each block of a variable is read before it changes, but no other block.
                if buffer in changed and (step[0] != NUMBER["LOAD"] or pattern_of(step) != (1, size)):
                    return None
            elif k != final and (step[6] or any(user not in steps for user in chain.users[k])):
                return None
        return steps

    def _take(self, maker: int, at: int, gradient: int, steps: list[int]) -> None:
        builder, chain = self._builder, self._chains[maker]
        chosen = [list(chain.steps[k]) for k in steps]
        chosen[-1][6:] = 0, 0  # handed out, not stored
        reads = {step[2] for step in chosen if step[0] in LOADS}
        row = builder.rows[at]
        # In place of the gradient, which lies nowhere, stands what is there in any case.
        if row.name == "update":
            row.operands[row.gradient] = row.operands[0]
        else:
            row.grad = row.var
        row.maker_code, row.maker_steps = len(builder.code), len(chosen)
        row.constants = builder.rows[maker].constants
        builder.chains[row.maker_code] = reads, set()
        builder.code += [x for step in chosen for x in step]
        for buffer in reads:
            builder.buffers[buffer].last = max(builder.buffers[buffer].last, at)
        builder.buffers[gradient].first = builder.buffers[gradient].last = -1

    def _leave(self, maker: int, taken: set[int]) -> bool:
        """Let a chain compute what remains of it; whether that is anything."""
        builder, chain = self._builder, self._chains[maker]
        kept: set[int] = set()
        targets = {}
        for buffer, at in chain.targets.items():
            if at not in taken:
                kept |= chain.before(at)
                targets[buffer] = at
        row = builder.rows[maker]
        steps = [chain.steps[k] for k in sorted(kept)]
        offset = len(builder.code)
        builder.chains[offset] = {step[2] for step in steps if step[0] in LOADS}, set(targets)
        builder.code += [x for step in steps for x in step]
        row.elements, row.code, row.steps = row.elements if steps else 0, offset, len(steps)
        return bool(steps)
