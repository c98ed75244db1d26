"""All emitters, by op type."""
from __future__ import annotations

from ossia_backend_cffi.emitters import (  # noqa: F401 - register theirs
    convolutions,
    distinct,
    elementwise,
    movement,
    normalization,
    optimizers,
    products,
    random,
    selection,
    shapes,
    special,
    tensor_arrays,
    tensor_lists,
    updates,
)

from ossia_backend_cffi.emitters import integers  # noqa: F401 isort: skip - takes over from what elementwise has registered
from ossia_backend_cffi.emitters.registry import EMITTERS

__all__ = ["EMITTERS"]
