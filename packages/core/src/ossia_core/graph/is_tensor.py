"""`tf.is_tensor`, and the classes that count as tensors."""
from __future__ import annotations

from typing import Any, TypeVar

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public

_Kind = TypeVar("_Kind")
_KINDS: tuple[type, ...] = (Tensor,)


def counts_as_tensor(kind: type[_Kind]) -> type[_Kind]:
    """Let instances of a class count as tensors."""
    global _KINDS
    _KINDS = (*_KINDS, kind)
    return kind


@public("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, a sparse tensor or a variable."""
    return isinstance(x, _KINDS)
