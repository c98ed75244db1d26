"""TensorArrays and stacks that live inside of one program: an array is one buffer, a stack grows as it must."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_backend_cffi.emitters.registry import RESOURCES, emits
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Array, Stack
from ossia_core.names.shapes import TensorShape

RESET, WRITE, READ, GATHER, SCATTER, LEND, GATHER_ALL, SCATTER_ALL = range(8)
_PUSH, _POP = 1, 2
SUMS = {"f4": 1, "i4": 2, "i8": 3}
LARGEST = 1 << 32  # bytes of an array; of a larger one, few elements may be written
NEVER, ALWAYS, IF_WRITTEN, IF_ANY = range(4)


class ArrayHandle(Value):
    """What a slot holds that a TensorArray's handle is in."""

    __slots__ = (
        *("alike", "clear", "element", "flags", "gradients", "in_loop", "kind", "length", "of", "storage", "wanted"),
    )

    def __init__(
        self, kind: np.dtype, length: int, wanted: TensorShape, clear: bool, alike: bool, in_loop: bool
    ) -> None:
        super().__init__(np.dtype(np.int64), (2,))
        self.alike = alike  # whether the first element that is written has the shape of all
        self.kind, self.length, self.wanted, self.clear, self.in_loop = kind, length, wanted, clear, in_loop
        self.element: tuple[int, ...] | None = None
        self.flags: Value | None = None
        self.storage: Value | None = None
        self.gradients: dict[bytes, ArrayHandle] = {}
        self.of: ArrayHandle | None = None  # the array whose gradient this one gathers

    def holds(self, c: Any, shape: tuple[int, ...] | None) -> None:
        """Note the shape of the elements, None if it has to be known by now."""
        if shape is None and self.element is None:
            known = self.wanted if self.wanted.is_fully_defined() or self.of is None else self.of.wanted
            if self.of is not None and self.of.element is not None:
                shape = self.of.element
            elif known.is_fully_defined():
                shape = tuple(known.as_list())
            else:
                raise Declined("an array that is read before its elements are known")
        if shape is None:
            return
        if self.element is None:
            if not self.wanted.is_compatible_with(shape):
                raise Declined("an array of elements of another shape")
            if self.length * math.prod(shape) * self.kind.itemsize > LARGEST:
                raise Declined("an array that is too large to be one buffer")
            self.element = shape
            self.storage = c.builder.pinned(self.kind, (self.length, *shape))
        elif self.element != shape:
            raise Declined("an array of elements of several shapes")

    @property
    def nbytes(self) -> int:
        """Bytes of one element."""
        assert self.storage is not None
        return self.storage.size // self.length * self.kind.itemsize if self.length else 0


class StackHandle(Value):
    """What a slot holds that a stack's handle is in."""

    __slots__ = ("element", "lent", "limit", "number", "pushed")

    def __init__(self, number: int, limit: int) -> None:
        super().__init__(np.dtype(np.int64), (2,))
        self.number, self.limit = number, limit
        self.element: Value | None = None  # what was pushed; a constant is not stored again and again
        self.pushed: list[Any] = []        # the loops that push, and those in which values that are popped stay where
        self.lent: list[Any] = []          # they are


RESOURCES.update(
    f"TensorArray{what}V3" for what in ("", "Grad", "Write", "Read", "Gather", "Scatter", "Size", "Concat", "Close")
)
RESOURCES.update(("StackV2", "StackPushV2", "StackPopV2", "StackCloseV2"))


def _array(value: Value, dtype: Any = None) -> ArrayHandle:
    if type(value) is not ArrayHandle or (dtype is not None and np.dtype(dtype.as_numpy_dtype) != value.kind):
        raise Declined("an array that was made elsewhere, or of another dtype")
    return value


def _operand(value: Value) -> Value:
    if type(value) is not Value:
        raise Declined("a handle that is stored")
    return value


def lends(c: Any, out: int) -> bool:
    """Whether a value may stay where it was stored: it is used in one iteration of a loop only."""
    return c.outer is not None and out not in c.region.outputs


def _is_inside(c: Any, outer: Any) -> bool:
    while c is not None and c is not outer:
        c = c.outer
    return c is outer


def _all_in_order(array: ArrayHandle, indices: Value) -> bool:
    known = indices.constant
    return known is not None and known.shape == (array.length,) and (known == np.arange(array.length)).all()


def _emit(c: Any, kind: int, array: ArrayHandle, values: list[Value], count: int = 1) -> None:
    forward = array if array.of is None else array.of
    missing = (
        ALWAYS
        if forward.wanted.is_fully_defined()
        else IF_ANY
        if forward.alike
        else NEVER
        if array.of is None
        else IF_WRITTEN
    )
    value, index = [*[c.ready(v) for v in values], -1, -1][:2]
    c.emit(
        Array(
            flags=array.flags, forward=forward.flags, storage=array.storage, value=value, index=index, kind=kind,
            length=array.length, bytes=array.nbytes, clears=array.clear,
            how=0 if array.of is None else SUMS.get(f"{array.kind.kind}{array.kind.itemsize}", 4),
            count=count, missing=missing,
        )
    )  # fmt: skip


def check_index(index: Value) -> None:
    """Raise Declined unless an index is a scalar."""
    if index.shape:
        raise Declined("an index that is no scalar")


@emits("TensorArrayV3")
def _make(c, node, ins, outs):
    size, attrs = ins[0], node.attrs
    if size.constant is None or size.shape or attrs["dynamic_size"] or not 0 <= int(size.constant) < 1 << 28:
        raise Declined("an array of a size that may change")
    dtype = np.dtype(attrs["dtype"].as_numpy_dtype)
    if dtype.kind not in "fib" or attrs["dtype"]._is_ref_dtype:
        raise Declined(f"an array of {dtype}")
    in_loop = c.outer is not None
    clear, alike = attrs["clear_after_read"], attrs["identical_element_shapes"]
    array = ArrayHandle(dtype, int(size.constant), attrs["element_shape"], clear, alike, in_loop)
    array.flags = c.builder.pinned(np.dtype(np.uint8), (array.length,))
    c.emit(Array(flags=array.flags, kind=RESET, length=array.length))
    c.give(outs[0], array)
    c.give(outs[1], Value(np.dtype("f4"), (), constant=np.zeros((), "f4")))


@emits("TensorArrayGradV3")
def _gradient(c, node, ins, outs):
    array, source = _array(ins[0]), node.attrs["source"]
    found = array.gradients.get(source)
    if found is None:
        if array.in_loop:
            raise Declined("the gradient of an array that is made in a loop")
        found = array.gradients[source] = ArrayHandle(
            array.kind, array.length, array.wanted, array.clear, array.alike, False
        )
        found.of = array
        found.flags = c.builder.pinned(np.dtype(np.uint8), (array.length,))
        # Once per run, wherever the first node that asks for it stands.
        c.builder.first(Array(flags=found.flags, kind=RESET, length=array.length))
    c.give(outs[0], found)
    c.give(outs[1], ins[1])


@emits("TensorArrayWriteV3")
def _write(c, node, ins, outs):
    array, value = _array(ins[0], node.attrs["T"]), _operand(ins[2])
    check_index(ins[1])
    array.holds(c, value.shape)
    _emit(c, WRITE, array, [value, ins[1]])
    c.give(outs[0], ins[3])


@emits("TensorArrayScatterV3")
def _scatter(c, node, ins, outs):
    array, value = _array(ins[0], node.attrs["T"]), _operand(ins[2])
    if not value.shape or ins[1].shape != value.shape[:1]:
        raise Declined("a scatter that does not fit")
    buffer = c.builder.buffers[value.buffer] if value.constant is None else None
    if (
        array.element is None
        and array.of is None
        and buffer is not None
        and buffer.kind in ("arena", "input")
        and array.wanted.is_compatible_with(value.shape[1:])
        and value.dtype == array.kind
        and c.outer is None
        and _all_in_order(array, ins[1])
    ):
        # Nothing else can be written to the array: its elements are the value.
        array.element, array.storage = value.shape[1:], c.ready(value)
        buffer.last = 1 << 60
        _emit(c, SCATTER_ALL, array, [])
        c.give(outs[0], ins[3])
        return
    array.holds(c, value.shape[1:])
    _emit(c, SCATTER, array, [value, ins[1]], value.shape[0])
    c.give(outs[0], ins[3])


@emits("TensorArrayReadV3")
def _read(c, node, ins, outs):
    array = _array(ins[0], node.attrs["dtype"])
    check_index(ins[1])
    array.holds(c, None)
    out = c.result(outs[0], array.kind, array.element)
    lent = array.clear and lends(c, outs[0])
    if lent:
        c.builder.lent.add(out.buffer)
    _emit(c, LEND if lent else READ, array, [out, ins[1]])


@emits("TensorArrayGatherV3")
def _gather(c, node, ins, outs):
    array, indices = _array(ins[0], node.attrs["dtype"]), ins[1]
    if len(indices.shape) != 1 or not indices.size:
        raise Declined("a gather of nothing")
    array.holds(c, None)
    if not node.attrs["element_shape"].is_compatible_with(array.element):
        raise Declined("a gather of elements of another shape")
    if (array.clear or array.of is None) and c.outer is None and _all_in_order(array, indices):
        _emit(c, GATHER_ALL, array, [])
        c.give(outs[0], array.storage)
        return
    _emit(c, GATHER, array, [c.result(outs[0], array.kind, (indices.size, *array.element)), indices], indices.size)


@emits("TensorArrayConcatV3")
def _concat(c, node, ins, outs):
    array = _array(ins[0], node.attrs["dtype"])
    array.holds(c, None)
    if not array.length or not array.element:
        raise Declined("a concatenation of nothing")
    if not node.attrs["element_shape_except0"].is_compatible_with(array.element[1:]):
        raise Declined("a concatenation of elements of another shape")
    all_of_them = Value(np.dtype("i4"), (array.length,), constant=np.arange(array.length, dtype="i4"))
    out = c.result(outs[0], array.kind, (array.length * array.element[0], *array.element[1:]))
    _emit(c, GATHER, array, [out, all_of_them], array.length)
    lengths = np.full(array.length, array.element[0], "i8")
    c.give(outs[1], Value(lengths.dtype, lengths.shape, constant=lengths))


@emits("TensorArraySizeV3")
def _size(c, node, ins, outs):
    c.give(outs[0], Value(np.dtype("i4"), (), constant=np.array(_array(ins[0]).length, "i4")))


@emits("TensorArrayCloseV3")
def _close(c, node, ins, outs):
    raise Declined("an array that is closed")


def new_stack(c: Any, limit: int) -> StackHandle:
    """A new stack of so many values at most, if the number is not negative."""
    stack = StackHandle(c.builder.stacks, limit)
    c.builder.stacks += 1
    c.emit(Stack(kind=RESET, number=stack.number))
    return stack


def push(c: Any, stack: StackHandle, value: Value) -> None:
    """Push a value."""
    if any(_is_inside(c, user) for user in stack.lent):
        raise Declined("a stack that grows while its values are used")
    stack.pushed.append(c)
    known = stack.element
    if known is None:
        known = stack.element = value
    elif known.dtype != value.dtype or known.shape != value.shape:
        raise Declined("a stack of values of several shapes")
    if known.constant is not None:
        if value.constant is None or known.constant.tobytes() != value.constant.tobytes():
            raise Declined("a stack of constants and other values")
        c.emit(Stack(kind=_PUSH, number=stack.number, limit=stack.limit))
    else:
        nbytes = value.size * value.dtype.itemsize
        c.emit(Stack(value=c.ready(value), kind=_PUSH, number=stack.number, bytes=nbytes, limit=stack.limit))


def pop(c: Any, stack: StackHandle, slot: int) -> None:
    """Pop a value into a slot."""
    known = stack.element
    if known is None:
        raise Declined("a stack that was never pushed to")
    if known.constant is not None:
        c.emit(Stack(kind=_POP, number=stack.number))
        c.give(slot, known)
        return
    out = c.result(slot, known.dtype, known.shape)
    lent = lends(c, slot) and not any(_is_inside(pusher, c) for pusher in stack.pushed)
    if lent:
        stack.lent.append(c)
        c.builder.lent.add(out.buffer)
    c.emit(Stack(value=out, kind=_POP, number=stack.number, bytes=out.size * out.dtype.itemsize, stays=lent))


@emits("StackV2")
def _make_stack(c, node, ins, outs):
    if ins[0].constant is None or ins[0].shape:
        raise Declined("a stack of a computed size")
    c.give(outs[0], new_stack(c, int(ins[0].constant)))


@emits("StackPushV2")
def _push(c, node, ins, outs):
    if type(ins[0]) is not StackHandle:
        raise Declined("a stack that was made elsewhere")
    value = _operand(ins[1])
    push(c, ins[0], value)
    c.give(outs[0], value)


@emits("StackPopV2")
def _pop(c, node, ins, outs):
    if type(ins[0]) is not StackHandle:
        raise Declined("a stack that was made elsewhere")
    pop(c, ins[0], outs[0])


@emits("StackCloseV2")
def _close_stack(c, node, ins, outs):
    raise Declined("a stack that is closed")


@emits("ControlTrigger")
def _nothing(c, node, ins, outs):
    """Only orders other nodes."""
