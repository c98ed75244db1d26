"""The emitters by op type: one function per family turns a node of known shapes into instructions."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ossia_backend_cffi.program.builder import Declined, Value

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission
    from ossia_core.backend import Operation

Emitter = Callable[["Emission", "Operation", list[Value], Sequence[int]], None]
EMITTERS: dict[str, Emitter] = {}
RESOURCES: set[str] = set()  # op types that take handles of arrays and stacks
PADDED: set[str] = set()  # op types of updates whose emitters pass over rows of indices that stand for nothing
REFUSING: set[str] = set()  # op types whose emitters refuse all inputs that the shape rules refuse
F32, BOOL = np.dtype("f4"), np.dtype("?")


def emits(*op_types: str, refuses: bool = False) -> Callable[[Emitter], Emitter]:
    """Register an emitter for op types. One that `refuses` all that the shape rules refuse spares asking them."""
    def register(fn: Emitter) -> Emitter:
        for op_type in op_types:
            EMITTERS[op_type] = fn
        if refuses:
            REFUSING.update(op_types)
        return fn
    return register


def require_float(*values: Value) -> None:
    """Raise Declined unless all values are float32."""
    for value in values:
        if value.dtype is not F32 and value.dtype != F32:
            raise Declined(f"only float32 is compiled, not {value.dtype}")
