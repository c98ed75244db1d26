"""What emitters call: new values, chains of elementwise operations, instructions, reads and changes of variables."""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.program.builder import Builder, Declined, NotReady, Value
from ossia_backend_cffi.program.chains import Chain, is_broadcast_pattern
from ossia_backend_cffi.program.instructions import Copy, Instruction, StridedCopy

if TYPE_CHECKING:
    from ossia_core.backend import Operation, Region, Work


class Emission:
    """The program that a compilation makes: values by slot, open chains, instructions."""

    def __init__(self, region: Region, inputs: Sequence[Any], outer: Emission | None = None) -> None:
        """Start a compilation.

        Args:
          region: what is compiled.
          inputs: arrays for its inputs, to compile for their shapes; in a loop, the values that they have there.
          outer: the compilation that the loop is part of.
        """
        self.region, self.outer = region, outer
        self.builder: Builder = Builder() if outer is None else outer.builder
        self.values: dict[int, Value] = {}
        self.number = 0                         # of the node that is being compiled
        self._chains: dict[tuple[int, ...], Chain] = {}
        self._pending: dict[int, Chain] = {}    # buffer -> the open chain that computes it
        self._outdated: set[int] = set()        # slots of reads that must keep their value when the variable changes
        self._guard: Any = frozenset()          # of the nodes that are being compiled
        self._branch: Any = None                # what leaves them out
        self._skipped = False                   # whether they never run
        self.start = 0                          # of a loop: its first instruction
        self.sums: dict[int, int] = {}          # of a loop: variable -> what it is in the next iteration
        self.turned: dict[int, Value] = {}      # of a loop: matrix from outside -> the same, transposed
        self._variables: dict[int, Value] = {} if outer is None else outer._variables  # by id of the state
        self.by_reference: dict[int, bool] = {} if outer is None else outer.by_reference  # by buffer of a variable
        self._uses: Counter[int] = Counter(itertools.chain.from_iterable([node.ins for node in region.nodes]))
        self._uses.update(region.outputs)
        self._readers: dict[int, list[Work]] | None = None
        self._buffer_uses: dict[int, int] = {}
        self._kept: dict[int, Value] = {} if outer is None else outer._kept  # by buffer, copies of predicates
        self.padded: set[int] = set() if outer is None else outer.padded  # buffers of distinct indices
        self._integers: dict[Any, Value] = {} if outer is None else outer._integers  # what was asked for before
        self._computed: dict[Any, list[Value]] = {} if outer is None else outer._computed  # of constants, by node
        for slot, given in zip(region.inputs, inputs, strict=True):
            if isinstance(given, Value):
                self._set(slot, given)
                continue
            array = np.asarray(given)
            if array.dtype.kind not in "biuf" or not array.dtype.isnative:
                raise Declined(f"an input of dtype {array.dtype}")
            self._set(slot, self.builder.external("input", slot, array.dtype, array.shape))
        for slot, constant in region.constants.items():
            if isinstance(constant, (np.ndarray, np.generic)):
                array = np.asarray(constant)
                self._set(slot, Value(array.dtype, array.shape, constant=array))

    def _set(self, slot: int, value: Value) -> None:
        self.values[slot] = value
        if value.constant is None:
            self._buffer_uses[value.buffer] = self._buffer_uses.get(value.buffer, 0) + self._uses.get(slot, 0)

    # -- what emitters call -----------------------------------------------------------------------------------

    def result(self, slot: int, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A new value for a slot, in the arena."""
        value = self.values[slot] = self.builder.external("arena", None, dtype, shape)
        self._buffer_uses[value.buffer] = self._uses.get(slot, 0)
        return value

    def inner(self, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A new value that no slot names."""
        value = self.builder.temporary(dtype, shape)
        self._buffer_uses[value.buffer] = 1
        return value

    def may_be_variable(self, value: Value) -> bool:
        """Whether a value comes from outside and may lie in the buffer of a variable."""
        buffer = self.builder.buffers[value.buffer]
        outermost = self
        while outermost.outer is not None:
            outermost = outermost.outer
        return buffer.kind == "input" and outermost.region.may_be_variable(buffer.source)

    def integers(self, items: int | tuple[int, ...], dtype: Any) -> Value:
        """A constant of integers; the same one for the same integers."""
        key = dtype, items
        found = self._integers.get(key)
        if found is None:
            array = np.array(items, dtype)
            found = self._integers[key] = Value(array.dtype, array.shape, constant=array)
        return found

    def used(self, value: Value) -> None:
        """Note that one use of a value is done."""
        if value.constant is None:
            self._buffer_uses[value.buffer] -= 1

    def give(self, slot: int, value: Value) -> None:
        """Let a slot hold an existing value."""
        self._set(slot, value)

    def ready(self, value: Value) -> Value:
        """The value, computed: chains that it is pending in are closed."""
        if value.constant is None:
            chain = self._pending.get(value.buffer)
            if chain is not None:
                self._close(chain.shape)
        return value

    def chain(self, op: str, ins: Sequence[Value], out: Value, constant: float | None = None) -> None:
        """Add an elementwise computation to the chain of its shape."""
        shape, pending = out.shape, self._pending
        chain = self._chains.get(shape)
        if chain is not None and not chain.full:
            args = chain.operands(ins)
            if args is not None:
                chain.add(op, args, out, constant)
                pending[out.buffer] = chain
                return
        for i, value in enumerate(ins):
            if value.shape != shape and not is_broadcast_pattern(value.shape, shape):
                ins = [*ins[:i], self._spread(value, shape), *ins[i + 1 :]]
        chain = self._chains.get(shape)  # another one perhaps, since a value was spread
        for value in ins:
            if value.constant is None:
                other = pending.get(value.buffer)
                if other is not None and (other is not chain or value.shape != shape):
                    self._close(other.shape)
                    if other is chain:
                        chain = None
        if chain is None or chain.full:
            if chain is not None:
                self._close(shape)
            chain = self._chains[shape] = Chain(shape)
        builder = self.builder
        chain.add(op, tuple([chain.operand(value, builder) for value in ins]), out, constant)
        pending[out.buffer] = chain

    def _spread(self, value: Value, shape: tuple[int, ...]) -> Value:
        """A value copied to the shape that it broadcasts to."""
        if len(shape) > 6:
            raise Declined("a broadcast of too many dimensions")
        if value.constant is not None:
            return Value(value.dtype, shape, constant=np.broadcast_to(value.constant, shape).copy())
        spread = self.inner(value.dtype, shape)
        padded = (1,) * (len(shape) - len(value.shape)) + value.shape
        steps = [0 if n == 1 else step for n, step in zip(padded, strides_of(padded), strict=True)]
        strided(self, spread, self.ready(value), shape, steps, strides_of(shape))
        return spread

    def emit(self, row: Instruction) -> None:
        """Add an instruction; its operands must be `ready`."""
        self.builder.emit(row)

    def update(self, variables: Sequence[Value], counted: bool = False) -> None:
        """Announce that the next instruction changes these variables: what still reads the old values is computed
        first.

        Args:
          variables: the variables.
          counted: whether no such change may be lost when several threads run the program.
        """
        self.close()
        for value in variables:
            if value.constant is not None or value.buffer not in self.by_reference:
                raise Declined("an update of something that is no variable")
        if len({v.buffer for v in variables}) != len(variables):
            raise Declined("an update of one variable in two roles")
        self.builder.update([v.buffer for v in variables], counted)

    def store_in(self, value: Value, variable: Value) -> bool:
        """Let the open chain that ends with `value` write it into a variable of its shape, which spares a copy; False
        where that cannot be."""
        chain = self._chains.get(value.shape)
        if chain is None or value.constant is not None or variable.shape != value.shape or not chain.steps:
            return False
        last = chain.steps[-1].value
        if last is None or last.buffer != value.buffer or self._buffer_uses[value.buffer] != 1:
            return False
        if any(step.load is not None and step.load[0] == variable.buffer and step.load[1:] != (1, value.size)
               for step in chain.steps):
            return False
        del self._chains[value.shape]
        for buffer in chain.results:
            del self._pending[buffer]
        self.update([variable], counted=True)
        del chain.results[value.buffer]
        chain.steps[-1].value = variable
        uses = self._buffer_uses
        uses[variable.buffer] = uses.get(variable.buffer, 0) + 1  # of the chain itself, which stores it
        chain.emit(self.builder, uses)
        uses[variable.buffer] -= 1
        return True

    def kept(self, predicate: Value) -> Value:
        """A predicate that stays what it is for the run: one that is fed is copied before all else, as others may write
        to its memory."""
        if self.builder.buffers[predicate.buffer].kind != "input":
            return predicate
        copied = self._kept.get(predicate.buffer)
        if copied is None:
            copied = self._kept[predicate.buffer] = self.builder.pinned(predicate.dtype, predicate.shape)
            self.builder.first(Copy(out=copied, x=predicate, bytes=predicate.dtype.itemsize))
        return copied

    def read(self, slot: int, variable: Value) -> None:
        """Let a slot hold the value of a variable: its buffer if nothing changes it before the last use, else a copy;
        of what may be a predicate, which others may write to, always a copy."""
        is_predicate = variable.dtype == np.bool_ and variable.size == 1
        if not is_predicate and slot not in self._outdated and (self.outer is None or not self.changes_variables()):
            self._set(slot, variable)
            return
        self.close()
        copied = self.result(slot, variable.dtype, variable.shape)
        self.emit(Copy(out=copied, x=variable, bytes=variable.size * variable.dtype.itemsize))

    def node(self, op: Operation | None) -> None:
        """Let the instructions that follow belong to `op`."""
        self.builder.node = len(self.builder.ops)
        self.builder.ops.append(op)

    def is_last_use(self, value: Value) -> bool:
        """Whether the node at hand is the only one left that reads the buffer of a value."""
        return self._buffer_uses.get(value.buffer) == 1

    @property
    def conditional(self) -> bool:
        """Whether the node at hand may not run at all, or several times."""
        return self.outer is not None or self._branch is not None

    def readers(self, slot: int) -> list[Work]:
        """The nodes that read a slot."""
        if self._readers is None:
            self._readers = {}
            for node in self.region.nodes:
                for read in node.ins:
                    self._readers.setdefault(read, []).append(node)
        return self._readers.get(slot, [])

    def uses(self, slot: int) -> int:
        """How often a slot is read."""
        return self._uses.get(slot, 0)

    def close(self) -> None:
        """Emit all that is pending."""
        for shape in list(self._chains):
            self._close(shape)

    def walk(self, first: int, last: int) -> None:
        """Compile the nodes of the region from position `first` to before `last`."""
        raise NotImplementedError

    def changes_variables(self) -> bool:
        """Whether nodes of the region may change variables."""
        raise NotImplementedError

    def operand(self, slot: int) -> Value:
        """The value of a slot.

        Raises:
          Declined: it has none that a program could use.
        """
        value = self.values.get(slot)
        if value is not None:
            return value
        state = self.region.variables.get(slot)
        if state is None:
            raise Declined("an input that is neither array nor variable")
        value = self._variables.get(id(state))
        if value is None:
            array = state.value
            if array is None:
                raise NotReady("a variable that is not initialised")
            value = self._variables[id(state)] = self.builder.external("variable", state, array.dtype, array.shape)
            tensor = self.region.tensors.get(slot)
            self.by_reference[value.buffer] = tensor is not None and tensor.dtype._is_ref_dtype
        self._set(slot, value)
        return value

    def _close(self, shape: tuple[int, ...]) -> None:
        chain = self._chains.pop(shape)
        for buffer in chain.results:
            del self._pending[buffer]
        chain.emit(self.builder, self._buffer_uses)


def strides_of(shape: Sequence[int]) -> list[int]:
    """The strides of a dense array, in elements."""
    steps, step = [], 1
    for n in reversed(shape):
        steps.append(step)
        step *= n
    return steps[::-1]


def _merged(
    dims: Sequence[int], source: Sequence[int], target: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """The same copy with fewer dimensions: none of size 1, and those in one that lie one in the other on both sides."""
    kept: list[tuple[int, int, int]] = []
    for n, come, go in zip(dims, source, target, strict=True):
        if n == 1:
            continue
        if kept and kept[-1][1:] == (come * n, go * n):
            kept[-1] = kept[-1][0] * n, come, go
        else:
            kept.append((n, come, go))
    return [n for n, _, _ in kept], [come for _, come, _ in kept], [go for _, _, go in kept]


def strided(
    c: Emission, out: Value, x: Value, dims: Sequence[int], source: Sequence[int], target: Sequence[int],
    start: int = 0, at: int = 0,
) -> None:
    """Emit a copy of `dims` elements, from and to positions with these strides, the first at `start` and `at`."""
    dims, source, target = _merged(dims, source, target)
    c.emit(
        StridedCopy(
            out=out, x=x, item=x.dtype.itemsize, rank=len(dims), dims=dims, source=source, target=target, start=start,
            at=at,
        )
    )  # fmt: skip
