"""The functions of the `gen_*_ops` modules: one per op type, named in lower case, with positional arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def __getattr__(name: str) -> Any:
    if name == "_op_def_lib":
        from ossia_tensorflow_paths.python.framework.op_def_registry import AllOps

        return AllOps()
    found = None if name.startswith("__") else _by_name().get(name.replace("_", ""))
    if found is None:
        raise AttributeError(f"no op type of Ossia is called {name!r}", name=name)
    function = globals()[name] = _positional(found, name)
    return function


@functools.cache
def _by_name() -> dict[str, str]:
    """Op types by their names in lower case."""
    from ossia_core.declare import opdef

    return {type_name.lower(): type_name for type_name in opdef.known_types()}


def _positional(type_name: str, name: str) -> Callable[..., Any]:
    """The raw op as a function that takes its inputs and attributes by position too."""
    from ossia import raw_ops

    raw = getattr(raw_ops, type_name)
    signature = inspect.signature(raw)

    @functools.wraps(raw)
    def generated(*arguments: Any, **keywords: Any) -> Any:
        return raw(**signature.bind(*arguments, **keywords).arguments)

    generated.__name__ = generated.__qualname__ = name
    return generated
