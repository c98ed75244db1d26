"""The value of a list of tensors: immutable for who holds it, yet cheap to extend and shorten.

All versions of a list share one Python list, which holds the items of the newest version used; the others know how they
differ from the version after them. Going along with one version after the other costs the change alone.
"""
from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.names.dtypes import DType, engine_name, string, variant
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements

_lock = renewed(threading.Lock())
_SET, _PUSH, _POP = range(3)


def shown(shape: TensorShape) -> str:
    """A shape as the original's kernels write it."""
    dims = shape.as_tuple()
    return "<unknown>" if dims is None else f"[{','.join('?' if size is None else str(size) for size in dims)}]"


def merged(a: TensorShape, b: TensorShape) -> TensorShape:
    """What is known of a shape that is both; InvalidArgumentError if they contradict each other."""
    if a.is_compatible_with(b):
        return a.merge_with(b)
    if a.ndims != b.ndims:
        text = f"Incompatible ranks during merge: {a.ndims} vs. {b.ndims}"
    else:
        text = f"Incompatible shapes during merge: {shown(a)} vs. {shown(b)}"
    raise errors.InvalidArgumentError(None, None, f"PartialTensorShape: {text}")


class TensorList:
    """A list of tensors of one dtype; an element that was never set is None.

    Attributes:
      dtype: dtype of the elements.
      template: what is known of their shapes.
      limit: the most elements there may be, -1 for any number.
    """

    __slots__ = ("_change", "_items", "dtype", "limit", "template")

    def __init__(self, dtype: DType, shape: TensorShape, items: list | None, limit: int = -1) -> None:
        self.dtype, self.template, self.limit = dtype, shape, limit
        self._items = items
        self._change: Any = None  # (version after this one, kind, index, value)

    def _own(self) -> list:
        """The shared list with the items of this version; the caller holds the lock."""
        path: list[TensorList] = []
        at = self
        while at._items is None:
            path.append(at)
            at = at._change[0]
        items: list = at._items
        for version in reversed(path):
            after, kind, index, value = version._change
            if kind == _SET:
                after._change = version, _SET, index, items[index]
                items[index] = value
            elif kind == _PUSH:
                items.append(value)
                after._change = version, _POP, 0, None
            else:
                after._change = version, _PUSH, 0, items.pop()
            after._items = None
            version._items, version._change = items, None
        return items

    def items(self) -> list:
        """The elements, in a list of the caller's own."""
        with _lock:
            return list(self._own())

    def __bool__(self) -> bool:
        return True

    @property
    def count(self) -> int:
        """Number of elements."""
        with _lock:
            return len(self._own())

    def _after(self, items: list, kind: int, index: int, value: Any) -> TensorList:
        made = TensorList(self.dtype, self.template, items, self.limit)
        self._items, self._change = None, (made, kind, index, value)
        return made

    def check(self, value: Any, dtype: DType) -> None:
        """Raise unless `value` may be an element.

        Raises:
          InvalidArgumentError: it has another dtype or shape than the elements.
        """
        if dtype is not self.dtype:
            raise errors.InvalidArgumentError(
                None, None,
                f"Invalid data types; op elements {engine_name(dtype)} but list elements {engine_name(self.dtype)}",
            )
        if not self.template.is_compatible_with(np.shape(value)):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Tried to append a tensor with incompatible shape to a list. Op element shape: "
                f"{dims_text(np.shape(value))} list shape: {shown(self.template)}",
            )

    def push(self, value: Any) -> TensorList:
        """The list with one more element; InvalidArgumentError if it is full."""
        with _lock:
            items = self._own()
            if 0 <= self.limit <= len(items):
                raise errors.InvalidArgumentError(
                    None, None, f"Tried to push item into a full list list size: {len(items)} max_num_elements: "
                    f"{self.limit}"
                )
            items.append(value)
            return self._after(items, _POP, 0, None)

    def pop(self) -> tuple[TensorList, Any]:
        """The list without its last element, and that; InvalidArgumentError if there is none."""
        with _lock:
            items = self._own()
            if not items:
                raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
            value = items.pop()
            return self._after(items, _PUSH, 0, value), value

    def set(self, index: int, value: Any) -> TensorList:
        """The list with another element at `index`."""
        with _lock:
            items = self._own()
            if not 0 <= index < len(items):
                raise errors.InvalidArgumentError(
                    None, None, f"Trying to modify element {index} in a list with {len(items)} elements."
                )
            old, items[index] = items[index], value
            return self._after(items, _SET, index, old)

    def get(self, index: int, shape: TensorShape) -> Any:
        """An element; zeros for one never set, if its shape is known."""
        with _lock:
            items = self._own()
            if not 0 <= index < len(items):
                raise errors.InvalidArgumentError(
                    None, None, f"Trying to access element {index} in a list with {len(items)} elements."
                )
            value = items[index]
        if value is not None:
            return value
        known = merged(shape, self.template)
        return self.zeros(known if known.is_fully_defined() else self.element_shape(known, self.items()))

    def resized(self, count: int) -> TensorList:
        """The list with `count` elements: cut, or with elements never set at the end."""
        if count < 0:
            raise errors.InvalidArgumentError(
                None, None, f"TensorListSlice expects size to be non-negative. Got: {count}"
            )
        elements((count,))
        items = self.items()[:count]
        return TensorList(self.dtype, self.template, items + [None] * (count - len(items)), self.limit)

    def element_shape(self, shape: TensorShape, items: Sequence[Any] = ()) -> TensorShape:
        """The list's element shape, `shape` and the shapes of elements in one; InvalidArgumentError if they contradict
        each other."""
        known = merged(shape, self.template)
        for value in items:
            if value is not None and not hasattr(value, "add_n"):
                known = merged(known, TensorShape(np.shape(value)))
        return known

    def zeros(self, shape: TensorShape) -> Any:
        """What stands for an element never set."""
        known = self.element_shape(shape)
        if not known.is_fully_defined():
            raise errors.InvalidArgumentError(
                None,
                None,
                "Trying to read an uninitialized tensor but element_shape is not fully defined: "
                f"{shown(known)} and no list element is set.",
            )
        if self.dtype is variant:
            raise errors.InvalidArgumentError(None, None, "Trying to read an uninitialized list of a list.")
        elements(known.as_list())
        return np.full(known.as_list(), b"" if self.dtype is string else 0, self.dtype.as_numpy_dtype)

    def zeros_like(self) -> TensorList:
        """A list of zeros in the shapes of the elements."""
        return TensorList(
            self.dtype,
            self.template,
            [v if v is None else v.zeros_like() if hasattr(v, "zeros_like") else np.zeros_like(v)
             for v in self.items()],
            self.limit,
        )

    def add_n(self, lists: list) -> TensorList:
        """The sum of lists, element by element; InvalidArgumentError if they differ in length or dtype."""
        total = self.items()
        for other in lists[1:]:
            added = other.items()
            if other.dtype is not self.dtype:
                raise errors.InvalidArgumentError(
                    None, None, "Trying to add two lists of tensors of different dtypes. "
                    f"One is {engine_name(self.dtype)} and the other is {engine_name(other.dtype)}"
                )
            if len(added) != len(total):
                raise errors.InvalidArgumentError(
                    None, None, "Trying to add two lists of tensors with different lengths. "
                    f"One is {len(total)} and the other is {len(added)}"
                )
            for i, value in enumerate(added):
                if total[i] is None:
                    total[i] = value
                elif value is not None:
                    total[i] = total[i].add_n([total[i], value]) if hasattr(value, "add_n") else total[i] + value
        return TensorList(self.dtype, self.template, total, self.limit)
