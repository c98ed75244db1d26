"""The makers of kernels of special functions that no region is compiled with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.registry import empty, kind_of, makes, pointer, threads_of
from ossia_core.backend import Kernel

_SLOPES = {"IgammaGradA": 0, "RandomGammaGrad": 1}


@makes(*_SLOPES)
def _gamma_slopes(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    of = _SLOPES[node.type]
    if session is None:
        return None

    def kernel(a: Any, x: Any) -> Any:
        try:
            shape = np.broadcast_shapes(a.shape, x.shape)
        except ValueError:
            return reference(a, x)
        if kind_of(a) not in (0, 1) or kind_of(x) != kind_of(a):
            return reference(a, x)
        out = empty(shape, a.dtype)
        a, x = (v if v.size == 1 else np.ascontiguousarray(np.broadcast_to(v, shape)) for v in (a, x))
        ffi = native.ffi
        native.lib.oc_gamma_slopes(
            of, kind_of(a), out.size, pointer(ffi, a), a.size != 1, pointer(ffi, x), x.size != 1, threads_of(session),
            pointer(ffi, out),
        )  # fmt: skip
        return out

    return kernel
