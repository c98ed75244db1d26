"""What a shape rule asks of the values of its inputs: the text of its refusal names them, as the original's does."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any


class Watch:
    """The values and shapes that a rule asks its inputs for, in one call of it.

    Attributes:
      hides: whether the rule is to find nothing known.
      without_shape: whether an input was found to hold no shape, as -2 is no size; the original says that without
        naming the node that it goes into.
    """

    def __init__(self, hides: bool) -> None:
        self.hides = hides
        self.without_shape = False
        self._values: dict[int, Any] = {}
        self._shapes: dict[int, Any] = {}

    def value(self, tensor: Any, found: Any) -> Any:
        """Note what was found for the value of a tensor, and return it."""
        self._values[id(tensor)] = found
        return found

    def shape(self, tensor: Any, found: Any) -> Any:
        """Note the shape that a tensor was found to hold, and return it."""
        self._shapes[id(tensor)] = found
        return found

    def known(self, inputs: Any) -> tuple[list[tuple[int, Any]], list[tuple[int, Any]]]:
        """The inputs, by number, whose values were asked for and known, and those that were asked for as shapes."""
        values = [(i, self._values.get(id(t))) for i, t in enumerate(inputs) if id(t) not in self._shapes]
        shapes = [(i, self._shapes[id(t)]) for i, t in enumerate(inputs) if id(t) in self._shapes]
        return [item for item in values if item[1] is not None], shapes


WATCHES: dict[int, Watch] = {}  # by thread; empty but while a refusal is put into words


def current() -> Watch | None:
    """The watch over the rule that runs in this thread."""
    return WATCHES.get(get_ident())


@contextmanager
def watching(hides: bool = False) -> Iterator[Watch]:
    """Watch what the shape rule called in the block asks for."""
    watch = WATCHES[get_ident()] = Watch(hides)
    try:
        yield watch
    finally:
        del WATCHES[get_ident()]
