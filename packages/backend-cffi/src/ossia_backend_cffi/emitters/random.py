"""Random ops: each run goes on in the node's stream where the last one ended."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.emitters.registry import F32, emits
from ossia_backend_cffi.program.builder import Declined
from ossia_backend_cffi.program.instructions import RandomNormal, RandomUniform

_HALF = (1 << 64) - 1


@emits("RandomUniform", "RandomStandardNormal", "TruncatedNormal")
def _random(c, node, ins, outs):
    if c.conditional:
        raise Declined("a draw that is not made once in a run")
    sizes = ins[0].constant
    if sizes is None or sizes.ndim != 1 or min(sizes.tolist(), default=0) < 0:
        raise Declined("random values of a computed shape")
    out = c.result(outs[0], F32, tuple(int(n) for n in sizes))
    position = c.builder.external("position", Draw(node, out.size), np.dtype("u8"), (3,))
    if node.type == "RandomUniform":
        c.emit(RandomUniform(out=out, position=position, elements=out.size))
    else:
        truncated = node.type == "TruncatedNormal"
        c.emit(RandomNormal(out=out, position=position, elements=out.size, truncated=truncated))


class Draw:
    """The values that one node draws in a run."""

    def __init__(self, node: Any, count: int) -> None:
        from ossia_ops.random.samplers.distributions import RESERVED  # here: most programs draw nothing

        self._node, self._groups = node, count * RESERVED

    def place(self, position: np.ndarray, session_state: Any) -> None:
        """Write key and counter of the next run's values to `position`, and move the node's stream on."""
        from ossia_ops.random.samplers.philox import Stream

        node = self._node
        stream = session_state.node_state(node.name, lambda: Stream(node.attrs["seed"], node.attrs["seed2"]))
        start = stream.reserve(self._groups)
        position[:] = start.key, start.counter & _HALF, start.counter >> 64
