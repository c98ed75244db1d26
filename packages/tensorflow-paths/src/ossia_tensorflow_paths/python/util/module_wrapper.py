"""`module_wrapper`: modules that stand for others, load members when they are asked for, and say what is deprecated."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from ossia import logging
from ossia_tensorflow_paths.python.util.tf_decorator import unwrap

symbol_renames: dict[str, str] = {}
"""Deprecated public names, `tf.a.b`, and the names to use instead. Ossia itself serves all names without a word."""

_OWN = ("_tfmw_", "__class__", "__reduce", "__getstate__", "__setstate__", "__dir__", "__repr__")


def get_rename_v2(name: str) -> str | None:
    """The name to use instead of a deprecated one; None if it is not deprecated."""
    return symbol_renames.get(name)


def contains_deprecation_decorator(decorators: Sequence[Any]) -> bool:
    """Whether one of the decorators says that something is deprecated."""
    return any(decorator.decorator_name == "deprecated" for decorator in decorators)


def has_deprecation_decorator(symbol: Any) -> bool:
    """Whether a function, or the constructor of a class, says itself that it is deprecated."""
    decorators, symbol = unwrap(symbol)
    if contains_deprecation_decorator(decorators):
        return True
    made = getattr(symbol, "__init__", None) if isinstance(symbol, type) else None
    return made is not None and contains_deprecation_decorator(unwrap(made)[0])


def _call_location() -> str:
    """File and line of the caller of who asks."""
    frame = sys._getframe(2)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


class TFModuleWrapper(ModuleType):
    """A module that stands for another one.

    Args:
        wrapped: The module.
        module_name: Its public name below `tf`; empty for `tf` itself.
        public_apis: Members that are loaded when they are asked for: name -> module, and the name there; the module is
            empty for a member that is a module.
        deprecation: Whether the first use of a deprecated name is logged.
        has_lite: Without effect.
    """

    def __init__(
        self, wrapped: Any, module_name: str, public_apis: Mapping[str, tuple[str, str]] | None = None,
        deprecation: bool = True, has_lite: bool = False,
    ) -> None:
        super().__init__(wrapped.__name__)
        inner = self.__dict__
        inner.update(vars(wrapped))
        inner.update(
            _tfmw_wrapped_module=wrapped, _tfmw_module_name=module_name, _tfmw_public_apis=public_apis,
            _tfmw_print_deprecation_warnings=deprecation, _tfmw_has_lite=has_lite, _tfmw_checked=set(),
        )
        if "__all__" not in inner:
            listed = [name for name in vars(wrapped) if not name.startswith("_")] + list(public_apis or ())
            inner["__all__"] = listed

    def __getattribute__(self, name: str) -> Any:
        own = super().__getattribute__
        if name.startswith(_OWN) or name == "__dict__" or name.startswith("__"):
            return own(name)
        value = self._tfmw_member(name)
        if self._tfmw_print_deprecation_warnings and name not in self._tfmw_checked:
            self._tfmw_checked.add(name)
            place = f"tf.{self._tfmw_module_name}.{name}" if self._tfmw_module_name else f"tf.{name}"
            instead = get_rename_v2(place)
            if instead and not has_deprecation_decorator(value):
                # Tests replace what the private module has.
                log = sys.modules.get("tensorflow.python.platform.tf_logging", logging)
                log.warning("From %s: The name %s is deprecated. Please use %s instead.\n", _call_location(), place,
                            instead)
        return value

    def _tfmw_member(self, name: str) -> Any:
        wrapped, apis = self._tfmw_wrapped_module, self._tfmw_public_apis
        if apis and name in apis and name not in vars(wrapped):
            module, member = apis[name]
            setattr(self, name, getattr(importlib.import_module(module), member) if module
                    else importlib.import_module(member))
        return getattr(wrapped, name)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        setattr(self._tfmw_wrapped_module, name, value)
        if name not in self.__all__ and not name.startswith("_"):
            self.__all__.append(name)

    def __delattr__(self, name: str) -> None:
        self.__dict__.pop(name, None)
        delattr(self._tfmw_wrapped_module, name)

    def __dir__(self) -> list[str]:
        return sorted({*dir(self._tfmw_wrapped_module), *(self._tfmw_public_apis or ())})

    def __repr__(self) -> str:
        return repr(self._tfmw_wrapped_module)

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (self._tfmw_wrapped_module.__name__,)
