"""Shape rules of ops asked about the shapes that a program is compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ossia_backend_cffi.emitters.elementwise import BROADCASTING, CHECKED
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_core.backend import inferred_shapes
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape

if TYPE_CHECKING:
    from ossia_core.backend import Operation

_SMALL = 1 << 10   # elements of a constant that a rule sees
_CHECKS = 1 << 12  # of them that are remembered
_HASHED = frozenset((bool, int, bytes))
_checked: set[Any] = set()  # shapes that the rules of ops have accepted


def check(op: Operation, ins: list[Value]) -> None:
    """Let the op's shape rule see the shapes.

    Raises:
      Declined: the rule refuses them; running the node step by step reports the error.
    """
    definition = op.definition
    rule = definition.shape_fn
    if rule is None or not ins:
        return
    if op.type in CHECKED and (op.type in BROADCASTING or all(v.shape == ins[0].shape for v in ins)):
        return
    for tensor in op._inputs:
        if tensor.dtype is dtypes.resource:
            return
    attrs = definition.shape_attrs
    key: Any = None
    if "node" not in attrs:
        # What the rule sees, so that the many nodes of one kind in a graph are checked once.
        seen: list[Any] = [op.type]
        for name in attrs:
            attr = op.attrs[name]
            seen.append(attr if type(attr) in _HASHED else repr(attr))
        for value in ins:
            seen += (value.shape, value.dtype.char)
            if value.constant is not None:
                seen.append(value.constant.tobytes() if value.size <= _SMALL else None)
        key = tuple(seen)
        if key in _checked:
            return
    try:
        _inferred(op, ins)
    except Exception as e:
        raise Declined(str(e)) from None
    if key is not None:
        if len(_checked) >= _CHECKS:
            _checked.clear()
        _checked.add(key)


def inferred(op: Operation, ins: Sequence[Value]) -> list[TensorShape] | None:
    """The shapes of an op's outputs, as far as its shape rule tells; None if it has none.

    Raises:
      Declined: the rule refuses the shapes of the inputs.
    """
    definition = op.definition
    if definition.shape_fn is None:
        return None
    try:
        found = _inferred(op, ins)
    except Exception as e:
        raise Declined(str(e)) from None
    if len(definition.outputs) == 1:
        found = [found]
    flat: list[Any] = []
    for arg, shapes in zip(definition.outputs, found, strict=True):
        flat.extend(shapes if arg.is_list else [shapes])
    return [TensorShape(shape) for shape in flat]


def _inferred(op: Operation, ins: Sequence[Value]) -> Any:
    """What the shape rule of an op returns."""
    return inferred_shapes(op, [v.shape for v in ins], [v.constant if v.size <= _SMALL else None for v in ins])
