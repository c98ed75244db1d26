"""`compat.compat` and `tf2`: dates up to which older programs can run a graph, and the switch to version 2."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator

_horizon = [datetime.date(2019, 8, 21)]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether programs that are as old as a date need not run the graph, so that newer ops may be in it."""
    return _horizon[-1] > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """A context manager in which `forward_compatible` compares with another date."""
    _horizon.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizon.pop()


def enabled() -> bool:
    """False: the behaviour is that of version 1."""
    return False
