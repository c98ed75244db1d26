"""Calls without NumPy's warnings: in the original, infinities and NaN are values like others."""
from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

import numpy as np

_IGNORED: Any = {"divide": "ignore", "over": "ignore", "under": "ignore", "invalid": "ignore"}
_idle: list[contextvars.Context] = []  # in which NumPy ignores errors; each is entered by one call at a time


def quietly(function: Callable, *args: Any) -> Any:
    """Call `function`, which sees the caller's context variables, without warnings."""
    with np.errstate(**_IGNORED):
        return function(*args)


def quietly_apart(function: Callable, *args: Any) -> Any:
    """Call `function` without warnings, and without the caller's context variables; several times faster."""
    try:
        context = _idle.pop()
    except IndexError:
        context = contextvars.Context()
        context.run(np.seterr, **_IGNORED)
    try:
        return context.run(function, *args)
    finally:
        _idle.append(context)


if int(np.__version__.split(".")[0]) < 2:  # there the error state is the thread's, not the context's
    quietly_apart = quietly
