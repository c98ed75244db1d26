"""Watches a backend at work: its kernels and programs may not change their inputs, nor return one unasked."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np


def find_backend(name: str) -> Any:
    """The installed backend of this name."""
    from ossia_core import backend as backends

    with chosen(None):
        return next(found for found in backends.installed_backends() if found.name == name)


@contextlib.contextmanager
def chosen(name: str | None) -> Iterator[None]:
    """Sessions made inside run on this backend; on all of them for None."""
    import os

    before = os.environ.pop("OSSIA_BACKEND", None)
    if name is not None:
        os.environ["OSSIA_BACKEND"] = name
    try:
        yield
    finally:
        os.environ.pop("OSSIA_BACKEND", None)
        if before is not None:
            os.environ["OSSIA_BACKEND"] = before


@contextlib.contextmanager
def watched(name: str) -> Iterator[list[str]]:
    """Kernels and programs that a backend makes inside are checked at each call; gives what was found wrong."""
    backend, wrong = find_backend(name), []  # type: Any, list[str]
    kernel, compile = backend.kernel, backend.compile

    def watched_kernel(node: Any, session: Any) -> Any:
        made = kernel(node, session)
        return made and _checked_kernel(made, node, wrong)

    def watched_compile(region: Any, input_shapes: Any) -> Any:
        made = compile(region, input_shapes)
        return made and _CheckedProgram(made, region, wrong)

    backend.kernel, backend.compile = watched_kernel, watched_compile
    try:
        yield wrong
    finally:
        del backend.kernel, backend.compile


def _checked_kernel(kernel: Callable, node: Any, wrong: list[str]) -> Callable:
    definition = node.definition
    if definition.stateful or any(t.dtype != t.dtype.base_dtype or t.dtype.name in ("resource", "variant")
                                  for t in (*node.inputs, *node.outputs)):
        return kernel  # it works on what it is given
    first = 1 if getattr(kernel, "needs_context", False) else 0

    @functools.wraps(kernel)
    def checked(*arguments: Any) -> Any:
        result, problems = _called(functools.partial(kernel, *arguments), arguments[first:])
        outputs = result if isinstance(result, (tuple, list)) else [result]
        if len(node.outputs) == len(outputs):
            problems += _wrong_outputs(outputs, node.outputs, () if definition.aliases else arguments[first:])
        wrong.extend(f"the kernel of {node.type} {problem}" for problem in problems)
        return result

    if first:
        checked.needs_context = True  # type: ignore[attr-defined]
    return checked


class _CheckedProgram:
    """A program of a region, checked at each call."""

    def __init__(self, program: Any, region: Any, wrong: list[str]) -> None:
        self._program, self._region, self._wrong = program, region, wrong

    def __getattr__(self, name: str) -> Any:
        return getattr(self._program, name)

    def __call__(self, context: Any, inputs: list[Any]) -> Any:
        region = self._region
        result, problems = _called(lambda: self._program(context, inputs), inputs)
        for slot, value in zip(region.outputs, result, strict=True):
            if slot in region.tensors:  # else it is a variable that is passed on
                problems += _wrong_outputs([value], [region.tensors[slot]], () if region.shares(slot) else inputs)
        types = ", ".join(dict.fromkeys(work.node.type for work in region.nodes))
        self._wrong.extend(f"the program of {types} {problem}" for problem in problems)
        return result


def _called(call: Callable[[], Any], inputs: Sequence[Any]) -> tuple[Any, list[str]]:
    arrays = [a for a in inputs if isinstance(a, np.ndarray) and a.dtype != object]
    before = [a.tobytes() for a in arrays]
    result = call()
    changed = any(a.tobytes() != data for a, data in zip(arrays, before, strict=True))
    return result, ["changes an input"] if changed else []


def _wrong_outputs(outputs: Sequence[Any], tensors: Sequence[Any], inputs: Sequence[Any]) -> list[str]:
    found = []
    for value, tensor in zip(outputs, tensors, strict=True):
        if not isinstance(value, (np.ndarray, np.generic)) or value.dtype == object:
            continue
        expected = np.dtype(tensor.dtype.base_dtype.as_numpy_dtype)
        if value.dtype != (expected[0] if expected.names else expected):
            found.append(f"returns {value.dtype} for {expected}")
        arrays = [a for a in inputs if isinstance(a, np.ndarray) and np.may_share_memory(value, a)]
        if any(np.shares_memory(value, a) for a in arrays):
            found.append("returns an input")
    return found
