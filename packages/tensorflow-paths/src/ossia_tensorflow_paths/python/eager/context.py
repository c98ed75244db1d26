"""`eager.context`, seen from a program that builds graphs."""

from __future__ import annotations

import contextlib
from typing import Any


def executing_eagerly() -> bool:
    """False: programs build graphs."""
    return False


def graph_mode() -> contextlib.AbstractContextManager[None]:
    """A context manager without effect: the mode is this one already."""
    return contextlib.nullcontext()


def eager_mode() -> contextlib.AbstractContextManager[None]:
    """Refused.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("Ossia builds graphs and runs them; it does not execute ops eagerly.")


def num_gpus() -> int:
    """The number of GPUs: none."""
    return 0


def context() -> Any:
    """What stands for the state of eager execution: a value with this module's functions."""
    import sys

    return sys.modules[__name__]
