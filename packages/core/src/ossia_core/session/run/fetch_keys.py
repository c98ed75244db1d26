"""Keys of fetches: a session finds by them what it has prepared for an earlier run of the same ones."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor


def key_of(fetches: Any) -> Any:
    """A hashable key of nested fetches, by identity of their leaves."""
    kind = type(fetches)
    if kind is Tensor or kind is Operation or kind is str:
        return fetches
    if kind is list or kind is tuple:
        for item in fetches:
            if type(item) is not Tensor and type(item) is not Operation:
                return (kind, *[key_of(f) for f in fetches])
        return (kind, *fetches)
    if kind is dict:
        return (kind, tuple(fetches), *[key_of(f) for f in fetches.values()])
    if isinstance(fetches, tuple):
        return (kind, *[key_of(f) for f in fetches])
    # The object is part of the key, so that its id cannot be taken by another one.
    return _ByIdentity(fetches)


class _ByIdentity:
    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.item is other.item
