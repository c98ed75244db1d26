"""What ops change: a kernel must leave alone what its declaration does not say that it changes.

Every kernel of a run is watched: what each of its inputs is, or leads to (an array, a variable, a queue, a table), is
compared before and after. An input that has changed though the op does not declare `updates`, `assigns`, `changes`,
`draws`, `locks` or `unlocks` of it fails the run.
"""
from __future__ import annotations

import collections
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from ossia_core.backend import NumpyBackend
from ossia_core.declare.opdef import OpDef

_DEPTH = 6
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


def changeable(definition: OpDef) -> set[str]:
    """The inputs of an op that lead to what its nodes may change."""
    facets = (
        definition.updated, definition.assigned, definition.changed, definition.drawn, definition.locked,
        definition.unlocked,
    )  # fmt: skip
    return {name for names in facets for name in names}


@contextmanager
def watched() -> Iterator[None]:
    """Kernels of sessions made inside are watched.

    Raises:
      AssertionError: at the end, if a kernel has changed an input, or what an input leads to, and its op does not say
        so.
    """
    made = NumpyBackend.kernel
    faults: dict[str, None] = {}

    def kernel(self: Any, node: Any, session: Any) -> Any:
        found = made(self, node, session)
        return found if found is None or node.definition.blocking else _watching(node.definition, found, faults)

    with mock.patch.object(NumpyBackend, "kernel", kernel):
        yield
    assert not faults, "; ".join(faults)


def _watching(definition: OpDef, kernel: Any, faults: dict[str, None]) -> Any:
    allowed = changeable(definition)
    context = getattr(kernel, "needs_context", False)

    def watching(*args: Any) -> Any:
        inputs = args[1:] if context else args
        watched = [(name, value) for name, value in zip(definition.input_names, inputs) if name not in allowed]
        before = [picture(value) for _, value in watched]
        result = kernel(*args)
        for (name, value), seen in zip(watched, before, strict=True):
            if picture(value) != seen:
                faults[f"the kernel of {definition.type} changes {name!r}, and its op does not say so"] = None
        return result

    watching.needs_context = context  # type: ignore[attr-defined]
    return watching


def picture(value: Any, depth: int = _DEPTH) -> Any:
    """What a value is made of, to be compared: arrays by their bytes, objects by their attributes."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype.hasobject else value.tobytes()
        return value.shape, value.dtype.str, repr(content) if value.dtype.hasobject else content
    if isinstance(value, _PLAIN):
        return repr(value)
    if depth == 0:
        return type(value)
    if isinstance(value, dict):
        return [(picture(key, depth - 1), picture(item, depth - 1)) for key, item in value.items()]
    if isinstance(value, (list, tuple, collections.deque)):
        return [picture(item, depth - 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    module = type(value).__module__
    if module.startswith("ossia_core.names."):  # dtypes, shapes
        return repr(value)
    if not module.startswith("ossia") or isinstance(value, type):
        return type(value)
    if callable(getattr(value, "items", None)):  # a list of tensors, however it is stored
        return picture(value.items(), depth - 1)
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names += list(getattr(value, "__dict__", ()))
    return [(name, picture(getattr(value, name, None), depth - 1)) for name in names if name != "name"]
