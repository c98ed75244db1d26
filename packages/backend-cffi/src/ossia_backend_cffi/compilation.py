"""Compiling a region for given shapes: constants are computed, elementwise nodes fused, the rest handed to the
emitters."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi import control, lent_memory, lists
from ossia_backend_cffi.backend import is_compiled
from ossia_backend_cffi.calls import CALLED, DRAWS, call, may_be_called
from ossia_backend_cffi.checks import check
from ossia_backend_cffi.elementwise import ARITHMETIC, BROADCASTING
from ossia_backend_cffi.emitters import EMITTERS, F32, REFUSING, RESOURCES, Emitter, strided, strides_of
from ossia_backend_cffi.fusion import MAX_STEPS, Chain, is_broadcast_pattern
from ossia_backend_cffi.program import Builder, Declined, NotReady, Value
from ossia_core.backend import numpy_kernel
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.inference import grouped
from ossia_core.graph.operation import Operation
from ossia_core.session.compile.regions import Region
from ossia_core.session.compile.traits import merge_key
from ossia_core.session.compile.work import Work

_FOLD = 1 << 16


@functools.cache
def _facts(definition: OpDef) -> tuple[str | None, bool, Emitter | None, bool, bool, bool]:
    """Of the nodes of a type: what they are in a chain, if their inputs are floats; whether these broadcast; the
    emitter; whether it refuses what the shape rule does; whether it takes handles; whether it may be called."""
    kind = definition.type
    emitter, handled, called = EMITTERS.get(kind), kind in RESOURCES, kind in CALLED or kind in DRAWS
    return ARITHMETIC.get(kind), kind in BROADCASTING, emitter, kind in REFUSING, handled, called


class Compilation:
    """The state of one compilation."""

    def __init__(self, region: Region, inputs: Sequence[Any], outer: Compilation | None = None) -> None:
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
        self.kept: dict[int, Value] = {} if outer is None else outer.kept  # by buffer, copies of predicates
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

    def emit(
        self, kernel: str, operands: Sequence[Value], ints: Sequence[int] = (), floats: Sequence[float] = ()
    ) -> None:
        """Add an instruction; its operands must be `ready`."""
        self.builder.emit(kernel, operands, ints, floats)

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

    def read(self, slot: int, variable: Value) -> None:
        """Let a slot hold the value of a variable: its buffer if nothing changes it before the last use, else a copy;
        of what may be a predicate, which others may write to, always a copy."""
        is_predicate = variable.dtype == np.bool_ and variable.size == 1
        outdated = slot in self._outdated or (self.outer is not None and control.updates(self.region.nodes))
        if not is_predicate and not outdated:
            self._set(slot, variable)
            return
        self.close()
        copied = self.result(slot, variable.dtype, variable.shape)
        self.emit("copy", [copied, variable], [variable.size * variable.dtype.itemsize])

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

    # -- the walk ---------------------------------------------------------------------------------------------

    def _close(self, shape: tuple[int, ...]) -> None:
        chain = self._chains.pop(shape)
        for buffer in chain.results:
            del self._pending[buffer]
        chain.emit(self.builder, self._buffer_uses)

    def run(self) -> None:
        """Compile all nodes.

        Raises:
          Declined: a node cannot be compiled for these shapes.
        """
        self._outdated = self._reads_outdated()
        self.walk(0, len(self.region.nodes))

    def walk(self, first: int, last: int) -> None:
        """Compile the nodes from position `first` to before `last`, and what is pending."""
        guarded = False
        values, uses, builder = self.values, self._buffer_uses, self.builder
        nodes = self.region.nodes[first:last]
        before = len(builder.ops)
        builder.ops += [node.op for node in nodes]
        for number, node in enumerate(nodes):
            self.number = first + number
            loop = node.loop
            guard = node.guard if loop is None else loop.guard
            if guard is not self._guard and guard != self._guard:
                self.close()
                self.node(node.op)
                self._enter(guard)
                guarded = True
            if self._skipped:
                continue
            builder.node = before + number
            if node.choices:
                self.close()
                control.merge(self, node)
                continue
            if loop is not None:
                self.close()
                control.loop(self, loop)
                for slot in node.ins:
                    if slot in values and type(values[slot]) is lists.ListHandle:
                        self.used(values[slot])
                continue
            ins = []
            for slot in node.ins:
                found = values.get(slot)
                ins.append(self.operand(slot) if found is None else found)
            if self.outer is None or not control.shortened(self, node, ins):
                self._node(node, ins)
            # Only now: a chain that the node closes must store what the node reads.
            for value in ins:
                if value.constant is None:
                    uses[value.buffer] -= 1
        self.close()
        if guarded:
            self._enter(frozenset())

    def _enter(self, guard: Any) -> None:
        """Begin the instructions that run under a guard, after those of another one."""
        if self._branch is not None:
            control.end_branch(self, self._branch)
            self._branch = None
        self._guard, self._skipped = guard, False
        if guard:
            taken = control.known(self, guard)
            if taken is None:
                self._branch = control.branch(self, guard)
            self._skipped = taken is False

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

    def _node(self, node: Work, ins: list[Value]) -> None:
        op = node.op
        if op is None:
            self.read(node.outs[0], ins[0])
            return
        definition = op.definition
        arithmetic, broadcasts, emitter, refuses, handled, called = _facts(definition)
        if arithmetic is not None and self._simple(arithmetic, ins, node.outs[0], broadcasts):
            return
        varies = handles = False
        for value in ins:
            if value.constant is None:
                varies = True
            if type(value) is not Value:
                handles = True
        if not varies and ins and definition.foldable and self._folded(node, ins):
            return
        if handles and not handled:
            if op.type not in lists.OF_HANDLES:
                raise Declined("a handle")
            lists.of_handles(self, op, ins, node.outs)
            return
        if not refuses:
            check(op, ins)
        ins = lent_memory.apart(self, op, ins)
        try:
            if emitter is None or (called and not is_compiled(op.type, op)):
                raise Declined(f"no emitter for {op.type}")
            emitter(self, op, ins, node.outs)
        except NotReady:
            raise
        except Declined:
            if not called or not may_be_called(op):
                raise
            call(self, node, ins)  # what has been emitted until then nothing reads

    def _simple(self, operation: str, ins: list[Value], out: int, broadcasts: bool) -> bool:
        """Add a computation on floats of one shape, or with a scalar, to its chain, as its emitter would; most nodes of
        many graphs are such."""
        first = whole = ins[0]
        if first.dtype is not F32 or len(ins) > 2:
            return False
        varies = first.constant is None
        if len(ins) == 2:
            second = ins[1]
            if second.dtype is not F32:
                return False
            if second.shape != first.shape:
                if (first.shape and second.shape) or not broadcasts:
                    return False
                if second.shape:
                    whole = second
            varies = varies or second.constant is None
        if not varies:
            return False
        result = self.values[out] = self.builder.like(whole)
        buffer, shape = result.buffer, result.shape
        self._buffer_uses[buffer] = self._uses[out]
        open_chain = self._chains.get(shape)
        args = open_chain.operands(ins) if open_chain is not None and len(open_chain.steps) < MAX_STEPS else None
        if args is None:
            self.chain(operation, ins, result)
        else:
            open_chain.add(operation, args, result)  # type: ignore[union-attr]
            self._pending[buffer] = open_chain  # type: ignore[assignment]
        return True

    def _folded(self, node: Work, ins: list[Value]) -> bool:
        op = node.op
        assert op is not None
        key = merge_key(op, ins)
        known = self._computed.get(key) if key is not None else None
        if known is not None:
            for slot, value in zip(node.outs, known, strict=True):
                self.values[slot] = value
            return True
        if sum([v.size for v in ins]) > _FOLD:
            return False
        kernel = numpy_kernel(op)
        if kernel is None or getattr(kernel, "needs_context", False):
            return False
        definition = op.definition
        try:
            result = kernel(*grouped(definition.inputs, op.attrs, [v.constant for v in ins]))
        except Exception as e:  # running the node reports it, if its branch is taken
            raise Declined(str(e)) from None
        values = [result] if len(definition.outputs) == 1 else list(result)
        flat: list[Any] = []
        for arg, value in zip(definition.outputs, values, strict=True):
            flat.extend(value if arg.is_list else [value])
        made = []
        for slot, value in zip(node.outs, flat, strict=True):
            array = np.asarray(value)
            found = self.values[slot] = Value(array.dtype, array.shape, constant=array)
            made.append(found)
        if key is not None:
            self._computed[key] = made
        return True

    def _reads_outdated(self) -> set[int]:
        """Slots of reads by handle whose value is still used after the variable has changed."""
        nodes = self.region.nodes
        first = next((i for i, node in enumerate(nodes) if node.node.type == "ReadVariableOp"), None)
        if first is None or not self.region.variables:
            return set()
        held: dict[int, int] = {}      # slot of a value read, or a view of it -> slot of the read
        variable: dict[int, int] = {}  # slot of a read -> slot of its variable
        changed: dict[int, int] = {}   # variable -> position of its last change
        read_at: dict[int, int] = {}
        found: set[int] = set()
        for i, node in enumerate(nodes[first:]):
            for slot in node.ins:
                read = held.get(slot)
                if read is not None and changed.get(variable[read], -1) > read_at[read]:
                    found.add(read)
            if node.op is None:
                continue
            if node.op.type == "ReadVariableOp" and node.ins[0] in self.region.variables:
                out = node.outs[0]
                held[out], variable[out], read_at[out] = out, node.ins[0], i
            elif node.loop is not None and not control.updates((*node.loop.condition_work, *node.loop.body_work)):
                continue
            elif any(slot in self.region.variables for slot in node.ins) and node.updates:
                changed.update((slot, i) for slot in node.ins if slot in self.region.variables)
            elif len(node.outs) == 1 and node.ins and node.ins[0] in held:
                held[node.outs[0]] = held[node.ins[0]]
        for slot in self.region.outputs:
            read = held.get(slot)
            if read is not None and changed.get(variable[read], -1) > read_at[read]:
                found.add(read)
        return found
