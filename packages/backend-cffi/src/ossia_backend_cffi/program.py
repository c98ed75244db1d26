"""Programs under construction: values, instructions, and the arena that intermediate values share."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

KERNELS = (
    "elementwise",
    "matmul",
    "reduce",
    "softmax",
    "xent",
    "sparse_xent",
    "strided_copy",
    "copy",
    "argmax",
    "add_scalar_i32",
    "add_scalar_i64",
    "sgd",
    "momentum",
    "adam",
    "rows",
    "gather",
    "zero",
    "integers",
    "conv",
    "conv_filter",
    "conv_input",
    "pool",
    "max_pool_grad",
    "avg_pool_grad",
    "cast",
    "random_uniform",
    "segment_sums",
)
KERNEL_NUMBER = {name: i for i, name in enumerate(KERNELS)}
_ALIGN = 64
_LARGEST = 1 << 44  # bytes of one value; what is larger is left to the kernels that report it
INSTRUCTION = np.dtype(
    {
        "names": ["kernel", "node", "buf", "i", "f"],
        "formats": ["<i4", "<i4", ("<i4", 12), ("<i8", 24), ("<f8", 8)],
        "offsets": [0, 4, 8, 56, 248],
        "itemsize": 312,
    }
)


class Declined(Exception):
    """The region cannot be compiled for these shapes."""


class NotReady(Declined):
    """The region cannot be compiled yet: a variable has no value."""


class Value:
    """What a slot holds while a program is made: an array known now, or a buffer of known dtype and shape."""

    __slots__ = ("buffer", "constant", "dtype", "shape", "size")

    def __init__(
        self, dtype: np.dtype, shape: tuple[int, ...], buffer: int = -1, constant: np.ndarray | None = None
    ) -> None:
        self.dtype, self.shape, self.buffer, self.constant = dtype, shape, buffer, constant
        self.size = 1
        for n in shape:
            self.size *= n

    def reshaped(self, shape: tuple[int, ...]) -> Value:
        """The same elements in another shape."""
        return Value(self.dtype, shape, self.buffer, None if self.constant is None else self.constant.reshape(shape))


class Buffer:
    """One entry of the buffer table: where it lies, and from which instruction to which it is needed."""

    __slots__ = ("array", "dtype", "first", "kind", "last", "nbytes", "offset", "shape", "source")

    def __init__(
        self, kind: str, dtype: np.dtype, shape: tuple[int, ...], nbytes: int, source: Any = None,
        array: np.ndarray | None = None,
    ) -> None:
        self.kind, self.dtype, self.shape, self.nbytes, self.source, self.array = (
            kind,
            dtype,
            shape,
            nbytes,
            source,
            array,
        )
        self.first = self.last = -1
        self.offset = 0


class Builder:
    """Collects the instructions of a program."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self.rows: list[tuple] = []
        self.code: list[int] = []
        self.scratch = 0
        self.node = 0
        self.updated: set[int] = set()    # buffers of variables that the program changes
        self.counted: set[int] = set()    # those that are changed by assignments, which exclude each other
        self.first_update = 1 << 60       # position of the first instruction that changes a variable
        self._constants: dict[int, int] = {}

    def external(self, kind: str, source: Any, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A value whose buffer is given for each run: an "input", "variable" or "output"."""
        value = Value(dtype, shape, len(self.buffers))
        nbytes = value.size * dtype.itemsize
        if nbytes > _LARGEST:
            raise Declined("a value of a hostile size")
        self.buffers.append(Buffer(kind, dtype, shape, nbytes, source))
        return value

    def temporary(self, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A value in the arena."""
        return self.external("arena", None, dtype, shape)

    def buffer_of(self, value: Value) -> int:
        """The buffer of a value; a constant gets one when it is first needed."""
        if value.constant is None:
            return value.buffer
        key = id(value.constant)
        found = self._constants.get(key)
        if found is None:
            array = np.ascontiguousarray(value.constant)
            found = self._constants[key] = len(self.buffers)
            buffer = Buffer("constant", array.dtype, array.shape, array.nbytes, value.constant, array)
            self.buffers.append(buffer)
        return found

    def emit(
        self, kernel: str, operands: Sequence[Value | int], ints: Sequence[int] = (), floats: Sequence[float] = ()
    ) -> None:
        """Add an instruction; results come first among the operands."""
        indices = [o if isinstance(o, int) else self.buffer_of(o) for o in operands]
        self.touch(indices)
        self.rows.append((KERNEL_NUMBER[kernel], self.node, indices, list(ints), list(floats)))

    def update(self, buffers: Sequence[int], counted: bool) -> None:
        """Note that the next instruction changes these variables."""
        self.updated.update(buffers)
        if counted:
            self.counted.update(buffers)
        self.first_update = min(self.first_update, len(self.rows))

    def touch(self, indices: Sequence[int]) -> None:
        """Note that the next instruction uses these buffers."""
        at = len(self.rows)
        for index in indices:
            buffer = self.buffers[index]
            if buffer.first < 0:
                buffer.first = at
            buffer.last = at

    def plan_arena(self) -> int:
        """Give every arena buffer an offset, reusing space that is free again; returns the bytes needed."""
        free: list[tuple[int, int]] = []   # (offset, size), by offset
        active: list[Buffer] = []
        top = 0
        for buffer in sorted((b for b in self.buffers if b.kind == "arena" and b.first >= 0), key=lambda b: b.first):
            still = []
            for other in active:
                if other.last < buffer.first:
                    free.append((other.offset, _rounded(other.nbytes)))
                else:
                    still.append(other)
            active = still
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
            active.append(buffer)
        return top

    def table(self) -> np.ndarray:
        """The instructions as the array that the native code reads."""
        table = np.zeros(len(self.rows), INSTRUCTION)
        for row, (kernel, node, indices, ints, floats) in zip(table, self.rows, strict=True):
            row["kernel"], row["node"] = kernel, node
            row["buf"][:len(indices)] = indices
            row["i"][:len(ints)] = ints
            row["f"][:len(floats)] = floats
        return table


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
