"""Integer arithmetic and comparison, which wraps as in the original."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.emitters.elementwise import broadcast_shape
from ossia_backend_cffi.emitters.registry import BOOL, EMITTERS
from ossia_backend_cffi.program.builder import Declined
from ossia_backend_cffi.program.chains import broadcast_pattern
from ossia_backend_cffi.program.instructions import Integers

_OPS = {
    "Add": 0,
    "AddV2": 0,
    "Sub": 1,
    "Mul": 2,
    "Maximum": 3,
    "Minimum": 4,
    "Less": 5,
    "LessEqual": 6,
    "Greater": 7,
    "GreaterEqual": 8,
    "Equal": 9,
    "NotEqual": 10,
    "FloorDiv": 11,
    "FloorMod": 12,
    "TruncateDiv": 13,
    "TruncateMod": 14,
}
_COMPARISONS = range(5, 11)


def _with_integers(op_type: str) -> None:
    """Let the emitter of `op_type` take integers too."""
    of_floats = EMITTERS.get(op_type)

    def emit(c: Any, node: Any, ins: Any, outs: Any) -> None:
        a, b = ins
        if a.dtype.kind != "i" or a.dtype.itemsize not in (4, 8):
            if of_floats is None:
                raise Declined(f"{op_type} of {a.dtype}")
            of_floats(c, node, ins, outs)
            return
        if a.dtype != b.dtype:
            raise Declined("integers of two kinds")
        shape = broadcast_shape([a.shape, b.shape])
        number = _OPS[op_type]
        patterns = [*broadcast_pattern(a.shape, shape), *broadcast_pattern(b.shape, shape)]
        out = c.result(outs[0], BOOL if number in _COMPARISONS else a.dtype, shape)
        c.emit(
            Integers(
                out=out, a=c.ready(a), b=c.ready(b), operation=number, elements=out.size, item=a.dtype.itemsize,
                patterns=patterns,
            )
        )  # fmt: skip

    EMITTERS[op_type] = emit


for _op_type in _OPS:
    _with_integers(_op_type)



