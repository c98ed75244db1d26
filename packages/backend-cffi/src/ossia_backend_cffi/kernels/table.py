"""Kernels of single ops in C: what they do not take, the kernels on NumPy compute."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.kernels import (  # noqa: F401 - register their makers
    arrays,
    ctc,
    examples,
    fractional_pool,
    images,
    random,
    special,
    strings,
)
from ossia_backend_cffi.kernels.registry import MAKERS
from ossia_backend_cffi.loader import native
from ossia_core.backend import Kernel, numpy_kernel


def direct_kernel(node: Any, session: Any) -> Kernel | None:
    """The kernel in C of a node, which calls the one on NumPy for what it does not take; None if there is none."""
    module, make = native(), MAKERS.get(node.type)
    if module is None or make is None:
        return None
    reference = numpy_kernel(node, session)
    if reference is None or getattr(reference, "needs_context", False):
        return None
    return make(module, node, reference, session)
