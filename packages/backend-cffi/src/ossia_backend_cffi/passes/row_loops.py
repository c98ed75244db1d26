"""Loops whose iterations take the rows of a batch apart, as those of recurrent networks do: which buffers consist of
rows, and which every thread can compute for itself."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ossia_backend_cffi.program.accesses import LOADS, STORES, pattern_of, steps_of
from ossia_backend_cffi.program.builder import Builder

READ, WRITE, LEND, PUSH, POP = 2, 1, 5, 1, 2  # what instructions do to arrays and stacks
_PURE = ("integers", "cast")  # what every thread can compute for itself
_PASSES = ("elementwise", "copy", "strided_copy")
_ROWS = 8             # of a batch, at least
LARGEST = 1 << 30     # bytes of a value
PANEL = 32            # columns of a product that are laid out side by side
_PADDING = 1 << 18    # elements that panels may take besides twice those of the matrix that is laid out in them


class Unsuited(Exception):
    """The loop has to run as it is."""


class LoopOfRows:
    """A loop: which of its buffers consist of rows, and which every thread computes for itself."""

    def __init__(self, builder: Builder, start: int, end: int) -> None:
        self._builder, self._start, self._end = builder, start, end
        self._row = builder.rows[start]
        self._body = list(builder.rows[start + 1 : end])
        self._names = [row.name for row in self._body]
        self._condition = self._row.condition
        self._batch = self._found_batch()
        code, at, count = builder.code, self._row.moves, self._row.move_count
        self._moves = [tuple(code[k : k + 4]) for k in range(at, at + 4 * count, 4)]
        self._targets, self._sources = {move[0] for move in self._moves}, {move[1] for move in self._moves}
        self._of_rows: dict[int, bool] = {}      # buffers that the loop writes: whether they consist of rows
        self._sums: dict[int, int] = {}          # instruction -> the buffer that it adds to
        self._added: set[int] = set()            # those buffers
        self._storages: dict[int, bool] = {}     # of arrays: whether elements consist of rows
        self._changed = False
        self._skipped: set[int] = set()
        self._readers: dict[int, list[int]] = {}
        self._writers: dict[int, list[int]] = {}
        self._conditional = self._found_conditional()
        self._access: list[tuple[list[int], list[int]]] = []  # what each instruction reads and writes
        self._loads: dict[int, list[tuple[int, int, int]]] = {}  # of chains: buffers, and how they are broadcast

    def _found_batch(self) -> int:
        for name, row in zip(self._names, self._body, strict=True):
            if name == "matmul" and not row.ta and row.m >= _ROWS:
                return row.m
        raise Unsuited("no product of rows")

    def _found_conditional(self) -> set[int]:
        found: set[int] = set()
        for k, name in enumerate(self._names):
            if name == "branch":
                found.update(range(k + 1, k + 1 + self._body[k].skipped))
        return found

    # -- what is read and written ------------------------------------------------------------------------------

    def _steps(self, row: Any) -> list[list[int]]:
        return steps_of(self._builder, row.code, row.steps)

    def _conditions(self, at: int) -> list[int]:
        code = self._builder.code
        return code[at + 1 : at + 1 + 2 * code[at] : 2]

    def _choices(self, row: Any) -> list[tuple[int, list[int]]]:
        at, found = row.code, []
        for _ in range(row.choices):
            conditions = self._conditions(at + 1)
            found.append((self._builder.code[at], conditions))
            at += 2 + 2 * len(conditions)
        return found

    def _found_accesses(self, k: int) -> tuple[list[int], list[int]]:
        """The buffers that an instruction reads and writes.

        Raises:
          Unsuited: rows cannot go through it apart.
        """
        name, row = self._names[k], self._body[k]
        if name == "elementwise":
            reads, writes = [], []
            loads = self._loads[k] = []
            for step in self._steps(self._body[k]):
                if step[0] in LOADS:
                    reads.append(step[2])
                    loads.append((step[2], *pattern_of(step)))
                elif step[0] in STORES:
                    writes.append(step[2])
                elif step[6]:
                    writes.append(step[6] - 1)
            return reads, writes
        if name == "matmul":
            return [row.a, row.b], [row.out]
        if name in _PURE or name in ("strided_copy", "copy", "reduce", "row_sums"):
            return row.operands_read(), row.results()
        if name == "branch":
            return self._conditions(row.conditions), []
        if name == "merge":
            choices = self._choices(self._body[k])
            return [b for value, conditions in choices for b in (value, *conditions)], [row.out]
        if name == "array" and row.kind in (READ, WRITE, LEND):
            if row.kind == WRITE:
                return [row.forward, row.value, row.index], [row.flags, row.storage]
            return [row.forward, row.storage, row.index], [row.flags, row.value]
        if name == "stack" and row.kind in (PUSH, POP):
            return (row.operands_read(), []) if row.kind == PUSH else ([], row.operands_read())
        raise Unsuited(f"an instruction {name}")

    def _size(self, buffer: int) -> int:
        """Elements."""
        found = self._builder.buffers[buffer]
        return found.nbytes // found.dtype.itemsize

    def _bytes_of_row(self, buffer: int) -> int:
        return self._builder.buffers[buffer].nbytes // self._batch

    # -- which buffers consist of rows -------------------------------------------------------------------------

    def _decide(self) -> None:
        """Find out what consists of rows: all that could, less what is computed otherwise, until nothing changes."""
        batch, buffers = self._batch, self._builder.buffers
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name == "row_sums" or name == "matmul" and row.adds:
                self._sums[k] = row.out
        self._access = [self._found_accesses(k) for k in range(len(self._body))]
        for k, (reads, writes) in enumerate(self._access):
            for b in reads:
                self._readers.setdefault(b, []).append(k)
            for b in writes:
                self._writers.setdefault(b, []).append(k)
        storages = {row.storage for name, row in zip(self._names, self._body, strict=True) if name == "array"}
        sums = self._added = set(self._sums.values())
        for b in {*self._writers, *(target for target, *_ in self._moves)} - storages - sums:
            size = self._size(b)
            if buffers[b].nbytes >= LARGEST or buffers[b].kind not in ("arena", "output"):
                raise Unsuited("a large value, or a variable that changes")
            self._of_rows[b] = size >= batch and size % batch == 0
        for k, b in self._sums.items():
            if k in self._conditional or self._readers.get(b) or self._writers[b] != [k] or b in self._of_rows:
                raise Unsuited("a sum that is used in the loop")
        self._leave_out()
        for first in range(self._condition):
            if first not in self._skipped and self._names[first] not in (*_PURE, *_PASSES, "reduce"):
                raise Unsuited("a condition that has effects")
        self._changed = True
        while self._changed:
            self._changed = False
            for k in range(len(self._body)):
                if k not in self._skipped:
                    self._check(k)
            for target, source, *_ in self._moves:
                if not self._of_rows[target] or not self._is_divided(source):
                    self._alike([target, source])
            self._alike([self._row.predicate])
        for b, storage in self._storages.items():
            used = [k for k in (*self._readers.get(b, ()), *self._writers.get(b, ())) if self._names[k] != "array"]
            if b in self._writers and (used if storage else b in self._readers):
                raise Unsuited("an array that is written and read")

    def _is_own(self, b: int) -> bool:
        """Whether a buffer is written anew in every iteration, and read in no other; a variable may take its value."""
        buffer = self._builder.buffers[b]
        inside = self._start + self._condition < buffer.first and buffer.last <= self._end
        return buffer.kind == "arena" and inside and b not in self._targets and b != self._row.predicate

    def _is_local(self, b: int) -> bool:
        """Whether no variable takes the value of such a buffer either."""
        return self._is_own(b) and b not in self._sources

    def _leave_out(self) -> None:
        """Leave out what computes values that nobody reads."""
        for k in range(len(self._body) - 1, -1, -1):
            _, writes = self._access[k]
            if self._names[k] not in ("reduce", "strided_copy", "elementwise", "matmul", "copy") or k in self._sums:
                continue
            if all(self._is_local(b) and not self._readers.get(b) for b in writes):
                self._skip(k)

    def _skip(self, k: int) -> None:
        reads, writes = self._access[k]
        self._skipped.add(k)
        for b in reads:
            self._readers[b].remove(k)
        for b in writes:
            self._writers[b].remove(k)

    def _is_divided(self, b: int) -> bool:
        """Whether threads may read their rows of a buffer."""
        found = self._of_rows.get(b)
        if found is None:
            return b not in self._added and b not in self._storages and self._size(b) % self._batch == 0
        return found

    def _is_fixed(self, b: int) -> bool:
        return b not in self._of_rows and b not in self._writers

    def _alike(self, buffers: Iterable[int]) -> None:
        """Let every thread compute these for itself."""
        for b in buffers:
            if self._of_rows.get(b):
                self._of_rows[b] = False
                self._changed = True

    def _check(self, k: int) -> None:
        """Let the buffers of an instruction be what it can do with them.

        Raises:
          Unsuited: they cannot.
        """
        name, row = self._names[k], self._body[k]
        reads, writes = self._access[k]
        if k not in self._sums and (not self._added.isdisjoint(reads) or not self._added.isdisjoint(writes)):
            raise Unsuited("a sum that is used in the loop")
        if name == "elementwise":
            if not all(self._of_rows[b] for b in writes):
                self._alike([*reads, *writes])
                return
            for b, every, size in self._loads[k]:
                if self._of_rows.get(b) and (every * size != row.elements or size != self._size(b)):
                    self._alike([b])
        elif name == "matmul":
            self._check_product(k)
        elif name == "row_sums":
            if row.rows != self._batch or not self._is_divided(row.x):
                raise Unsuited("a sum over something else than rows")
        elif name == "strided_copy":
            rows = self._of_rows[row.out] and self._walks_rows(row.dims, row.out, row.target, row.at)
            if not rows or self._of_rows.get(row.x) and not self._walks_rows(row.dims, row.x, row.source, row.start):
                self._alike([row.out, row.x])
        elif name in ("copy", "merge"):
            values = [row.x] if name == "copy" else [value for value, _ in self._choices(row)]
            out = self._builder.buffers[row.out].nbytes
            fit = all(self._builder.buffers[b].nbytes == out for b in values) and row.bytes == out
            if not self._of_rows[row.out] or not fit:
                self._alike([row.out, *values])
            self._alike([] if name == "copy" else [b for _, found in self._choices(row) for b in found])
        elif name == "array":
            self._alike([row.flags, row.forward, row.index])
            divided = self._is_divided(row.value) and row.bytes == self._builder.buffers[row.value].nbytes
            if self._storages.setdefault(row.storage, divided) and not divided:
                self._storages[row.storage] = False
                self._changed = True
            if not self._storages[row.storage]:
                self._alike([row.value])
        elif name == "stack":
            opposite = PUSH + POP - row.kind, row.number
            if any(other.name == "stack" and (other.kind, other.number) == opposite for other in self._body):
                raise Unsuited("a stack that grows and shrinks")
        else:
            self._alike([*reads, *writes])

    def _check_product(self, k: int) -> None:
        row = self._body[k]
        n, depth = row.n, row.k
        if k in self._sums:
            divided = self._is_divided(row.a) and self._is_divided(row.b)
            if not row.ta or row.tb or depth != self._batch or not divided:
                raise Unsuited("a sum over something else than rows")
            return
        if row.ta or row.m != self._batch or not n or not depth or not self._of_rows[row.out]:
            raise Unsuited("a product of something else than rows")
        if not self._is_fixed(row.b) or depth * (n + PANEL) > 2 * n * depth + _PADDING:
            raise Unsuited("a product by what changes, or by a few long columns")

    def _walks_rows(self, dims: Sequence[int], buffer: int, steps: Sequence[int], start: int) -> bool:
        """Whether a copy of these extents goes from row to row of a buffer, with these steps and from this place on."""
        pitch = self._size(buffer) // self._batch
        if not dims or dims[0] != self._batch or steps[0] != pitch or self._size(buffer) % self._batch:
            return False
        inside = sum((n - 1) * step for n, step in zip(dims[1:], steps[1:], strict=True))
        return min(steps) >= 0 and start >= 0 and start + inside < pitch

