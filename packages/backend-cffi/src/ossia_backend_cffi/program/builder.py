"""Programs under construction: values, instructions, and the arena that intermediate values share."""
from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence, Set
from typing import Any

import numpy as np

from ossia_backend_cffi.program.instructions import BYTES, Instruction

_ALIGN = 64
_LARGEST = 1 << 44  # bytes of one value; what is larger is left to the kernels that report it


class Declined(Exception):
    """The region cannot be compiled for these shapes, because of the node at this position."""

    def __init__(self, reason: str, node: int | None = None) -> None:
        super().__init__(reason)
        self.node = node


class NotReady(Declined):
    """The region cannot be compiled yet: a variable has no value."""


class Value:
    """What a slot holds while a program is made: an array known now, or a buffer of known dtype and shape."""

    __slots__ = ("buffer", "constant", "dtype", "shape", "size")

    def __init__(
        self, dtype: np.dtype, shape: tuple[int, ...], buffer: int = -1, constant: np.ndarray | None = None,
        size: int = -1,
    ) -> None:
        self.dtype, self.shape, self.buffer, self.constant = dtype, shape, buffer, constant
        self.size = math.prod(shape) if size < 0 else size

    def reshaped(self, shape: tuple[int, ...]) -> Value:
        """The same elements in another shape."""
        if self.constant is None:
            return Value(self.dtype, shape, self.buffer, None, self.size)
        return Value(self.dtype, shape, self.buffer, self.constant.reshape(shape))


class Buffer:
    """One entry of the buffer table: where it lies, and from which instruction to which it is needed."""

    __slots__ = ("array", "dtype", "first", "kind", "last", "nbytes", "offset", "shape", "source")

    def __init__(
        self, kind: str, dtype: np.dtype, shape: tuple[int, ...], nbytes: int, source: Any = None,
        array: np.ndarray | None = None,
    ) -> None:
        self.kind, self.dtype, self.shape, self.nbytes = kind, dtype, shape, nbytes
        self.source, self.array = source, array
        self.first = self.last = -1
        self.offset = 0


class Builder:
    """Collects the instructions of a program."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self.rows: list[Any] = []             # its instructions
        self.ops: list[Any] = []          # the nodes that instructions belong to, by number
        self.loops: list[tuple[int, int]] = []  # first instruction of each loop, and the one after its last
        self.stacks = self.handles = 0    # so many stacks, and handles of lists
        self.lent: set[int] = set()       # buffers whose values lie in arrays and stacks
        self.controlled = False           # whether the program has branches or loops
        self.code: list[int] = []
        self.chains: dict[int, tuple[set[int], set[int]]] = {}  # position of a chain's code -> what it reads and writes
        self.calls: list[Any] = []        # the nodes whose steps instructions call
        self.kept: list[Any] = []         # what instructions refer to besides buffers
        self.scratch = 0
        self.node = 0
        self.updated: set[int] = set()    # buffers of variables that the program changes
        self.counted: set[int] = set()    # those that are changed by assignments, which exclude each other
        self.first_update = 1 << 60       # position of the first instruction that changes a variable
        self._constants: dict[int, int] = {}
        self._first: list[Instruction] = []

    def external(self, kind: str, source: Any, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A value whose buffer is given for each run: an "input", "variable" or "output"."""
        buffers = self.buffers
        value = Value(dtype, shape, len(buffers), None, math.prod(shape))
        nbytes = value.size * dtype.itemsize
        if nbytes > _LARGEST:
            raise Declined("a value of a hostile size")
        buffers.append(Buffer(kind, dtype, shape, nbytes, source))
        return value

    def temporary(self, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A value in the arena."""
        return self.external("arena", None, dtype, shape)

    def like(self, other: Value) -> Value:
        """A value in the arena of the same dtype and shape as another."""
        buffers, dtype, size = self.buffers, other.dtype, other.size
        value = Value(dtype, other.shape, len(buffers), None, size)
        buffers.append(Buffer("arena", dtype, other.shape, size * dtype.itemsize))
        return value

    def pinned(self, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A value in the arena whose place nothing else takes."""
        value = self.temporary(dtype, shape)
        buffer = self.buffers[value.buffer]
        buffer.first, buffer.last = 0, 1 << 60
        return value

    def buffer_of(self, value: Value | int) -> int:
        """The buffer of a value, or a buffer itself; a constant gets one when it is first needed."""
        if value.__class__ is int:
            return value  # type: ignore[return-value]
        constant = value.constant  # type: ignore[union-attr]
        if constant is None:
            return value.buffer  # type: ignore[union-attr]
        found = self._constants.get(id(constant))
        if found is None:
            array = np.ascontiguousarray(constant)
            found = self._constants[id(constant)] = len(self.buffers)
            self.buffers.append(Buffer("constant", array.dtype, array.shape, array.nbytes, constant, array))
        return found

    def emit(self, row: Instruction) -> None:
        """Add an instruction, whose operands may be values."""
        row.node = self.node
        self.touch(row.place(self.buffer_of))
        self.rows.append(row)

    def first(self, row: Instruction) -> None:
        """Add an instruction that runs before all others."""
        row.node = self.node
        row.place(self.buffer_of)
        self._first.append(row)

    def update(self, buffers: Sequence[int], counted: bool) -> None:
        """Note that the next instruction changes these variables."""
        self.updated.update(buffers)
        if counted:
            self.counted.update(buffers)
        self.first_update = min(self.first_update, len(self.rows))

    def position_of_update(self) -> int:
        """The position in the table of the first instruction that changes a variable."""
        return self.first_update + len(self._first)

    def touch(self, indices: Iterable[int]) -> None:
        """Note that the next instruction uses these buffers."""
        at, buffers = len(self.rows), self.buffers
        for index in indices:
            buffer = buffers[index]
            if buffer.first < 0:
                buffer.first = at
            if buffer.last < at:
                buffer.last = at

    def leave_out(self, gone: Set[int]) -> None:
        """Take instructions out of the table, where no branch or loop counts them."""
        before, count = [], 0
        for n in range(len(self.rows) + 1):
            before.append(n - count)
            count += n in gone
        for buffer in self.buffers:
            if 0 <= buffer.first < len(before):
                buffer.first = before[buffer.first]
            if 0 <= buffer.last < len(before):
                buffer.last = before[buffer.last]
        if self.first_update < len(before):
            self.first_update = before[self.first_update]
        self.rows[:] = [row for n, row in enumerate(self.rows) if n not in gone]

    def plan_arena(self) -> int:
        """Give every arena buffer an offset, reusing space that is free again; returns the bytes needed."""
        # What a loop reads from before it must be there in its last iteration too.
        for start, end in sorted(self.loops, key=lambda span: span[1] - span[0]):
            for buffer in self.buffers:
                if buffer.first < start <= buffer.last < end:
                    buffer.last = end
        free: list[tuple[int, int]] = []   # (offset, size), by offset
        active: list[tuple[int, int, Buffer]] = []  # by last use
        top = 0
        for number, buffer in enumerate(
            sorted((b for b in self.buffers if b.kind == "arena" and b.first >= 0), key=lambda b: b.first)
        ):
            ended = False
            while active and active[0][0] < buffer.first:
                other = heapq.heappop(active)[2]
                free.append((other.offset, _rounded(other.nbytes)))
                ended = True
            if ended:
                free = _joined(free)
            need = _rounded(buffer.nbytes)
            fitting = min((span for span in free if span[1] >= need), key=lambda span: span[1], default=None)
            if fitting is None:
                buffer.offset = top
                top += need
            else:
                free.remove(fitting)
                buffer.offset = fitting[0]
                if fitting[1] > need:
                    free.append((fitting[0] + need, fitting[1] - need))
            heapq.heappush(active, (buffer.last, number, buffer))
        return top

    def table(self) -> bytearray:
        """The instructions as the native code reads them."""
        rows = self._first + self.rows
        data = bytearray(len(rows) * BYTES)
        at = 0
        for row in rows:
            row.pack(data, at)
            at += BYTES
        return data


def _rounded(nbytes: int) -> int:
    return max(_ALIGN, -(-nbytes // _ALIGN) * _ALIGN)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for offset, size in sorted(spans):
        if result and result[-1][0] + result[-1][1] == offset:
            result[-1] = (result[-1][0], result[-1][1] + size)
        else:
            result.append((offset, size))
    return result
