"""Error, gamma, beta and zeta functions."""
from __future__ import annotations

from ossia_backend_cffi.emitters.elementwise import broadcast_shape
from ossia_backend_cffi.emitters.registry import F32, emits, require_float
from ossia_backend_cffi.program.builder import Declined
from ossia_backend_cffi.program.instructions import Special

_NUMBER = {
    name: number
    for number, name in enumerate(
        ("Erf", "Erfc", "Lgamma", "Digamma", "Igamma", "Igammac", "Zeta", "Polygamma", "Betainc")
    )
}


@emits(*_NUMBER)
def _special(c, node, ins, outs):
    require_float(*ins)
    shape = broadcast_shape([v.shape for v in ins])
    if any(v.size != 1 and v.shape != shape for v in ins):
        raise Declined("a special function of shapes that broadcast")
    operands = [c.ready(v) for v in ins]
    out = c.result(outs[0], F32, shape)
    operands += operands[:1] * (3 - len(operands))
    first, second, third = operands
    steps = [int(v.size != 1) for v in operands]
    c.emit(Special(out=out, a=first, b=second, c=third, elements=out.size, kind=_NUMBER[node.type], steps=steps))
