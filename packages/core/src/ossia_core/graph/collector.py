"""Pausing the garbage collector while much is made at once that stays: graphs and plans."""
from __future__ import annotations

import gc


class _Paused:
    """A context in which no garbage is looked for; everything made in it would only be walked over again and again."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *exc: object) -> None:
        if self._was_on:
            gc.enable()


def paused() -> _Paused:
    """A context in which the garbage collector does not run."""
    return _Paused()
