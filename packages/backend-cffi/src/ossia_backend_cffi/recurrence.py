"""Loops over a batch whose rows do not meet each other in the body, as in recurrent networks: each thread takes its rows
through many iterations, and sums over rows, such as the gradients of weights, wait until they are one large product.

The pass works on the table before instructions are grouped. What an instruction of the body does stays the same; how the loop
runs it is written into its last parameters (c/recurrence.c)."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from ossia_backend_cffi.emitters import F32
from ossia_backend_cffi.fusion import NUMBER
from ossia_backend_cffi.products import scratch_of
from ossia_backend_cffi.program import KERNEL_NUMBER, KERNELS, Builder

_KINDS = {
    name: number
    for number, name in enumerate(
        ("uniform", "nothing", "chain", "product", "strided", "copied", "array", "stack", "merged", "kept")
    )
}
_PURE = frozenset(("integers", "cast", "add_scalar_i32", "add_scalar_i64"))  # what every thread can compute for itself
_LOADS = range(NUMBER["LOAD"], NUMBER["LOAD_I64"] + 1)
_STORES = range(NUMBER["STORE"], NUMBER["STORE_I64"] + 1)
_ROWS = 8             # of a batch, at least
_AWAITED = 512        # rows of a product that is waited for, so many or a little fewer
_AT_ONCE = 16         # iterations until threads meet, where nothing is waited for
_LONGEST = 20_000     # microseconds until they meet, where that can be
_LEAST = 4            # microseconds of an iteration that is worth it
_UNIFORM = 1 << 15    # bytes of what every thread computes for itself
_LARGEST = 1 << 30    # bytes of a value
_PANEL = 32
_READ, _WRITE, _LEND, _PUSH, _POP = 2, 1, 5, 1, 2
_THREADS = min(64, max(4, os.cpu_count() or 1))


class _Unsuited(Exception):
    """The loop has to run as it is."""


def share(builder: Builder) -> None:
    """Let the loops of a program that work row by row be shared among threads by rows."""
    for start, end in builder.loops:
        try:
            _Loop(builder, start, end).share()
        except _Unsuited:
            continue


class _Loop:
    """A loop: which of its buffers consist of rows, and which every thread computes for itself."""

    def __init__(self, builder: Builder, start: int, end: int) -> None:
        self._builder, self._start, self._end = builder, start, end
        self._row = builder.rows[start]
        self._body = list(builder.rows[start + 1 : end])
        self._names = [KERNELS[row[0]] for row in self._body]
        self._condition = self._row[3][0]
        self._batch = self._found_batch()
        code, at, count = builder.code, self._row[3][2], self._row[3][3]
        self._moves = [tuple(code[k : k + 4]) for k in range(at, at + 4 * count, 4)]
        self._of_rows: dict[int, bool] = {}      # buffers that the loop writes: whether they consist of rows
        self._sums: dict[int, int] = {}          # instruction -> the buffer that it adds to
        self._storages: dict[int, bool] = {}     # of arrays: whether elements consist of rows
        self._changed = False
        self._skipped: set[int] = set()
        self._readers: dict[int, list[int]] = {}
        self._writers: dict[int, list[int]] = {}
        self._conditional = self._found_conditional()

    def _found_batch(self) -> int:
        for name, row in zip(self._names, self._body, strict=True):
            if name == "matmul" and not row[3][3] and row[3][0] >= _ROWS:
                return row[3][0]
        raise _Unsuited

    def _found_conditional(self) -> set[int]:
        found: set[int] = set()
        for k, name in enumerate(self._names):
            if name == "branch":
                found.update(range(k + 1, k + 1 + self._body[k][3][0]))
        return found

    # -- what is read and written -----------------------------------------------------------------------------------

    def _steps(self, row: tuple) -> list[list[int]]:
        code, (_, first, count) = self._builder.code, row[3][:3]
        return [code[at : at + 8] for at in range(first, first + 8 * count, 8)]

    def _conditions(self, at: int) -> list[int]:
        code = self._builder.code
        return code[at + 1 : at + 1 + 2 * code[at] : 2]

    def _choices(self, row: tuple) -> list[tuple[int, list[int]]]:
        at, found = row[3][2], []
        for _ in range(row[3][1]):
            conditions = self._conditions(at + 1)
            found.append((self._builder.code[at], conditions))
            at += 2 + 2 * len(conditions)
        return found

    def _accesses(self, k: int) -> tuple[list[int], list[int]]:
        """The buffers that an instruction reads and writes.

        Raises:
          _Unsuited: rows cannot go through it apart.
        """
        name, (_, _, indices, ints, _) = self._names[k], self._body[k]
        if name == "elementwise":
            reads, writes = [], []
            for step in self._steps(self._body[k]):
                if step[0] in _LOADS:
                    reads.append(step[2])
                elif step[0] in _STORES:
                    writes.append(step[2])
                elif step[6]:
                    writes.append(step[6] - 1)
            return reads, writes
        if name == "matmul":
            return indices[1:3] if not ints[5:6] or not ints[5] else indices[1:4], indices[:1]
        if name in _PURE or name in ("strided_copy", "copy", "reduce", "row_sums"):
            return indices[1:], indices[:1]
        if name == "branch":
            return self._conditions(ints[1]), []
        if name == "merge":
            choices = self._choices(self._body[k])
            return [b for value, conditions in choices for b in (value, *conditions)], indices[:1]
        if name == "array" and ints[0] in (_READ, _WRITE, _LEND):
            flags, forward, storage, value, index = indices
            if ints[0] == _WRITE:
                return [forward, value, index], [flags, storage]
            return [forward, storage, index], [flags, value]
        if name == "stack" and ints[0] in (_PUSH, _POP):
            return (indices, []) if ints[0] == _PUSH else ([], indices)
        raise _Unsuited

    def _size(self, buffer: int) -> int:
        """Elements."""
        found = self._builder.buffers[buffer]
        return found.nbytes // found.dtype.itemsize

    def _bytes_of_row(self, buffer: int) -> int:
        return self._builder.buffers[buffer].nbytes // self._batch

    # -- which buffers consist of rows ----------------------------------------------------------------------------------

    def _decide(self) -> None:
        """Find out what consists of rows: all that could, less what is computed otherwise, until nothing changes."""
        batch, buffers = self._batch, self._builder.buffers
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name == "row_sums" or name == "matmul" and any(row[3][6:7]):
                self._sums[k] = row[2][0]
        for k in range(len(self._body)):
            reads, writes = self._accesses(k)
            for b in reads:
                self._readers.setdefault(b, []).append(k)
            for b in writes:
                self._writers.setdefault(b, []).append(k)
        storages = {row[2][2] for name, row in zip(self._names, self._body, strict=True) if name == "array"}
        sums = set(self._sums.values())
        for b in {*self._writers, *(target for target, *_ in self._moves)} - storages - sums:
            size = self._size(b)
            if buffers[b].nbytes >= _LARGEST:
                raise _Unsuited
            self._of_rows[b] = size >= batch and size % batch == 0
        for k, b in self._sums.items():
            if k in self._conditional or self._readers.get(b) or self._writers[b] != [k] or b in self._of_rows:
                raise _Unsuited
        self._leave_out()
        for first in range(self._condition):
            if first not in self._skipped and self._names[first] not in (*_PURE, "elementwise", "copy"):
                raise _Unsuited
        self._changed = True
        while self._changed:
            self._changed = False
            for k in range(len(self._body)):
                if k not in self._skipped:
                    self._check(k)
            for target, source, *_ in self._moves:
                if not self._of_rows[target] or not self._is_divided(source):
                    self._alike([target, source])
            self._alike(self._row[2])
        for b, storage in self._storages.items():
            used = [k for k in (*self._readers.get(b, ()), *self._writers.get(b, ())) if self._names[k] != "array"]
            if storage and used and b in self._writers:
                raise _Unsuited
            if not storage and b in self._writers and b in self._readers:
                raise _Unsuited
        if any(self._of_rows[b] for b in self._row[2] if b in self._of_rows):
            raise _Unsuited

    def _is_own(self, b: int) -> bool:
        """Whether a buffer is written anew in every iteration, and read in no other; a variable may take its value."""
        buffer = self._builder.buffers[b]
        inside = self._start + self._condition < buffer.first and buffer.last <= self._end
        changing = any(b == target for target, *_ in self._moves)
        return buffer.kind == "arena" and inside and not changing and b not in self._row[2]

    def _is_local(self, b: int) -> bool:
        """Whether no variable takes the value of such a buffer either."""
        return self._is_own(b) and not any(b == move[1] for move in self._moves)

    def _leave_out(self) -> None:
        """Leave out what computes values that nobody reads."""
        for k in range(len(self._body) - 1, -1, -1):
            reads, writes = self._accesses(k)
            if self._names[k] not in ("reduce", "strided_copy", "elementwise", "matmul", "copy") or k in self._sums:
                continue
            if all(self._is_local(b) and not self._readers.get(b) for b in writes):
                self._skip(k)

    def _skip(self, k: int) -> None:
        reads, writes = self._accesses(k)
        self._skipped.add(k)
        for b in reads:
            self._readers[b].remove(k)
        for b in writes:
            self._writers[b].remove(k)

    def _is_divided(self, b: int) -> bool:
        """Whether threads may read their rows of a buffer."""
        found = self._of_rows.get(b)
        if found is None:
            return b not in self._sums.values() and b not in self._storages and self._size(b) % self._batch == 0
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
          _Unsuited: they cannot.
        """
        name, (_, _, indices, ints, _) = self._names[k], self._body[k]
        if any(b in self._sums.values() for b in (*self._accesses(k)[0], *self._accesses(k)[1])) and k not in self._sums:
            raise _Unsuited
        reads, writes = self._accesses(k)
        if name == "elementwise":
            if not all(self._of_rows[b] for b in writes):
                self._alike([*reads, *writes])
                return
            for step in self._steps(self._body[k]):
                if step[0] in _LOADS and self._of_rows.get(step[2]):
                    every, size = step[4] << 31 | step[3], step[6] << 31 | step[5]
                    if every * size != ints[0] or size != self._size(step[2]):
                        self._alike([step[2]])
        elif name == "matmul":
            self._check_product(k)
        elif name == "row_sums":
            if ints[0] != self._batch or not self._is_divided(indices[1]):
                raise _Unsuited
        elif name == "strided_copy":
            out, source = indices
            rows = self._of_rows[out] and self._walks_rows(ints, out, 14, 21)
            if not rows or self._of_rows.get(source) and not self._walks_rows(ints, source, 8, 20):
                self._alike(indices)
        elif name in ("copy", "merge"):
            values = [indices[1]] if name == "copy" else [value for value, _ in self._choices(self._body[k])]
            out = self._builder.buffers[indices[0]].nbytes
            fit = all(self._builder.buffers[b].nbytes == out for b in values) and ints[0] == out
            if not self._of_rows[indices[0]] or not fit:
                self._alike([indices[0], *values])
            self._alike([] if name == "copy" else [b for _, found in self._choices(self._body[k]) for b in found])
        elif name == "array":
            flags, forward, storage, value, index = indices
            self._alike([flags, forward, index])
            divided = self._is_divided(value) and ints[2] == self._builder.buffers[value].nbytes
            if self._storages.setdefault(storage, divided) and not divided:
                self._storages[storage] = False
                self._changed = True
            if not self._storages[storage]:
                self._alike([value])
        elif name == "stack":
            if any(self._names[j] == "stack" and self._body[j][3][:2] == [3 - ints[0], ints[1]] for j in range(len(self._body))):
                raise _Unsuited
        else:
            self._alike([*reads, *writes])

    def _check_product(self, k: int) -> None:
        _, _, indices, ints, _ = self._body[k]
        m, n, depth, turned = ints[:4]
        if k in self._sums:
            if not turned or ints[4] or depth != self._batch or not all(self._is_divided(b) for b in indices[1:3]):
                raise _Unsuited
            return
        if turned or m != self._batch or any(ints[5:]) or not n or not depth or not self._of_rows[indices[0]]:
            raise _Unsuited
        if not self._is_fixed(indices[2]) or max(n, depth, m) >= _LARGEST:
            raise _Unsuited

    def _walks_rows(self, ints: Sequence[int], buffer: int, steps: int, start: int) -> bool:
        """Whether a copy goes from row to row of a buffer."""
        rank, dims, own = ints[1], ints[2:8], ints[steps : steps + 6]
        pitch = self._size(buffer) // self._batch
        if not rank or dims[0] != self._batch or own[0] != pitch or self._size(buffer) % self._batch:
            return False
        inside = sum((dims[k] - 1) * own[k] for k in range(1, rank))
        return min(own) >= 0 and ints[start] >= 0 and ints[start] + inside < pitch

    # -- the new form -------------------------------------------------------------------------------------------------

    def share(self) -> None:
        """Rewrite the loop.

        Raises:
          _Unsuited: it has to run as it is.
        """
        self._decide()
        cost = self._cost()
        uniform = sum(
            -(-self._builder.buffers[b].nbytes // 16) * 16 for b, of_rows in self._of_rows.items() if not of_rows
        )
        if cost < _LEAST or uniform > _UNIFORM or not any(
            n == "matmul" and k not in self._sums and k not in self._skipped for k, n in enumerate(self._names)
        ):
            raise _Unsuited
        batch = self._batch
        most = max(1, _AWAITED // batch) if self._sums else _AT_ONCE
        at_once = max(1, min(most, int(_LONGEST / cost)))
        products = self._write_products()
        awaited, scratch = self._write_sums(at_once)
        placed = self._placed({b for b, *_ in awaited})
        kinds = [self._kind(k, placed) for k in range(len(self._body))]
        self._write_plan(at_once, cost, scratch, products, awaited, placed)
        builder = self._builder
        for k, (row, kind) in enumerate(zip(self._body, kinds, strict=True)):
            ints = row[3]
            ints += [0] * (24 - len(ints))
            ints[23] = _KINDS[kind]
            if kind != "product":
                ints[22] = self._detail(k, kind, row)
            builder.rows[self._start + 1 + k] = (KERNEL_NUMBER["by_rows"], *row[1:])
        builder.rows[self._start] = (KERNEL_NUMBER["recurrence"], *self._row[1:])

    def _cost(self) -> int:
        """Microseconds of an iteration, roughly."""
        cost = 0.0
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name == "matmul" and k not in self._skipped:
                m, n, depth = row[3][:3]
                cost += m * n * depth / 5e4
            elif name == "elementwise":
                cost += row[3][0] * row[3][2] * 1e-4
        return int(min(cost, 1e9))

    def _kind(self, k: int, placed: dict[int, int]) -> str:
        name, indices = self._names[k], self._body[k][2]
        if k in self._skipped:
            return "nothing"
        if k in self._sums:
            return "kept"
        if name == "matmul":
            return "product"
        if name in ("array", "stack"):
            return name
        rows = all(self._of_rows[b] for b in self._accesses(k)[1]) and name != "branch"
        own = {"elementwise": "chain", "strided_copy": "strided", "copy": "copied", "merge": "merged"}
        return own[name] if rows else "uniform"

    def _detail(self, k: int, kind: str, row: tuple) -> int:
        """What the loop needs to know of an instruction besides its own parameters."""
        indices, ints = row[2], row[3]
        if kind == "chain":
            return self._batch
        if kind == "copied" or kind == "merged":
            return ints[0] // self._batch
        if kind == "array":
            return ints[2] // self._batch if self._storages[indices[2]] else 0
        if kind == "stack":
            return ints[2] // self._batch if indices and self._of_rows.get(indices[0]) else 0
        return row[0]

    # -- products and sums ----------------------------------------------------------------------------------------------

    def _whole(self, *shape: int) -> int:
        """A buffer that lives as long as the loop."""
        value = self._builder.temporary(F32, shape)
        buffer = self._builder.buffers[value.buffer]
        buffer.first, buffer.last = self._start, self._end
        return value.buffer

    def _write_products(self) -> list[int]:
        found = []
        for k in range(len(self._body)):
            if self._names[k] != "matmul" or k in self._sums or k in self._skipped:
                continue
            found.append(k)
            row = self._body[k]
            out, n, depth = row[2][0], row[3][1], row[3][2]
            out, bias = self._biased(k, out, n)
            blocks = self._blocks(k, out, n)
            panels = sum(-(-columns // _PANEL) * _PANEL for _, _, columns, _, _ in blocks)
            ints = row[3]
            ints += [0] * (24 - len(ints))
            ints[10:14] = [self._whole(panels, depth), bias, len(self._builder.code), len(blocks)]
            for block in blocks:
                self._builder.code += block
        return found

    def _only_reader(self, b: int) -> int | None:
        readers = self._readers.get(b, [])
        return readers[0] if self._is_local(b) and len(readers) == 1 and len(self._writers[b]) == 1 else None

    def _biased(self, k: int, out: int, n: int) -> tuple[int, int]:
        """The result of a product with the bias that is added to it, and that bias, or -1."""
        at = self._only_reader(out)
        if at is None or self._names[at] != "elementwise" or (at in self._conditional) != (k in self._conditional):
            return out, -1
        steps = self._steps(self._body[at])
        if [s[0] for s in steps] != [NUMBER["LOAD"], NUMBER["LOAD"], NUMBER["ADD"]] or not steps[2][6]:
            return out, -1
        bias = next((s for s in steps[:2] if s[2] != out), None)
        if bias is None or (bias[3], bias[4], bias[5], bias[6]) != (1, 0, n, 0) or not self._is_fixed(bias[2]) or n == 1:
            return out, -1
        result = steps[2][6] - 1
        if not self._is_fresh(result, k, at):
            return out, -1
        self._skip(at)
        self._writers[result] = [k]
        return result, bias[2]

    def _is_fresh(self, b: int, k: int, at: int) -> bool:
        """Whether nothing touches a buffer before instruction `at` writes it, so that `k` may."""
        return self._is_own(b) and self._builder.buffers[b].first == self._start + 1 + at and k < at

    def _blocks(self, k: int, out: int, n: int) -> list[tuple[int, int, int, int, int]]:
        """Where the columns of a product go: to the results of the copies that would cut it up, if there are only such."""
        readers = self._readers.get(out, [])
        blocks = []
        for at in readers:
            if not self._is_local(out) or self._names[at] != "strided_copy" or at in self._conditional:
                break
            target, ints = self._body[at][2][0], self._body[at][3]
            rank, (rows, columns), pitch = ints[1], ints[2:4], ints[14]
            plain = ints[0] == 4 and rank == 2 and rows == self._batch and (ints[8], ints[9], ints[15]) == (n, 1, 1)
            if not plain or not self._of_rows[target] or len(self._writers[target]) != 1 or not self._is_fresh(target, k, at):
                break
            blocks.append((target, ints[20], columns, pitch, ints[21]))
        if not blocks or len(blocks) < len(readers) or len(self._writers[out]) != 1 or k in self._conditional:
            return [(out, 0, n, n, 0)]
        for at in list(readers):
            self._skip(at)
        for target, *_ in blocks:
            self._writers[target] = [k]
        return blocks

    def _write_sums(self, at_once: int) -> tuple[list[tuple[int, int, int]], int]:
        """What waits for sums: (buffer, where it waits, bytes of an iteration); and bytes of scratch that they need."""
        awaited: dict[int, tuple[int, int, int]] = {}
        scratch = 0
        rows = at_once * self._batch
        for k in self._sums:
            _, _, indices, ints, _ = self._body[k]
            plain = self._names[k] == "row_sums"
            ints += [0] * (24 - len(ints))
            for operand, b in enumerate(indices[1:2] if plain else indices[1:3]):
                nbytes = self._bytes_of_row(b) * self._batch
                in_place = self._of_rows.get(b) and self._is_local(b) and b not in self._builder.lent
                if in_place and b in awaited:
                    where = awaited[b][1]
                else:
                    where = self._whole(rows, self._size(b) // self._batch)
                    if in_place:
                        awaited[b] = b, where, nbytes
                ints[10 + operand] = int(not in_place)
                ints[12 + operand] = self._bytes_of_row(b)
                ints[14 + operand] = where
            ints[16] = int(plain)
            if not plain:
                scratch = max(scratch, 4 * scratch_of(ints[0], ints[1], rows, False))
        return list(awaited.values()), scratch

    def _placed(self, awaited: set[int]) -> dict[int, int]:
        """Buffers that are computed where a stack keeps them: buffer -> stack."""
        found: dict[int, int] = {}
        pushes: dict[int, int] = {}
        for name, row in zip(self._names, self._body, strict=True):
            if name == "stack":
                pushes[row[3][1]] = pushes.get(row[3][1], 0) + 1
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name != "stack" or row[3][0] != _PUSH or not row[2] or k in self._conditional or pushes[row[3][1]] > 1:
                continue
            b = row[2][0]
            free = b not in found and b not in awaited and b not in self._builder.lent
            if free and self._is_own(b) and self._of_rows.get(b):
                found[b] = row[3][1]
                row[3].extend([0] * (24 - len(row[3])))
                row[3][10] = 1
        return found

    # -- the plan -----------------------------------------------------------------------------------------------------

    def _write_plan(
        self, at_once: int, cost: int, scratch: int, products: list[int], awaited: list[tuple[int, int, int]],
        placed: dict[int, int],
    ) -> None:
        builder, body = self._builder, range(len(self._body))
        used = {b for k in body for found in self._accesses(k) for b in found} | set(self._row[2])
        used.update(b for move in self._moves for b in move[:2])
        for b in used:
            # Rows are not all in the same iteration: nothing may share memory with another.
            buffer = builder.buffers[b]
            if buffer.first >= 0:
                buffer.first, buffer.last = min(buffer.first, self._start), max(buffer.last, self._end)
        copies, at = [], 0
        for b, of_rows in sorted(self._of_rows.items()):
            if not of_rows:
                nbytes = builder.buffers[b].nbytes
                copies.append((b, nbytes, at, int(b not in builder.lent)))
                at += -(-nbytes // 16) * 16
        growing: dict[int, tuple[int, int, int]] = {}
        stacks = 0
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name == "stack":
                stacks = max(stacks, row[3][1] + 1)
                if row[3][0] == _PUSH and row[3][2]:
                    _, nbytes, _ = growing.get(row[3][1], (0, 0, 0))
                    growing[row[3][1]] = row[3][1], nbytes + row[3][2], k
        table, uniform = len(builder.buffers), -(-at // 64) * 64
        own = -(-(8 * table + 32 * stacks) // 64) + uniform // 64
        scratch = -(-scratch // 64)
        lists: list[list[Any]] = [
            copies,
            list(growing.values()),
            list(placed.items()),
            awaited,
            [(k,) for k in products],
            [(k,) for k in self._sums],
            [(self._bytes_of_row(target) if self._of_rows[target] else 0,) for target, *_ in self._moves],
        ]
        ints = self._row[3]
        ints += [0] * (24 - len(ints))
        ints[5] = len(builder.code)
        builder.code += [self._batch, at_once, cost, scratch, own, _THREADS, table, stacks, uniform]
        for found in lists:
            builder.code.append(len(found))
            for entry in found:
                builder.code += entry
        builder.scratch = max(builder.scratch, 64 * (scratch + own * _THREADS))
