"""Lists of tensors inside of a program. One whose length is known is a buffer, as a TensorArray is, one that grows is a
stack. A list is a value that never changes: it is changed in place where nothing reads it any more, else copied."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.emitters.registry import EMITTERS, RESOURCES, emits
from ossia_backend_cffi.emitters.tensor_arrays import (
    ALWAYS,
    GATHER,
    GATHER_ALL,
    IF_ANY,
    LARGEST,
    LEND,
    READ,
    RESET,
    SCATTER,
    SCATTER_ALL,
    SUMS,
    WRITE,
    StackHandle,
    check_index,
    lends,
    new_stack,
    pop,
    push,
)
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Array, Copy, Zero
from ossia_core.names import dtypes
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission

_ADD_ALL = 8          # what an instruction does to lists only: each element of one is added to another's
_OVERWRITE = 5        # how a value comes to an element that there is: in its place
_HANDLE = np.dtype(np.int64)
_LISTS = frozenset(
    (
        *("EmptyTensorList", "TensorListReserve", "TensorListFromTensor", "TensorListPushBack", "TensorListPopBack"),
        *("TensorListLength", "TensorListElementShape", "TensorListGetItem", "TensorListSetItem", "TensorListStack"),
        *("TensorListGather", "TensorListScatterIntoExistingList"),
    )
)
RESOURCES.update(_LISTS)


def claims(node: Any) -> bool:
    """Whether a node computes with lists of elements that programs know."""
    if node.type in OF_HANDLES:
        return bool(node._inputs) and node._inputs[0].dtype is dtypes.variant
    if node.type not in _LISTS:
        return False
    dtype = node.attrs.get("element_dtype", dtypes.float32)
    return dtype in (dtypes.float32, dtypes.int32, dtypes.int64, dtypes.bool)


def is_of_handles(node: Any) -> bool:
    """Whether a node makes or takes an array, a stack or a list."""
    return node.type in RESOURCES or any(t.dtype is dtypes.variant for t in (*node._inputs, *node.outputs))


class ListHandle(Value):
    """What a slot holds that a list is in: all versions of a list that are made in place are one handle.

    Attributes:
      owner: the compilation of the frame that may change it in place; None if its elements are another value.
      stack: of a list that grows.
      put: of a list with one element only, which is not stored yet, its index and value.
    """

    __slots__ = ("element", "flags", "kind", "length", "owner", "put", "stack", "storage", "template")

    def __init__(self, c: Emission, kind: np.dtype, template: TensorShape, length: int, owner: Any) -> None:
        c.builder.handles += 1
        super().__init__(_HANDLE, (), -1 - c.builder.handles)  # a number of its own, to count its uses
        self.kind, self.template, self.length, self.owner = kind, template, length, owner
        self.element: tuple[int, ...] | None = None
        self.flags: Value | None = None
        self.storage: Value | None = None
        self.stack: StackHandle | None = None
        self.put: tuple[Value, Value] | None = None

    def holds(self, c: Emission, shape: tuple[int, ...]) -> None:
        """Note the shape of the elements."""
        if self.element is None:
            if not self.template.is_compatible_with(shape):
                raise Declined("a list of elements of another shape")
            if self.length * math.prod(shape) * self.kind.itemsize > LARGEST:
                raise Declined("a list that is too large to be one buffer")
            self.element = shape
            self.storage = c.builder.pinned(self.kind, (self.length, *shape))
        elif self.element != shape:
            raise Declined("a list of elements of several shapes")

    @property
    def buffers(self) -> tuple[Value, Value]:
        """Where is noted which elements are set, and the elements."""
        assert self.flags is not None and self.storage is not None
        return self.flags, self.storage

    @property
    def nbytes(self) -> int:
        """Bytes of one element."""
        return math.prod(self.element or ()) * self.kind.itemsize


def among(values: Iterable[Value]) -> bool:
    """Whether a list is among values."""
    return any(type(value) is ListHandle for value in values)


def _list(value: Value, dtype: Any = None) -> ListHandle:
    if type(value) is not ListHandle or (dtype is not None and np.dtype(dtype.as_numpy_dtype) != value.kind):
        raise Declined("a list that was made elsewhere, or of another dtype")
    return value


def _fixed(c: Emission, value: Value, dtype: Any = None) -> ListHandle:
    """A list of known length, stored."""
    found = _list(value, dtype)
    if found.stack is not None:
        raise Declined("a list that grows")
    if found.put is not None:
        index, item = found.put
        found.put = None
        _reset(c, found)
        _store(c, found, index, item, _OVERWRITE)
    elif found.flags is None:
        _reset(c, found)
    return found


def _shape_of(value: Value) -> TensorShape:
    """The shape that a shape tensor holds."""
    if value.constant is None:
        raise Declined("a list of a computed shape")
    if not value.shape:
        return UNKNOWN_SHAPE
    return TensorShape([None if n < 0 else n for n in value.constant.tolist()])


def _reset(c: Emission, made: ListHandle) -> None:
    made.flags = c.builder.pinned(np.dtype(np.uint8), (made.length,))
    c.emit(Array(flags=made.flags, kind=RESET, length=made.length))


def _emit(
    c: Emission, kind: int, of: ListHandle, values: list[Value], how: int = 0, count: int = 1, missing: int = ALWAYS
) -> None:
    flags, storage = of.buffers
    value, index = [*[c.ready(v) for v in values], -1, -1][:2]
    c.emit(
        Array(
            flags=flags, forward=flags, storage=storage, value=value, index=index, kind=kind, length=of.length,
            bytes=of.nbytes, how=how, count=count, missing=missing,
        )
    )  # fmt: skip


def _store(c: Emission, made: ListHandle, index: Value, item: Value, how: int) -> None:
    made.holds(c, item.shape)
    _emit(c, WRITE, made, [item, index], how)


def _copied(c: Emission, source: ListHandle) -> ListHandle:
    """A copy that the frame at hand may change."""
    made = _alike(c, _fixed(c, source))
    if source.element is not None:
        c.emit(Copy(out=made.buffers[1], x=source.buffers[1], bytes=made.length * made.nbytes))
    return made


def _alike(c: Emission, source: ListHandle) -> ListHandle:
    """A list of the same length, with the same elements set, to whatever lies there."""
    made = ListHandle(c, source.kind, source.template, source.length, c)
    made.flags = c.builder.pinned(np.dtype(np.uint8), (made.length,))
    assert source.flags is not None
    c.emit(Copy(out=made.flags, x=source.flags, bytes=made.length))
    if source.element is not None:
        made.holds(c, source.element)
    return made


def _changeable(c: Emission, value: Value) -> ListHandle:
    """A list that may be changed: the same one if the node at hand is the only one left that reads it."""
    found = _fixed(c, value)
    return found if found.owner is c and c.is_last_use(found) else _copied(c, found)


def enter(c: Emission, value: Value, shared: bool) -> ListHandle:
    """A list that a loop changes, where the loop begins; `shared` if the loop reads it in another place, too."""
    found = _list(value)
    own = found.owner is c and not shared and c.is_last_use(found)
    if found.stack is not None:
        if not own:
            raise Declined("a list that grows in two ways")
        return found
    return _fixed(c, found) if own else _copied(c, found)


def follow(own: ListHandle, following: Value) -> list[tuple[Value, Value, int]]:
    """The copies that make a list what it is in the next iteration."""
    value = _list(following)
    if value is own:
        return []
    if own.stack is not None or value.stack is not None or value.put is not None or value.length != own.length:
        raise Declined("a list that becomes another one")
    if value.element != own.element or value.flags is None or own.flags is None:
        raise Declined("a list whose elements change their shape")
    moves = [(own.flags, value.flags, own.length)]
    if own.storage is not None and value.storage is not None:
        moves.append((own.storage, value.storage, own.length * own.nbytes))
    return moves


# -- lists of known length ----------------------------------------------------------------------------------


@emits("TensorListReserve")
def _reserve(c, node, ins, outs):
    if ins[1].constant is None or ins[1].size != 1:
        raise Declined("a list of a computed length")
    length = int(ins[1].constant.reshape(()))
    if not 0 <= length < 1 << 28:
        raise Declined("a list of a hostile length")
    made = ListHandle(c, np.dtype(node.attrs["element_dtype"].as_numpy_dtype), _shape_of(ins[0]), length, c)
    if not _is_put_once(c, outs[0]):
        _reset(c, made)
    c.give(outs[0], made)


def _is_put_once(c: Emission, slot: int) -> bool:
    """Whether all that becomes of an empty list is that one element is put into it."""
    readers = c.readers(slot)
    return len(readers) == 1 == c.uses(slot) and puts_element(readers[0].node)


def puts_element(node: Any) -> bool:
    """Whether a node puts one element into a list."""
    return EMITTERS.get(node.type) is _set_item


@emits("TensorListFromTensor")
def _from_tensor(c, node, ins, outs):
    value, template = ins[0], _shape_of(ins[1])
    if type(value) is not Value or not value.shape or not template.is_compatible_with(value.shape[1:]):
        raise Declined("a list of the parts of a scalar, or of another shape")
    value = c.ready(value)
    made = ListHandle(c, value.dtype, template, value.shape[0], None)
    _reset(c, made)
    made.element, made.storage = value.shape[1:], value
    if value.constant is None:
        buffer = c.builder.buffers[value.buffer]
        if c.outer is None and buffer.kind in ("arena", "input"):
            buffer.last = 1 << 60
        else:
            made.storage = c.builder.pinned(value.dtype, value.shape)
            c.emit(Copy(out=made.storage, x=value, bytes=value.size * value.dtype.itemsize))
            made.owner = c
    c.emit(
        Array(
            flags=made.flags, forward=made.flags, storage=made.storage, kind=SCATTER_ALL, length=made.length,
            bytes=made.nbytes,
        )
    )  # fmt: skip
    c.give(outs[0], made)


@emits("TensorListSetItem")
def _set_item(c, node, ins, outs):
    found, index, item = _list(ins[0], node.attrs["element_dtype"]), ins[1], ins[2]
    check_index(index)
    if type(item) is not Value or not found.template.is_compatible_with(item.shape):
        raise Declined("an element that does not fit its list")
    if found.stack is None and found.flags is None and found.put is None:
        made = ListHandle(c, found.kind, found.template, found.length, c)
        made.put = c.ready(index), c.ready(item)
        c.give(outs[0], made)
        readers = c.readers(outs[0])
        if c.uses(outs[0]) != 1 or len(readers) != 1 or OF_HANDLES.get(readers[0].node.type) is not _add_n:
            _fixed(c, made)
        return
    made = _changeable(c, found)
    _store(c, made, index, item, _OVERWRITE)
    c.give(outs[0], made)


@emits("TensorListGetItem")
def _get_item(c, node, ins, outs):
    found, index = _fixed(c, ins[0], node.attrs["element_dtype"]), ins[1]
    check_index(index)
    missing = _elements(c, found, ins[2])
    out = c.result(outs[0], found.kind, found.element)
    lent = found.owner is not c and lends(c, outs[0])
    if lent:
        c.builder.lent.add(out.buffer)
    _emit(c, LEND if lent else READ, found, [out, index], missing=missing)


def _elements(c: Emission, found: ListHandle, shape: Value) -> int:
    """Let the shape of a list's elements be known; what stands for one that was never set."""
    given = _shape_of(shape)
    if not given.is_compatible_with(found.template):
        raise Declined("elements of another shape")
    known = given.merge_with(found.template)
    if found.element is None:
        if not known.is_fully_defined():
            raise Declined("a list that is read before its elements are known")
        found.holds(c, tuple(known.as_list()))
    if not known.is_compatible_with(found.element):
        raise Declined("elements of another shape")
    return ALWAYS if known.is_fully_defined() else IF_ANY


@emits("TensorListStack")
def _stack(c, node, ins, outs):
    found, wanted = _fixed(c, ins[0], node.attrs["element_dtype"]), node.attrs["num_elements"]
    if 0 <= wanted != found.length or not found.length:
        raise Declined("a list of another length, or of nothing")
    missing = _elements(c, found, ins[1])
    if found.owner is c and c.outer is None and c.is_last_use(found):
        _emit(c, GATHER_ALL, found, [], missing=missing)
        c.give(outs[0], found.storage)
        return
    indices = c.integers(tuple(range(found.length)), np.int32)
    out = c.result(outs[0], found.kind, (found.length, *found.element))
    _emit(c, GATHER, found, [out, indices], count=found.length, missing=missing)


@emits("TensorListGather")
def _gather(c, node, ins, outs):
    found, indices = _fixed(c, ins[0], node.attrs["element_dtype"]), ins[1]
    if len(indices.shape) != 1 or not indices.size:
        raise Declined("a gather of nothing")
    missing = _elements(c, found, ins[2])
    out = c.result(outs[0], found.kind, (indices.size, *found.element))
    _emit(c, GATHER, found, [out, indices], count=indices.size, missing=missing)


@emits("TensorListScatterIntoExistingList")
def _scatter(c, node, ins, outs):
    found, value, indices = _list(ins[0], node.attrs["element_dtype"]), ins[1], ins[2]
    if type(value) is not Value or not value.shape or indices.shape != value.shape[:1]:
        raise Declined("a scatter that does not fit")
    made = _changeable(c, found)
    made.holds(c, value.shape[1:])
    _emit(c, SCATTER, made, [value, indices], _OVERWRITE, indices.size)
    c.give(outs[0], made)


@emits("TensorListLength")
def _length(c, node, ins, outs):
    found = _list(ins[0])
    if found.stack is not None:
        raise Declined("the length of a list that grows")
    c.give(outs[0], c.integers(found.length, np.int32))


@emits("TensorListElementShape")
def _element_shape(c, node, ins, outs):
    dims = _list(ins[0]).template.as_tuple()
    shape = -1 if dims is None else tuple(-1 if n is None else n for n in dims)
    c.give(outs[0], c.integers(shape, node.attrs["shape_type"].as_numpy_dtype))


def _handed_on(c: Emission, ins: Sequence[Value], out: int) -> None:
    c.give(out, ins[0])


def _zeros_like(c: Emission, ins: Sequence[Value], out: int) -> None:
    made = _alike(c, _fixed(c, ins[0]))
    if made.element is not None:
        c.emit(Zero(out=made.buffers[1], bytes=made.length * made.nbytes))
    c.give(out, made)


def _add_n(c: Emission, ins: Sequence[Value], out: int) -> None:
    lists = [_list(value) for value in ins]
    if len(lists) == 2 and lists[0].put is not None:
        lists.reverse()
    how = SUMS.get(f"{lists[0].kind.kind}{lists[0].kind.itemsize}")
    if how is None or any(other.kind != lists[0].kind or other.length != lists[0].length for other in lists):
        raise Declined("a sum of lists that differ")
    total = _changeable(c, lists[0])
    for other in lists[1:]:
        if other.put is not None:
            index, item = other.put
            _store(c, total, index, item, how)
            continue
        other = _fixed(c, other)
        if other.element is not None:
            total.holds(c, other.element)
            (flags, storage), (others, added) = total.buffers, other.buffers
            c.emit(
                Array(
                    flags=flags, forward=others, storage=storage, value=added, kind=_ADD_ALL, length=total.length,
                    bytes=total.nbytes, how=how,
                )
            )  # fmt: skip
    c.give(out, total)


OF_HANDLES = {"AddN": _add_n, "Identity": _handed_on, "ZerosLike": _zeros_like}  # of lists, too


# -- lists that grow ----------------------------------------------------------------------------------------


@emits("EmptyTensorList")
def _empty(c, node, ins, outs):
    if ins[1].constant is None or ins[1].size != 1:
        raise Declined("a list of a computed size")
    made = ListHandle(c, np.dtype(node.attrs["element_dtype"].as_numpy_dtype), _shape_of(ins[0]), -1, c)
    made.stack = new_stack(c, int(ins[1].constant.reshape(())))
    c.give(outs[0], made)


def _grown(c: Emission, value: Value, dtype: Any) -> ListHandle:
    found = _list(value, dtype)
    if found.stack is None or found.owner is not c or not c.is_last_use(found):
        raise Declined("a list that grows in two ways, or one of known length that grows")
    return found


@emits("TensorListPushBack")
def _push_back(c, node, ins, outs):
    found, item = _grown(c, ins[0], node.attrs["element_dtype"]), ins[1]
    if type(item) is not Value or not found.template.is_compatible_with(item.shape):
        raise Declined("an element that does not fit its list")
    push(c, found.stack, item)
    c.give(outs[0], found)


@emits("TensorListPopBack")
def _pop_back(c, node, ins, outs):
    found = _grown(c, ins[0], node.attrs["element_dtype"])
    if ins[1].constant is not None and found.stack.element is not None:
        if not _shape_of(ins[1]).is_compatible_with(found.stack.element.shape):
            raise Declined("an element of another shape")
    pop(c, found.stack, outs[1])
    c.give(outs[0], found)
