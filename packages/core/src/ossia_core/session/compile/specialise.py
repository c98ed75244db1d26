"""Plans for known feed shapes: what only depends on shapes is computed once, not in every run.

Gradient graphs undo broadcasting with nodes that compute shapes. Given the shapes of the feeds, the shape rules tell
the shapes of most other values, and these nodes become constants.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.backend import numpy_kernel
from ossia_core.declare.kernels import grouped
from ossia_core.declare.language import MERGE
from ossia_core.declare.shape_rules import asks_for_much
from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.source import const_op, placeholder_op
from ossia_core.session.compile.work import Work
from ossia_core.session.run.steps import copy_step

_SMALL = 1 << 10  # elements of a value worth knowing


class _KnownOp:
    """Stands in for the producer of a value whose shape, and perhaps content, is known."""

    _inputs = ()

    def __init__(self, value: Any) -> None:
        self.definition = placeholder_op if value is None else const_op
        self.type = self.definition.type
        self.attrs = {"value": value}


class Known:
    """Stands in for a tensor in shape rules."""

    __slots__ = ("dtype", "op", "shape", "value")

    def __init__(self, shape: Any, dtype: Any, value: np.ndarray | None = None) -> None:
        self.shape, self.dtype, self.value = TensorShape(shape), dtype, value
        self.op = _KnownOp(value)


def specialised(
    work: list[Work], template: list[Any], known: dict[int, Known], kept: set[int]
) -> tuple[list[Any], list[Work]]:
    """The template with what follows from shapes filled in, and the work that is left.

    Args:
      work: the plan's work.
      template: its slots before a run.
      known: the feeds.
      kept: slots that hold fetched values, which each run must compute anew.
    """
    filled = template.copy()
    left: list[Work] = []
    for w in work:
        if w.guard or w.blocking or w.loop is not None or w.compiled or w.node.definition.role is MERGE:
            left.append(w)
            continue
        if w.is_read:
            tensor = next((t for t in w.node._inputs if t.dtype._is_ref_dtype and t.shape.is_fully_defined()), None)
            if tensor is not None and len([t for t in w.node._inputs if t.dtype._is_ref_dtype]) == 1:
                known[w.outs[0]] = Known(tuple(tensor.shape.as_list()), tensor.dtype.base_dtype)
            left.append(w)
            continue
        ins = [
            _input(slot, template, filled, known, tensor) for slot, tensor in zip(w.ins, w.node._inputs, strict=True)
        ]
        if any(k is None for k in ins):
            left.append(w)
            continue
        outs = _infer(w.node, ins) or _static(w.node)
        values = _values(w, ins, outs) if outs is not None and not any(slot in kept for slot in w.outs) else None
        if values is not None:
            for slot, value, tensor in zip(w.outs, values, w.node.outputs, strict=True):
                filled[slot] = value
                known[slot] = Known(value.shape, tensor.dtype, value)
            continue
        if outs is not None:
            for slot, shape, tensor in zip(w.outs, outs, w.node.outputs, strict=True):
                if shape.is_fully_defined():
                    known[slot] = Known(shape.as_tuple(), tensor.dtype)
        left.append(_as_copy(w, ins, outs, kept) or w)
    return filled, left


def _input(slot: int, template: list[Any], filled: list[Any], known: dict[int, Known], tensor: Any) -> Known | None:
    found = known.get(slot)
    if found is None:
        value = filled[slot]
        if isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(value)
            found = known[slot] = Known(array.shape, tensor.dtype.base_dtype, array if array.size <= _SMALL else None)
        elif template[slot] is not None and tensor.shape.is_fully_defined():
            found = known[slot] = Known(tuple(tensor.shape.as_list()), tensor.dtype)
    return found


def _infer(op: Operation, ins: list[Known | None]) -> list[TensorShape] | None:
    """Shapes of the outputs, None where a rule cannot tell."""
    definition = op.definition
    if definition.shape_fn is None or not op.outputs:
        return None
    inputs: Any = grouped(definition.inputs, op.attrs, ins) if definition.has_list_input else ins
    try:
        result = definition.shape_fn(*inputs, **{a: op if a == "node" else op.attrs[a] for a in definition.shape_attrs})
    except Exception:  # a rule that refuses these shapes: running the step reports it
        return None
    if len(op.outputs) == 1 and not definition.outputs[0].is_list:
        result = [result]
    elif len(definition.outputs) == 1:
        result = [result]
    if result is None:
        return None
    flat: list[Any] = []
    for arg, item in zip(definition.outputs, result, strict=True):
        flat.extend(item if arg.is_list else [item])
    return [s if isinstance(s, TensorShape) else TensorShape(s) for s in flat]


def _static(op: Operation) -> list[TensorShape] | None:
    """The static shapes of the outputs, if they say it all."""
    shapes = [t.shape for t in op.outputs]
    return shapes if shapes and all(s.is_fully_defined() for s in shapes) else None


def _values(w: Work, ins: list[Known | None], outs: list[TensorShape] | None) -> list[np.ndarray] | None:
    op = w.node
    if op.definition.describes_shape:
        arrays: Any = [np.broadcast_to(np.zeros((), np.int8), k.shape.as_tuple()) for k in ins]  # type: ignore[union-attr]
    elif op.definition.foldable and ins and all(k.value is not None for k in ins):  # type: ignore[union-attr]
        if any((s.num_elements() or 0) > _SMALL for s in outs or ()):
            return None
        arrays = [k.value for k in ins]  # type: ignore[union-attr]
        if asks_for_much(op, arrays):
            return None
    else:
        return None
    if any(tensor.dtype is dtypes.variant for tensor in op.outputs):
        return None  # these values are no arrays
    kernel = numpy_kernel(op)
    if kernel is None or getattr(kernel, "needs_context", False):
        return None
    definition = op.definition
    try:
        with np.errstate(all="ignore"):
            result = kernel(*grouped(definition.inputs, op.attrs, arrays))
    except Exception:  # running the step reports it
        return None
    items = [result] if len(definition.outputs) == 1 else list(result)
    flat: list[Any] = []
    for arg, item in zip(definition.outputs, items, strict=True):
        flat.extend(item if arg.is_list else [item])
    return [np.asarray(v) for v in flat]


def _as_copy(w: Work, ins: list[Known | None], outs: list[TensorShape] | None, kept: set[int]) -> Work | None:
    """What hands its input on for these shapes: a reshape to the same shape, a reduction along no axis."""
    if outs is None or len(outs) != 1 or w.outs[0] in kept:
        return None
    x = ins[0] if ins else None
    if x is None or not outs[0].is_fully_defined() or outs[0].as_tuple() != x.shape.as_tuple():
        return None
    hands_on = w.node.definition.forwards_when
    if hands_on is not None and hands_on(*[k.value if k is not None else None for k in ins[1:]]):
        step = copy_step(w.ins[0], w.outs[0])
        copied = Work(w.node, w.ins[:1], w.outs, step)
        copied.guard, copied.controls = w.guard, w.controls
        return copied
    return None

