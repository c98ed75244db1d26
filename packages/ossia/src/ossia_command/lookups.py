"""What a program gets when it looks up a name of TensorFlow under `ossia run`.

The API is served as it is to Ossia's own modules. To a program, some functions are served within wrappers: those that
warn that they will go, and those whose arguments stood in another order before TensorFlow 1.0; and names that went with
1.0 are there.
"""

from __future__ import annotations

import importlib
import sys
from types import FrameType, ModuleType
from typing import Any

from ossia_command import deprecations, first_versions, old_arguments

_ROOT = "ossia"
_served: dict[tuple[str, str], tuple[Any, Any]] = {}  # module and name -> the member, and what programs get for it


def install() -> None:
    """Watches what programs look up, in this process and from now on."""
    kind: Any = type(importlib.import_module(_ROOT))
    if "__getattr__" in vars(kind) and kind.__getattr__.__module__ != __name__:
        lookup = kind.__getattr__

        def __getattr__(module: ModuleType, name: str) -> Any:
            if name.startswith("__"):
                return lookup(module, name)
            return _look_up(lookup, module, name, sys._getframe(1))

        kind.__getattr__ = __getattr__


def _look_up(lookup: Any, module: ModuleType, name: str, frame: FrameType) -> Any:
    key = (module.__name__, name)
    ours = _is_ours(frame)
    if key in _served:
        return _served[key][not ours]
    full = _public(*key)
    if not ours:
        first_versions.note(full, frame)
    try:
        member = lookup(module, name)
    except AttributeError:
        member = None if ours else first_versions.member(full)
        if member is None:
            raise
        return member
    if not ours and full.startswith("contrib."):
        deprecations.tell_of_contrib()
    served = old_arguments.accepting(full, deprecations.warning(full, member))
    if served is not member:
        delattr(module, name)  # so that the next look-up comes here too
        _served[key] = member, served
    return member if ours else served


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame is of Ossia, or of Python's import system on its way to a module."""
    root = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return root == _ROOT or root.startswith(("ossia_", "importlib"))


def _public(module: str, name: str) -> str:
    """The name below `tf`."""
    inner = module.partition(".")[2].removeprefix("compat.v1").strip(".")
    return f"{inner}.{name}".lstrip(".")
