"""Operators of tensors: `a + b`, `-a`, `a[1:]` and the like, resolved to the op library when first used."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.tensor import Tensor

_IDENTITY_COMPARED = frozenset(("__eq__", "__ne__"))


def _lazy(operator: str) -> Callable:
    def call(*args: Any, **kwargs: Any) -> Any:
        _install()
        return getattr(Tensor, operator)(*args, **kwargs)
    call.__name__ = operator
    return call


def _install() -> None:
    from ossia_core.plugins.manager import api_table, load
    target = api_table().get("_operators")
    if target is None:
        raise NotImplementedError("Operators of tensors need the op library: pip install ossia-ops")
    for operator, fn in load(target).items():
        Tensor._override_operator(operator, fn)


for _operator in Tensor.OVERLOADABLE_OPERATORS - _IDENTITY_COMPARED:
    setattr(Tensor, _operator, _lazy(_operator))
