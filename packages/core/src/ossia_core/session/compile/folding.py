"""Values of nodes that are known before a run: those of constant inputs, and those that ask for static shapes only."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.backend import numpy_kernel
from ossia_core.declare.kernels import grouped
from ossia_core.declare.shape_rules import asks_for_much
from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile.traits import merge_key, refusal
from ossia_core.session.compile.work import Scope

_ELEMENTS = 1 << 20  # of a value, at most


def from_static_shapes(op: Operation, state: SessionState, scope: Scope) -> list[int] | None:
    """Slots of the values of a node that only asks for shapes, so that its inputs need not run; None if open."""
    seen = []
    for tensor in op._inputs:
        dims = tensor.shape.as_tuple()
        if dims is None or None in dims:
            return None
        if not op.definition.shape_of_variables and any(x.dtype._is_ref_dtype for x in (tensor, *tensor.op._inputs)):
            return None
        seen.append((dims, tensor.dtype.base_dtype._type_enum))
    key = merge_key(op, seen)
    known = scope.merged.get(key) if key is not None else None
    if known is not None:
        return known
    stand_ins = []
    for tensor in op._inputs:
        dtype = tensor.dtype.base_dtype
        if tensor.shape.num_elements() > _ELEMENTS:
            return None
        if not (dtype.is_floating or dtype.is_integer or dtype is dtypes.bool):
            return None
        stand_ins.append(np.empty(tensor.shape.as_tuple(), dtype.as_numpy_dtype))
    kernel = numpy_kernel(op, state)
    if kernel is None:
        return None
    result = kernel(*grouped(op.definition.inputs, op.attrs, stand_ins))
    slots = [scope.add_constant(value) for value in (result if op.definition.outputs[0].is_list else [result])]
    if key is not None:
        scope.merged[key] = slots
    return slots


def folded(op: Operation, ins: list[int], state: SessionState, scope: Scope) -> list[int] | None:
    """Slots of the values of a node of constant inputs, computed now; None if it is not one."""
    constant = scope.constant
    for slot in ins:
        if slot not in constant:
            return None
    for tensor in op.outputs:
        size = tensor.shape.num_elements()
        if size is None or size > _ELEMENTS or tensor.dtype is dtypes.resource or tensor.dtype is dtypes.variant:
            return None
    values = [scope.template[i] for i in ins]
    if asks_for_much(op, values) or refusal(op) is not None:
        return None
    kernel = numpy_kernel(op, state)
    if kernel is None or getattr(kernel, "needs_context", False):
        return None
    definition = op.definition
    try:
        with np.errstate(all="ignore"):
            result = kernel(*grouped(definition.inputs, op.attrs, values))
    except Exception:  # running the node reports the error, if a run gets there
        return None
    results = [result] if len(definition.outputs) == 1 else list(result)
    flat: list[Any] = []
    for arg, value in zip(definition.outputs, results, strict=True):
        flat.extend(value if arg.is_list else [value])
    return [scope.add_constant(value) for value in flat]
