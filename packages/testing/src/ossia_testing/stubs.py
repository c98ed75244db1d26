"""Replacing attributes for the time of a test."""

from __future__ import annotations

import inspect
from typing import Any

from ossia_core.plugins.api_table import public


@public("test.StubOutForTesting")
class StubOutForTesting:
    """Replaces attributes of modules, classes and objects, and puts the old values back.

    Example:
        stubs = StubOutForTesting()
        stubs.SmartSet(os.path, "exists", lambda path: True)
        ...
        stubs.CleanUp()
    """

    def __init__(self) -> None:
        self._saved: list[tuple[Any, str, Any]] = []
        self._smartly_saved: list[tuple[Any, str, Any]] = []

    def __del__(self) -> None:
        self.CleanUp()

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Puts all old values back."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replaces an attribute where it is defined: on the object itself or on the class that it comes from.

        Raises:
            AttributeError: if there is no such attribute.
        """
        owner = obj
        if not inspect.ismodule(obj) and attr_name not in vars(obj):
            classes = inspect.getmro(obj if inspect.isclass(obj) else type(obj))
            owner = next((cls for cls in classes if attr_name in vars(cls)), None)
            if owner is None:
                raise AttributeError(f"{obj!r} has no attribute {attr_name!r}")
        old = vars(owner)[attr_name] if not inspect.ismodule(owner) else getattr(owner, attr_name)
        self._smartly_saved.append((owner, attr_name, old))
        setattr(owner, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:
        """Puts back what `SmartSet` replaced."""
        _restore(self._smartly_saved)

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replaces an attribute of an object.

        Raises:
            AttributeError: if there is no such attribute.
        """
        old = getattr(parent, child_name)
        raw = vars(parent).get(child_name) if hasattr(parent, "__dict__") else None
        self._saved.append((parent, child_name, raw if isinstance(raw, (staticmethod, classmethod)) else old))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:
        """Puts back what `Set` replaced."""
        _restore(self._saved)


def _restore(saved: list[tuple[Any, str, Any]]) -> None:
    while saved:
        owner, name, value = saved.pop()
        setattr(owner, name, value)
