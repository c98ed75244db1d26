"""Loops over a batch whose rows do not meet each other in the body, as in recurrent networks: each thread takes its
rows through many iterations, and sums over rows, such as the gradients of weights, wait until they are one product.

The pass works on the table before instructions are grouped. What an instruction of the body does stays the same; how
the loop runs it is written into its last parameters (c/recurrence.c)."""
from __future__ import annotations

import os
from typing import Any

from ossia_backend_cffi.emitters import F32
from ossia_backend_cffi.fusion import NUMBER
from ossia_backend_cffi.loop_rows import LARGEST, LEND, PANEL, PUSH, READ, LoopOfRows, Unsuited
from ossia_backend_cffi.products import scratch_of
from ossia_backend_cffi.program import KERNEL_NUMBER, KERNELS, Builder

_KINDS = {
    name: number
    for number, name in enumerate(
        ("uniform", "nothing", "chain", "product", "strided", "copied", "array", "stack", "merged", "kept")
    )
}
_AWAITED = 512        # rows of a product that is waited for, so many or a little fewer
_AT_ONCE = 16         # iterations until threads meet, where nothing is waited for
_LONGEST = 20_000     # microseconds until they meet, where that can be
_LEAST = 2            # microseconds of an iteration that is worth it
_UNIFORM = 1 << 15    # bytes of what every thread computes for itself
_WAITING = 1 << 25    # bytes of what waits for sums, unless one iteration needs more
_THREADS = min(64, max(4, os.cpu_count() or 1))


def share(builder: Builder) -> None:
    """Let the loops of a program that work row by row be shared among threads by rows."""
    for start, end in builder.loops:
        try:
            _Recurrence(builder, start, end).share()
        except Unsuited:
            continue


class _Recurrence(LoopOfRows):
    """Such a loop, to be rewritten."""

    # -- the new form ------------------------------------------------------------------------------------------

    def share(self) -> None:
        """Rewrite the loop.

        Raises:
          Unsuited: it has to run as it is.
        """
        self._decide()
        cost = self._cost()
        uniform = sum(
            -(-self._builder.buffers[b].nbytes // 16) * 16 for b, of_rows in self._of_rows.items() if not of_rows
        )
        if cost < _LEAST or uniform > _UNIFORM or not any(
            n == "matmul" and k not in self._sums and k not in self._skipped for k, n in enumerate(self._names)
        ):
            raise Unsuited("too little work")
        batch = self._batch
        most = max(1, _AWAITED // batch) if self._sums else _AT_ONCE
        waiting = sum(self._builder.buffers[b].nbytes for k in self._sums for b in self._body[k][2][1:])
        pushed = sum(row[3][2] for name, row in zip(self._names, self._body, strict=True) if name == "stack")
        if max(waiting, pushed) >= LARGEST:
            raise Unsuited("large values")
        at_once = max(1, min(most, int(_LONGEST / cost), _WAITING // max(waiting, 1)))
        products = self._write_products()
        awaited, scratch = self._write_sums(at_once)
        placed = self._placed({b for b, *_ in awaited})
        kinds = [self._kind(k) for k in range(len(self._body))]
        self._copy_what_is_lent()
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
        return int(min(cost, 1e9)) + 1

    def _kind(self, k: int) -> str:
        name = self._names[k]
        if k in self._skipped:
            return "nothing"
        if k in self._sums:
            return "kept"
        if name == "matmul":
            return "product"
        if name in ("array", "stack"):
            return name
        rows = all(self._of_rows[b] for b in self._access[k][1]) and name != "branch"
        own = {"elementwise": "chain", "strided_copy": "strided", "copy": "copied", "merge": "merged"}
        return own[name] if rows else "uniform"

    def _copy_what_is_lent(self) -> None:
        """Let every thread have its own copy of an element of an array that does not consist of rows: a missing one is
        made where it lies."""
        for name, (_, _, indices, ints, _) in zip(self._names, self._body, strict=True):
            if name == "array" and ints[0] == LEND and not self._storages[indices[2]]:
                ints[0] = READ
                self._builder.lent.discard(indices[3])

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

    # -- products and sums -------------------------------------------------------------------------------------

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
            panels = sum(-(-columns // PANEL) * PANEL for _, _, columns, _, _ in blocks)
            ints = row[3]
            ints += [0] * (24 - len(ints))
            ints[10:14] = [self._whole(panels, depth), bias, len(self._builder.code), len(blocks)]
            for block in blocks:
                self._builder.code += block
        for b in {self._body[k][2][2] for k in found}:
            self._turn_while_laid_out(b, [k for k in found if self._body[k][2][2] == b])
        return found

    def _turn_while_laid_out(self, b: int, products: list[int]) -> None:
        """Spare the copy that transposes a matrix just before the loop, if it is for these products only."""
        rows, buffer = self._builder.rows, self._builder.buffers[b]
        if set(self._readers[b]) != set(products) or buffer.last >= self._end:
            return
        for at in range(self._start - 1, -1, -1):
            kernel, node, indices, ints, _ = rows[at]
            if KERNELS[kernel] != "strided_copy":
                return
            if indices[0] != b:
                continue
            (k, n), steps = ints[2:4], [*ints[8:10], *ints[14:16], *ints[20:22]]
            plain = ints[:2] == [4, 2] and steps == [1, k, n, 1, 0, 0]
            if buffer.first != at or not plain or not self._is_fixed(indices[1]):
                return
            source = self._builder.buffers[indices[1]]
            source.last = max(source.last, self._start)
            for product in products:
                self._body[product][2][2] = indices[1]
                self._access[product] = self._body[product][2][1:3], self._access[product][1]
                self._body[product][3][4] = 1
            rows[at] = (KERNEL_NUMBER["by_rows"], node, [], [0] * 24, [])
            self._readers[indices[1]] = [*self._readers.get(indices[1], ()), *products]
            buffer.first = buffer.last = -1
            return

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
        if bias is None or bias[3:7] != [1, 0, n, 0] or not self._is_fixed(bias[2]) or n == 1:
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
        """Where the columns of a product go: to the results of the copies that cut it up, if there are only such."""
        readers = self._readers.get(out, [])
        blocks = []
        for at in readers:
            if not self._is_local(out) or self._names[at] != "strided_copy" or at in self._conditional:
                break
            target, ints = self._body[at][2][0], self._body[at][3]
            rank, (rows, columns), pitch = ints[1], ints[2:4], ints[14]
            plain = ints[0] == 4 and rank == 2 and rows == self._batch and (ints[8], ints[9], ints[15]) == (n, 1, 1)
            plain = plain and self._of_rows[target] and len(self._writers[target]) == 1
            if not plain or not self._is_fresh(target, k, at):
                break
            blocks.append((target, ints[20], columns, pitch, ints[21]))
        panels = sum(-(-columns // PANEL) * PANEL for _, _, columns, *_ in blocks)
        split = 0 < panels <= 2 * n + PANEL and len(blocks) == len(readers) and len(self._writers[out]) == 1
        if not split or k in self._conditional:
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
            if name != "stack" or row[3][0] != PUSH or not row[2] or k in self._conditional or pushes[row[3][1]] > 1:
                continue
            b = row[2][0]
            free = b not in found and b not in awaited and b not in self._builder.lent
            if free and self._is_own(b) and self._of_rows.get(b):
                found[b] = row[3][1]
                row[3].extend([0] * (24 - len(row[3])))
                row[3][10] = 1
        return found

    # -- the plan ----------------------------------------------------------------------------------------------

    def _write_plan(
        self, at_once: int, cost: int, scratch: int, products: list[int], awaited: list[tuple[int, int, int]],
        placed: dict[int, int],
    ) -> None:
        builder, body = self._builder, range(len(self._body))
        used = {b for k in body for found in self._access[k] for b in found} | set(self._row[2])
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
                if row[3][0] == PUSH and row[3][2]:
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
