"""Fused elementwise chains: neighbouring elementwise nodes of one shape become one pass over memory."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from ossia_backend_cffi.program.builder import Buffer, Builder, Declined, Value
from ossia_backend_cffi.program.instructions import Elementwise, Instruction

_OPS = (
    "LOAD LOAD_U8 LOAD_I32 LOAD_I64 STORE STORE_U8 STORE_I32 STORE_I64 ADD SUB MUL DIV MAX MIN POW SQDIFF NEG ABS "
    "SQUARE SQRT RSQRT EXP LOG LOG1P EXPM1 TANH SIGMOID RELU RELU6 SIGN FLOOR CEIL RECIP ROUND SOFTPLUS ELU RELUGRAD "
    "RELU6GRAD TANHGRAD SIGMOIDGRAD SQRTGRAD RSQRTGRAD ELUGRAD LT LE GT GE EQ NE AND OR NOT SELECT SIN COS DIVNONAN "
    "FLOORDIV LRELU LRELUGRAD SOFTSIGN SOFTSIGNGRAD MULNONAN IDENTITY"
).split()
NUMBER = {name: i for i, name in enumerate(_OPS)}
_LOADS = {"f4": "LOAD", "u1": "LOAD_U8", "b1": "LOAD_U8", "i4": "LOAD_I32", "i8": "LOAD_I64"}
_STORES = {"f4": "STORE", "b1": "STORE_U8", "i4": "STORE_I32", "i8": "STORE_I64"}
_F32 = np.dtype("f4")
_REGISTERS = list(range(23, -1, -1))
_PINNED = 8
MAX_STEPS = 96
_PATTERNS = 1 << 10  # of broadcasting that are remembered
_NO_ROWS: frozenset[int] = frozenset()
_UNUSED, _PINNED_STEP, _DONE = -1, -2, -3  # in place of the last step that takes a result
_STREAMED = 1 << 24  # bytes of a result from which it is written past the caches


def kind(dtype: np.dtype) -> str:
    """Kind and size of a dtype, e.g. "f4"."""
    return f"{dtype.kind}{dtype.itemsize}"


class Step:
    """One operation of a chain: a load of a buffer or a computation on earlier steps."""

    __slots__ = ("args", "constant", "last", "load", "op", "register", "target", "value")

    def __init__(
        self, op: str, args: tuple[Step, ...], load: tuple[int, int, int] | None, constant: float | None,
        value: Value | None,
    ) -> None:
        self.op, self.args, self.load, self.constant, self.value = op, args, load, constant, value
        self.last = _UNUSED  # position of the last step that takes the result
        self.register = self.target = -1  # where the result lies, and the buffer that it is stored in


class Chain:
    """An elementwise pass over one shape that is being put together."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.steps: list[Step] = []
        self.results: dict[int, Step] = {}  # by the buffer that they compute
        self._loads: dict[Any, Step] = {}
        self._known: dict[Value, Step] = {}

    def operands(self, values: Sequence[Value]) -> tuple[Step, ...] | None:
        """The steps that give these values; None if one of them is not known to have one."""
        found = tuple(map(self._known.get, values))
        return None if None in found else found  # type: ignore[return-value]

    def operand(self, value: Value, builder: Builder) -> Step:
        """The step that gives `value`, broadcast to the chain's shape.

        Raises:
          Declined: the broadcast is of a form that the kernel does not know.
        """
        if value.constant is None and value.buffer in self.results and value.shape == self.shape:
            return self.results[value.buffer]
        name = "LOAD" if value.dtype is _F32 else _LOADS.get(kind(value.dtype))
        if name is None:
            raise Declined(f"elementwise on {value.dtype}")
        given = value
        if value.constant is not None and value.size and value.size > 1 and not any(value.constant.strides):
            value = Value(value.dtype, (), constant=np.ascontiguousarray(value.constant.reshape(-1)[:1]).reshape(()))
        every, size = broadcast_pattern(value.shape, self.shape)
        key = (builder.buffer_of(value), every, size)
        found = self._loads.get(key)
        if found is None:
            found = self._loads[key] = Step(name, (), key, None, None)
            self.steps.append(found)
        self._known[given] = found
        return found

    def add(self, op: str, args: tuple[Step, ...], value: Value, constant: float | None = None) -> None:
        """Add a computation whose result is `value`."""
        step = self.results[value.buffer] = self._known[value] = Step(op, args, None, constant, value)
        self.steps.append(step)

    @property
    def full(self) -> bool:
        """Whether the chain should be closed before it grows further."""
        return len(self.steps) >= MAX_STEPS

    def emit(
        self,
        builder: Builder,
        uses: Mapping[int, int],
        made: Callable[..., Instruction] = Elementwise,
        rows: Set[int] = _NO_ROWS,
    ) -> None:
        """Emit the chain; results that are not used after it are not stored.

        Args:
          builder: the program.
          uses: how often what is in a buffer is still used.
          made: the instruction that runs the chain, by its elements, code, steps and constants.
          rows: buffers of which the instruction runs the chain over one row after the other.
        """
        stores = False
        i = len(self.steps)
        for step in reversed(self.steps):
            i -= 1
            value = step.value
            if value is not None and uses.get(value.buffer, 0) > 0:
                step.target = value.buffer
                stores = True
            elif step.last < 0:
                continue
            for arg in step.args:
                if arg.last < 0:
                    arg.last = i
        if not stores:
            return
        code, floats, reads, writes = _encoded(self.steps, rows, builder.buffers)
        offset = len(builder.code)
        builder.code += code
        builder.chains[offset] = reads, writes
        builder.touch(reads)
        builder.touch(writes)
        builder.emit(made(elements=math.prod(self.shape), code=offset, steps=len(code) // 8, constants=floats))


def _encoded(
    steps: Sequence[Step], rows: Set[int], buffers: Sequence[Buffer]
) -> tuple[list[int], list[float], set[int], set[int]]:
    """The code of steps, their constants, and the buffers that they read and write."""
    free = _REGISTERS.copy()
    reads: set[int] = set()
    writes: set[int] = set()
    pinned = 0
    for step in steps:
        load = step.load
        if load is not None and step.last >= 0:
            reads.add(load[0])
            if load[2] == 1 and pinned < _PINNED and load[0] not in rows:
                # A scalar fills a register of its own once, in the first block.
                step.register, step.last = free.pop(), _PINNED_STEP
                pinned += 1
    number = NUMBER
    code: list[int] = []
    floats: list[float] = []
    for i, step in enumerate(steps):
        last = step.last
        if last == _UNUSED and step.target < 0:
            continue
        register = step.register
        if register < 0:
            if not free:
                raise Declined("a chain with too many live values")
            register = step.register = free.pop()
        load = step.load
        if load is not None:
            buffer, every, size = load
            code += (
                number[step.op],
                register,
                buffer,
                every & 0x7FFFFFFF,
                every >> 31,
                size & 0x7FFFFFFF,
                size >> 31,
                2 if buffer in rows else int(last == _PINNED_STEP),
            )
        else:
            args = step.args
            count = len(args)
            constant = -1
            if step.constant is not None:
                constant = len(floats)
                floats.append(step.constant)
                if constant >= 8:
                    raise Declined("a chain with too many constants")
            direct = past = 0
            target, store = step.target, ""
            if target >= 0:
                writes.add(target)
                store = _store_of(step.value.dtype)  # type: ignore[union-attr]
                if store == "STORE":
                    direct = target + 1
                    past = int(buffers[target].nbytes >= _STREAMED and target not in reads)
            code += (
                number[step.op],
                register,
                args[0].register,
                args[1].register if count > 1 else -1,
                args[2].register if count > 2 else -1,
                constant,
                direct,
                past,
            )
            if target >= 0 and not direct:
                code += (number[store], register, target, 0, 0, 0, 0, 0)
            for arg in args:
                if arg.last == i:
                    free.append(arg.register)
                    arg.last = _DONE  # once, though it may be two operands
        if last == _UNUSED:
            free.append(register)
    return code, floats, reads, writes


def _store_of(dtype: np.dtype) -> str:
    name = "STORE" if dtype is _F32 else _STORES.get(kind(dtype))
    if name is None:
        raise Declined(f"elementwise result of {dtype}")
    return name


def is_broadcast_pattern(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a chain can load an operand of one shape as another."""
    return _pattern(shape, target) is not None


def broadcast_pattern(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, int]:
    """(every, size): element i of the target is element (i // every) % size of the operand.

    Raises:
      Declined: the operand's own dimensions are not next to each other in the target.
    """
    found = _pattern(shape, target)
    if found is None:
        raise Declined("broadcast along separate dimensions")
    return found


@functools.lru_cache(_PATTERNS)
def _pattern(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, int] | None:
    if shape == target:
        total = 1
        for n in target:
            total *= n
        return 1, total
    if not shape:
        return 1, 1
    padded = (1,) * (len(target) - len(shape)) + shape
    own = [i for i, (n, t) in enumerate(zip(padded, target, strict=True)) if n != 1 and t != 1]
    if not own:
        return 1, 1
    first, last = own[0], own[-1]
    for i in range(first, last + 1):
        if padded[i] != target[i]:
            return None
    every = 1
    for n in target[last + 1:]:
        every *= n
    size = 1
    for n in padded[first:last + 1]:
        size *= n
    return every, size
