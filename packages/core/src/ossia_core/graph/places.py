"""Where a program asked for the devices and colocations of a node."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ossia_core.graph.operation import Frames


class Place(NamedTuple):
    """What was asked for, as text (None for colocations), and the line of the program that did."""

    obj: str | None
    filename: str | None
    lineno: int | None


class DeviceScope:
    """One `device` block.

    Attributes:
      choose: gives the device of a node; None clears the devices around the block.
      asked: the argument of `device`.
      frames: the frame of the program that entered it.
    """

    __slots__ = ("choose", "asked", "frames")

    def __init__(self, choose: Any, asked: Any, frames: Frames) -> None:
        self.choose, self.asked, self.frames = choose, asked, frames


def device_places(scopes: Iterable[DeviceScope]) -> list[Place]:
    """What `device` blocks asked for, and where."""
    return [_place(_text(scope.asked), scope.frames) for scope in scopes]


def colocation_places(frames: dict[str, Frames]) -> dict[str, Place]:
    """Where a program asked for colocation with the nodes of these names."""
    return {name: _place(None, own) for name, own in frames.items()}


def _place(text: str | None, frames: Frames) -> Place:
    from ossia_core.graph.operation import line_of

    if not frames:
        return Place(text, None, None)
    code, instruction = frames[0]
    return Place(text, code.co_filename, line_of(code, instruction))


def _text(asked: Any) -> str:
    if not callable(asked) or hasattr(asked, "to_string"):
        return str(asked)
    name = getattr(asked, "__name__", None) or str(type(asked))
    code = getattr(asked, "__code__", None) or getattr(type(asked).__call__, "__code__", None)
    return f"{name}<{code.co_filename}, {code.co_firstlineno}>" if code else f"{name}<unknown, -1>"
