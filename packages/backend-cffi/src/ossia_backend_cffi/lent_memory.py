"""Operands in memory that changes while a program works: predicates that are fed, and values in the buffer of a
variable that a node changes."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ossia_backend_cffi.program import Value
from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_backend_cffi.compilation import Compilation

_IN_PLACE = frozenset(("Assign", "AssignAdd", "AssignSub"))  # take each element from the place that it goes to


def kept(c: Compilation, predicate: Value) -> Value:
    """A predicate that stays what it is for the run: one that is fed is copied before all else, as others may write to
    its memory, and branches and merges look at it one after the other."""
    if c.builder.buffers[predicate.buffer].kind != "input":
        return predicate
    copied = c.kept.get(predicate.buffer)
    if copied is None:
        copied = c.kept[predicate.buffer] = c.builder.pinned(predicate.dtype, predicate.shape)
        c.builder.first("copy", [copied, predicate], [predicate.dtype.itemsize])
    return copied


def apart(c: Compilation, op: Any, ins: list[Value]) -> list[Value]:
    """The inputs of a node, copied where they lie, or may lie, in the buffer of a variable that the node changes: an
    update works on several operands at once, and sees each as it was just before. Not earlier: who read a variable by
    reference sees what updates before this one have made of it."""
    inputs = op.definition.inputs
    variables = [arg.is_ref or arg.type is dtypes.resource for arg in inputs]
    if len(inputs) != len(ins) or not any(variables):
        return ins
    changed = {value.buffer for value, is_variable in zip(ins, variables, strict=True) if is_variable}
    by_reference = any(arg.is_ref for arg in inputs)  # of one by handle, the program changes an array of its own
    size = ins[0].size
    found = []
    for value, is_variable in zip(ins, variables, strict=True):
        if not is_variable and value.constant is None:
            in_place = op.type in _IN_PLACE and value.size == size
            if value.buffer in changed or (by_reference and not in_place and c.may_be_variable(value)):
                copied = c.inner(value.dtype, value.shape)
                c.emit("copy", [copied, c.ready(value)], [value.size * value.dtype.itemsize])
                value = copied
        found.append(value)
    return found
