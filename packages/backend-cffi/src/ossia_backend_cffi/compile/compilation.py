"""Compiling a region for given shapes: constants are computed, elementwise nodes fused, the rest handed to the
emitters."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.claims import is_compiled
from ossia_backend_cffi.compile import control
from ossia_backend_cffi.compile.calls import CALLED, DRAWS, call, may_be_called
from ossia_backend_cffi.compile.shape_checks import check
from ossia_backend_cffi.emitters import tensor_lists
from ossia_backend_cffi.emitters.elementwise import ARITHMETIC, BROADCASTING
from ossia_backend_cffi.emitters.emission import Emission
from ossia_backend_cffi.emitters.registry import EMITTERS, F32, REFUSING, RESOURCES, Emitter
from ossia_backend_cffi.program.builder import Declined, NotReady, Value
from ossia_backend_cffi.program.chains import MAX_STEPS
from ossia_backend_cffi.program.instructions import Copy
from ossia_core.backend import grouped, node_key, numpy_kernel
from ossia_core.declare.opdef import OpDef
from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_core.backend import Operation, Work

_FOLD = 1 << 16


@functools.cache
def _facts(definition: OpDef) -> tuple[str | None, bool, Emitter | None, bool, bool, bool]:
    """Of the nodes of a type: what they are in a chain, if their inputs are floats; whether these broadcast; the
    emitter; whether it refuses what the shape rule does; whether it takes handles; whether it may be called."""
    kind = definition.type
    emitter, handled, called = EMITTERS.get(kind), kind in RESOURCES, kind in CALLED or kind in DRAWS
    return ARITHMETIC.get(kind), kind in BROADCASTING, emitter, kind in REFUSING, handled, called


class Compilation(Emission):
    """A region that is being compiled."""

    def changes_variables(self) -> bool:
        """Whether nodes of the region may change variables."""
        return control.updates(self.region.nodes)

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
                    if slot in values and type(values[slot]) is tensor_lists.ListHandle:
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
            of_lists = tensor_lists.OF_HANDLES.get(op.type)
            if of_lists is None:
                raise Declined("a handle")
            of_lists(self, ins, node.outs[0])
            return
        if not refuses:
            check(op, ins)
        ins = self._apart(op, ins)
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
        key = node_key(op, ins)
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
        first = next((i for i, node in enumerate(nodes) if node.node.definition.gives_buffer), None)
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
            if node.op.definition.gives_buffer and node.ins[0] in self.region.variables:
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

    def _apart(self, op: Operation, ins: list[Value]) -> list[Value]:
        """The inputs of a node, copied where they lie, or may lie, in the buffer of a variable that the node changes:
        an update works on several operands at once, and sees each as it was just before. Not earlier: who read a
        variable by reference sees what updates before this one have made of it."""
        inputs = op.definition.inputs
        variables = [arg.is_ref or arg.type is dtypes.resource for arg in inputs]
        if len(inputs) != len(ins) or not any(variables):
            return ins
        changed = {value.buffer for value, is_variable in zip(ins, variables, strict=True) if is_variable}
        by_reference = any(arg.is_ref for arg in inputs)  # of one by handle, the program changes an array of its own
        found = []
        for value, is_variable in zip(ins, variables, strict=True):
            if not is_variable and value.constant is None:
                in_place = len(ins) == 2 and value.size == ins[0].size  # takes each element from the place it goes to
                if value.buffer in changed or (by_reference and not in_place and self.may_be_variable(value)):
                    copied = self.inner(value.dtype, value.shape)
                    self.emit(Copy(out=copied, x=self.ready(value), bytes=value.size * value.dtype.itemsize))
                    value = copied
            found.append(value)
        return found
