"""Compiling a region for given shapes: constants are computed, elementwise nodes fused, the rest handed to the
emitters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.emitters import EMITTERS
from ossia_backend_cffi.fusion import Chain
from ossia_backend_cffi.program import Builder, Declined, NotReady, Value
from ossia_core import dtypes
from ossia_core.backend import numpy_kernel
from ossia_core.graph.build import grouped
from ossia_core.graph.operation import Operation
from ossia_core.session.regions import Region, RegionNode
from ossia_core.session.specialise import Known
from ossia_core.session.state import VariableState

_FOLD = 1 << 16
_SMALL = 1 << 10


class Compilation:
    """The state of one compilation."""

    def __init__(self, region: Region, inputs: Sequence[np.ndarray]) -> None:
        self.region = region
        self.builder = Builder()
        self.values: dict[int, Value] = {}
        self.states: dict[int, VariableState] = {}
        self._uses: dict[int, int] = {}
        self._chains: dict[tuple[int, ...], Chain] = {}
        self._outdated: set[int] = set()        # slots of reads that must keep their value when the variable changes
        self._variable_of: dict[int, int] = {}  # buffer -> slot of the variable
        self._values_of_buffer: dict[int, int] = {}
        for slot in (s for node in region.nodes for s in node.ins):
            self._uses[slot] = self._uses.get(slot, 0) + 1
        for slot in region.outputs:
            self._uses[slot] = self._uses.get(slot, 0) + 1
        self._buffer_uses: dict[int, int] = {}
        for slot, array in zip(region.inputs, inputs, strict=True):
            array = np.asarray(array)
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
        value = self.builder.temporary(dtype, shape)
        self._set(slot, value)
        return value

    def inner(self, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        """A new value that no slot names."""
        value = self.builder.temporary(dtype, shape)
        self._buffer_uses[value.buffer] = 1
        return value

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
            for shape, chain in list(self._chains.items()):
                if value.buffer in chain.results:
                    self._close(shape)
        return value

    def chain(self, op: str, ins: Sequence[Value], out: Value, constant: float | None = None) -> None:
        """Add an elementwise computation to the chain of its shape."""
        chain = self._chains.get(out.shape)
        for value in ins:
            if value.constant is None:
                for shape, other in list(self._chains.items()):
                    if value.buffer in other.results and (other is not chain or value.shape != out.shape):
                        self._close(shape)
        chain = self._chains.get(out.shape)
        if chain is None or chain.full:
            if chain is not None:
                self._close(out.shape)
            chain = self._chains[out.shape] = Chain(out.shape)
        chain.add(op, tuple(chain.operand(value, self.builder) for value in ins), out, constant)

    def emit(
        self, kernel: str, operands: Sequence[Value], ints: Sequence[int] = (), floats: Sequence[float] = ()
    ) -> None:
        """Add an instruction; its operands must be `ready`."""
        self.builder.emit(kernel, operands, [int(i) for i in ints], floats)

    def update(self, variables: Sequence[Value], counted: bool = False) -> None:
        """Announce that the next instruction changes these variables: what still reads the old values is computed
        first.

        Args:
          variables: the variables.
          counted: whether no such change may be lost when several threads run the program.
        """
        for shape in list(self._chains):
            self._close(shape)
        for value in variables:
            if value.constant is not None or value.buffer not in self._variable_of:
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
        self.update([variable], counted=True)
        del chain.results[value.buffer]
        chain.steps[-1].value = variable
        chain.emit(self.builder, lambda v: v is variable or self._buffer_uses.get(v.buffer, 0) > 0)
        return True

    def read(self, slot: int, variable: Value) -> None:
        """Let a slot hold the value of a variable: its buffer if nothing changes it before the last use, else a
        copy."""
        if slot not in self._outdated:
            self._set(slot, variable)
            return
        for shape in list(self._chains):
            self._close(shape)
        copied = self.result(slot, variable.dtype, variable.shape)
        self.emit("copy", [copied, variable], [variable.size * variable.dtype.itemsize])

    # -- the walk ---------------------------------------------------------------------------------------------

    def _close(self, shape: tuple[int, ...]) -> None:
        chain = self._chains.pop(shape)
        chain.emit(self.builder, lambda value: self._buffer_uses.get(value.buffer, 0) > 0)

    def run(self) -> None:
        """Compile all nodes.

        Raises:
          Declined: a node cannot be compiled for these shapes.
        """
        self._outdated = self._reads_outdated()
        for number, node in enumerate(self.region.nodes):
            self.builder.node = number
            ins = [self._operand(slot) for slot in node.ins]
            self._node(node, ins)
            # Only now: a chain that the node closes must store what the node reads.
            for value in ins:
                self.used(value)
        for shape in list(self._chains):
            self._close(shape)

    def _operand(self, slot: int) -> Value:
        value = self.values.get(slot)
        if value is not None:
            return value
        state = self.region.variables.get(slot)
        if state is None:
            raise Declined("an input that is neither array nor variable")
        array = state.value
        if array is None:
            raise NotReady("a variable that is not initialised")
        value = self.builder.external("variable", state, array.dtype, array.shape)
        self.states[slot] = state
        self._variable_of[value.buffer] = slot
        self._set(slot, value)
        return value

    def _node(self, node: RegionNode, ins: list[Value]) -> None:
        if node.op is None:
            self.read(node.outs[0], ins[0])
            return
        if node.loop is not None:
            raise Declined("a loop")
        if ins and all(v.constant is not None for v in ins) and node.op.definition.foldable and self._folded(node, ins):
            return
        self._check(node.op, ins)
        emitter = EMITTERS.get(node.op.type)
        if emitter is None:
            raise Declined(f"no emitter for {node.op.type}")
        emitter(self, node.op, ins, node.outs)

    @staticmethod
    def _check(op: Operation, ins: list[Value]) -> None:
        """Let the op's shape rule see the shapes.

        Raises:
          Declined: the rule refuses them; running the node step by step reports the error.
        """
        definition = op.definition
        rule = definition.shape_fn
        if rule is None or not ins or any(t.dtype == dtypes.resource for t in op._inputs):
            return
        known = [
            Known(v.shape, t.dtype.base_dtype, v.constant if v.size <= _SMALL else None)
            for v, t in zip(ins, op._inputs, strict=True)
        ]
        try:
            rule(
                *grouped(definition.inputs, op.attrs, known),
                **{a: op if a == "node" else op.attrs[a] for a in definition.shape_attrs},
            )
        except Exception as e:
            raise Declined(str(e)) from None

    def _folded(self, node: RegionNode, ins: list[Value]) -> bool:
        op = node.op
        assert op is not None
        if sum(v.size for v in ins) > _FOLD:
            return False
        kernel = numpy_kernel(op)
        if kernel is None or getattr(kernel, "needs_context", False):
            return False
        definition = op.definition
        with np.errstate(all="ignore"):
            result = kernel(*grouped(definition.inputs, op.attrs, [v.constant for v in ins]))
        values = [result] if len(definition.outputs) == 1 else list(result)
        flat: list[Any] = []
        for arg, value in zip(definition.outputs, values, strict=True):
            flat.extend(value if arg.is_list else [value])
        for slot, value in zip(node.outs, flat, strict=True):
            array = np.asarray(value)
            self.give(slot, Value(array.dtype, array.shape, constant=array))
        return True

    def _reads_outdated(self) -> set[int]:
        """Slots of reads by handle whose value is still used after the variable has changed."""
        held: dict[int, int] = {}      # slot of a value read, or a view of it -> slot of the read
        variable: dict[int, int] = {}  # slot of a read -> slot of its variable
        changed: dict[int, int] = {}   # variable -> position of its last change
        read_at: dict[int, int] = {}
        found: set[int] = set()
        for i, node in enumerate(self.region.nodes):
            for slot in node.ins:
                read = held.get(slot)
                if read is not None and changed.get(variable[read], -1) > read_at[read]:
                    found.add(read)
            if node.op is None:
                continue
            if node.op.type == "ReadVariableOp" and node.ins[0] in self.region.variables:
                out = node.outs[0]
                held[out], variable[out], read_at[out] = out, node.ins[0], i
            elif any(slot in self.region.variables for slot in node.ins):
                changed.update((slot, i) for slot in node.ins if slot in self.region.variables)
            elif len(node.outs) == 1 and node.ins and node.ins[0] in held:
                held[node.outs[0]] = held[node.ins[0]]
        for slot in self.region.outputs:
            read = held.get(slot)
            if read is not None and changed.get(variable[read], -1) > read_at[read]:
                found.add(read)
        return found
