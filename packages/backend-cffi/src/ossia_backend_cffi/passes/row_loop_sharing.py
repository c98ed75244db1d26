"""Loops over a batch whose rows do not meet each other in the body, as in recurrent networks: each thread takes its
rows through many iterations, and sums over rows, such as the gradients of weights, wait until they are one product.

The pass works on the table before instructions are grouped. What an instruction of the body does stays the same; how
the loop runs it is written into its last parameters (c/loops/row_loops.c)."""
from __future__ import annotations

import os
from typing import Any

from ossia_backend_cffi.emitters.products import scratch_of
from ossia_backend_cffi.emitters.registry import F32
from ossia_backend_cffi.passes.row_loops import LARGEST, LEND, PANEL, PUSH, READ, LoopOfRows, Unsuited
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.chains import NUMBER
from ossia_backend_cffi.program.instructions import ByRows, Recurrence, RowProduct, RowPush, RowSum

WAYS = {
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
            _SharedLoop(builder, start, end).share()
        except Unsuited:
            continue


class _SharedLoop(LoopOfRows):
    """Such a loop, to be rewritten."""

    def __init__(self, builder: Builder, start: int, end: int) -> None:
        super().__init__(builder, start, end)
        self._roles: dict[int, tuple[Any, dict[str, Any]]] = {}  # of instructions: how they run, besides the way

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
        waiting = sum(self._builder.buffers[b].nbytes for k in self._sums for b in self._body[k].operands_read())
        pushed = sum(row.bytes for name, row in zip(self._names, self._body, strict=True) if name == "stack")
        if max(waiting, pushed) >= LARGEST:
            raise Unsuited("large values")
        at_once = max(1, min(most, int(_LONGEST / cost), _WAITING // max(waiting, 1)))
        products = self._write_products()
        awaited, scratch = self._write_sums(at_once)
        placed = self._placed({b for b, *_ in awaited})
        kinds = [self._kind(k) for k in range(len(self._body))]
        self._copy_what_is_lent()
        self._write_plan(at_once, cost, scratch, products, awaited, placed)
        for k, (row, kind) in enumerate(zip(self._body, kinds, strict=True)):
            detail = 0 if kind == "product" else self._detail(kind, row)
            made, given = self._roles.get(k, (ByRows, {}))
            row.take(made(detail=detail, way=WAYS[kind], **given))

    def _cost(self) -> int:
        """Microseconds of an iteration, roughly."""
        cost = 0.0
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name == "matmul" and k not in self._skipped:
                cost += row.m * row.n * row.k / 5e4
            elif name == "elementwise":
                cost += row.elements * row.steps * 1e-4
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
        for name, row in zip(self._names, self._body, strict=True):
            if name == "array" and row.kind == LEND and not self._storages[row.storage]:
                row.kind = READ
                self._builder.lent.discard(row.value)

    def _detail(self, kind: str, row: Any) -> int:
        """What the loop needs to know of an instruction besides its own parameters."""
        if kind == "chain":
            return self._batch
        if kind == "copied" or kind == "merged":
            return row.bytes // self._batch
        if kind == "array":
            return row.bytes // self._batch if self._storages[row.storage] else 0
        if kind == "stack":
            return row.bytes // self._batch if self._of_rows.get(row.value) else 0
        return row.kernel

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
            out, n, depth = row.out, row.n, row.k
            out, bias = self._biased(k, out, n)
            blocks = self._blocks(k, out, n)
            panels = sum(-(-columns // PANEL) * PANEL for _, _, columns, _, _ in blocks)
            self._roles[k] = RowProduct, {
                "panels": self._whole(panels, depth), "row_bias": bias, "blocks": len(self._builder.code),
                "block_count": len(blocks),
            }  # fmt: skip
            for block in blocks:
                self._builder.code += block
        for b in {self._body[k].b for k in found}:
            self._turn_while_laid_out(b, [k for k in found if self._body[k].b == b])
        return found

    def _turn_while_laid_out(self, b: int, products: list[int]) -> None:
        """Spare the copy that transposes a matrix just before the loop, if it is for these products only."""
        rows, buffer = self._builder.rows, self._builder.buffers[b]
        if set(self._readers[b]) != set(products) or buffer.last >= self._end:
            return
        for at in range(self._start - 1, -1, -1):
            copy = rows[at]
            if copy.name != "strided_copy":
                return
            if copy.out != b:
                continue
            plain = (copy.item, copy.rank, copy.start, copy.at) == (4, 2, 0, 0)
            plain = plain and copy.source == [1, copy.dims[0]] and copy.target == [copy.dims[1], 1]
            if buffer.first != at or not plain or not self._is_fixed(copy.x):
                return
            source = self._builder.buffers[copy.x]
            source.last = max(source.last, self._start)
            for k in products:
                product = self._body[k]
                product.b, product.tb = copy.x, 1
                self._access[k] = [product.a, product.b], self._access[k][1]
            copy.take(ByRows(detail=0, way=WAYS["nothing"]))
            self._readers[copy.x] = [*self._readers.get(copy.x, ()), *products]
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
            copy = self._body[at]
            plain = copy.item == 4 and copy.rank == 2 and copy.dims[0] == self._batch and copy.source == [n, 1]
            plain = plain and copy.target[1] == 1 and self._of_rows[copy.out] and len(self._writers[copy.out]) == 1
            if not plain or not self._is_fresh(copy.out, k, at):
                break
            blocks.append((copy.out, copy.start, copy.dims[1], copy.target[0], copy.at))
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
            row, plain = self._body[k], self._names[k] == "row_sums"
            copied, row_bytes, places = [], [], []
            for b in [row.x] if plain else [row.a, row.b]:
                nbytes = self._bytes_of_row(b) * self._batch
                in_place = self._of_rows.get(b) and self._is_local(b) and b not in self._builder.lent
                if in_place and b in awaited:
                    where = awaited[b][1]
                else:
                    where = self._whole(rows, self._size(b) // self._batch)
                    if in_place:
                        awaited[b] = b, where, nbytes
                copied.append(int(not in_place))
                row_bytes.append(self._bytes_of_row(b))
                places.append(where)
            waiting = {"copied": copied, "row_bytes": row_bytes, "places": places, "plain": int(plain)}
            self._roles[k] = RowSum, waiting
            if not plain:
                scratch = max(scratch, 4 * scratch_of(row.m, row.n, rows, False))
        return list(awaited.values()), scratch

    def _placed(self, awaited: set[int]) -> dict[int, int]:
        """Buffers that are computed where a stack keeps them: buffer -> stack."""
        found: dict[int, int] = {}
        pushes: dict[int, int] = {}
        for name, row in zip(self._names, self._body, strict=True):
            if name == "stack":
                pushes[row.number] = pushes.get(row.number, 0) + 1
        for k, (name, row) in enumerate(zip(self._names, self._body, strict=True)):
            if name != "stack" or row.kind != PUSH or row.value < 0 or k in self._conditional or pushes[row.number] > 1:
                continue
            b = row.value
            free = b not in found and b not in awaited and b not in self._builder.lent
            if free and self._is_own(b) and self._of_rows.get(b):
                found[b] = row.number
                self._roles[k] = RowPush, {"placed": 1}
        return found

    # -- the plan ----------------------------------------------------------------------------------------------

    def _write_plan(
        self, at_once: int, cost: int, scratch: int, products: list[int], awaited: list[tuple[int, int, int]],
        placed: dict[int, int],
    ) -> None:
        builder, body = self._builder, range(len(self._body))
        used = {b for k in body for found in self._access[k] for b in found} | {self._row.predicate}
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
                stacks = max(stacks, row.number + 1)
                if row.kind == PUSH and row.bytes:
                    _, nbytes, _ = growing.get(row.number, (0, 0, 0))
                    growing[row.number] = row.number, nbytes + row.bytes, k
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
        loop = self._row
        shared = Recurrence(
            predicate=loop.predicate, condition=loop.condition, body=loop.body, moves=loop.moves,
            move_count=loop.move_count, every=loop.every, plan=len(builder.code),
        )  # fmt: skip
        shared.node = loop.node
        builder.rows[self._start] = shared
        builder.code += [self._batch, at_once, cost, scratch, own, _THREADS, table, stacks, uniform]
        for found in lists:
            builder.code.append(len(found))
            for entry in found:
                builder.code += entry
        builder.scratch = max(builder.scratch, 64 * (scratch + own * _THREADS))
