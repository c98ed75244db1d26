"""Values made of several tensors, such as sparse tensors: what `nest`, `Session.run` and control flow ask of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


class CompositeTensor(ABC):
    """Base class of values that stand for one tensor but consist of several.

    Example:
        class Pair(CompositeTensor):
            def __init__(self, first, second):
                self.first, self.second = first, second

            def components(self):
                return self.first, self.second

            def with_components(self, components):
                return Pair(*components)
    """

    __slots__ = ()

    @abstractmethod
    def components(self) -> Sequence[Any]:
        """Returns the tensors that the value consists of, always in the same order, without absent ones."""

    @abstractmethod
    def with_components(self, components: Sequence[Any]) -> CompositeTensor:
        """Returns a value of the same kind made of other tensors, which stand as `components` returns them."""

    @property
    def _is_graph_tensor(self) -> bool:
        return True

    def loop_invariants(self, shape: Any = None) -> list[Any] | None:
        """What shapes its tensors may have in a loop of which the value is a variable: those that fit `shape`, which
        `shape_invariants` gives, or what may change by default. None if they keep their shapes."""
        return None

    def is_same_kind(self, other: CompositeTensor) -> bool:
        """Whether the two values may take each other's place; those of one class with equally many components may."""
        return type(self) is type(other) and len(self.components()) == len(other.components())
