"""Conditionals as functions: what a branch does is done in that branch alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.scopes import control_dependencies
from ossia_core.names.switches import control_flow_v2_enabled, disable_control_flow_v2, enable_control_flow_v2
from ossia_core.primitives.identity import identity


def one_of(predicate: Any, then: Callable[[], Any], otherwise: Callable[[], Any], name: str = "cond") -> Any:
    """An operation that runs one of two, each made by a function.

    Args:
        predicate: A variable or tensor.
        then, otherwise: Make an operation.
        name: Name of the conditional.
    """

    def after(made: Callable[[], Any]) -> Callable[[], Any]:
        def branch() -> Any:
            with control_dependencies([made()]):
                return identity(predicate)

        return branch

    return values_of_one(predicate, after(then), after(otherwise), name).op


def values_of_one(predicate: Any, then: Callable[[], Any], otherwise: Callable[[], Any], name: str = "cond") -> Any:
    """The tensors of one of two functions."""
    with _functional():
        return cond(predicate, then, otherwise, strict=False, name=name)


@contextmanager
def _functional() -> Iterator[None]:
    before = control_flow_v2_enabled()
    enable_control_flow_v2()
    try:
        yield
    finally:
        if not before:
            disable_control_flow_v2()
