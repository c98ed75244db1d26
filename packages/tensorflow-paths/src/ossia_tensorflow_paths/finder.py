"""Serves Ossia under the name `tensorflow`, with the private paths that TensorFlow 1 programs commonly import from.

`tensorflow.X` is `ossia.X`. A module below `tensorflow.python` or `tensorflow.core` has no counterpart; what programs
take from it is nearly always public under another name, so it is served as a module that looks its members up in one or
more modules of the API.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ossia_tensorflow_paths import renamed, table

_ESTIMATORS = "tensorflow_estimator"


class PrivateModule(ModuleType):
    """A private module of the original: its members are looked up in other modules.

    A function that a program puts in the place of a member, as tests do with mocks, takes its place in all of Ossia, as
    far as it is loaded: in the original, other modules call the member of this one.
    """

    _sources: tuple[str, ...]
    _displaced: dict[str, tuple[Any, Any, list[tuple[int, str]]]]
    _shared: dict[str, Any]

    def __init__(self, name: str, sources: tuple[str, ...]) -> None:
        super().__init__(name)
        self.__dict__.update(_sources=sources, _displaced={}, _shared={})

    def __setattr__(self, name: str, value: object) -> None:
        inner = f"{self.__name__.partition('.')[2]}.{name}"
        if inner in table.SETTERS:
            module, _, function = table.SETTERS[inner].partition(":")
            getattr(importlib.import_module(module), function)(value)
        elif inner in table.SHARED:
            self._shared.setdefault(name, getattr(self, name))
            _set_shared(inner, value)
        else:
            self._put_back(name)
            member = getattr(self, name, None)
            if isinstance(member, FunctionType) and callable(value) and member is not value:
                self._displaced[name] = member, value, [(id(names), key) for names, key in _holders(value)]
                for names, key in list(_holders(member)):
                    names[key] = value
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if name in self._shared:
            _set_shared(f"{self.__name__.partition('.')[2]}.{name}", self._shared.pop(name))
        else:
            super().__delattr__(name)
            self._put_back(name)

    def _put_back(self, name: str) -> None:
        if name in self._displaced:
            member, value, before = self._displaced.pop(name)
            for names, key in list(_holders(value)):  # some have looked it up since
                if (id(names), key) not in before:
                    names[key] = member

    def __getattr__(self, name: str) -> object:
        inner = f"{self.__name__.partition('.')[2]}.{name}"
        if table.is_module(inner) or table.is_package(inner):
            return importlib.import_module(f"{self.__name__}.{name}")
        if inner in table.SHARED:
            module, _, member = table.SHARED[inner].partition(":")
            return getattr(importlib.import_module(module), member)
        public = renamed.public_name(inner)
        if public is not None:
            module, _, member = f"ossia.{public}".rpartition(".")
            return getattr(importlib.import_module(module), member)
        reason: Exception | None = None
        for source in () if name.startswith("__") else self._sources:
            try:
                return getattr(importlib.import_module(source), name)
            except (AttributeError, ModuleNotFoundError) as error:
                reason = reason or error
        missing = isinstance(reason, ModuleNotFoundError) and (reason.name or "").startswith("ossia_tensorflow_tests")
        hint = "; `pip install ossia-tensorflow-tests` adds what unit tests take" if missing else ""
        raise AttributeError(
            f"module {self.__name__!r} has no attribute {name!r} in Ossia{hint}", name=name, obj=self
        ) from reason


def _set_shared(inner: str, value: object) -> None:
    module, _, member = table.SHARED[inner].partition(":")
    setattr(importlib.import_module(module), member, value)


def _holders(member: object) -> Iterator[tuple[dict[str, Any], str]]:
    """The modules of Ossia that hold an object, as their names, and under which name."""
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and module.__name__.partition(".")[0].startswith("ossia_"):
            yield from ((vars(module), key) for key, value in list(vars(module).items()) if value is member)


class TensorflowFinder:
    """Finds `tensorflow` and everything below it, and `tensorflow_estimator`, which has a part of it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of `tensorflow` or a module below it; None for anything else.

        Raises:
            ModuleNotFoundError: There is no such module, and the message can say more than that.
        """
        root, _, inner = fullname.partition(".")
        if root == _ESTIMATORS:
            return ModuleSpec(fullname, self, is_package=True) if _of_estimators(inner) else None  # type: ignore[arg-type]
        if root != "tensorflow":
            return None
        stem, _, name = inner.rpartition(".")
        if name == "__main__":
            is_tool = stem.startswith("python.tools.") and _private(stem)
            return ModuleSpec(fullname, self, origin=stem) if is_tool else None  # type: ignore[arg-type]
        if _private(inner) or not inner or _public(inner):
            return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]
        return None

    def get_code(self, fullname: str) -> CodeType:
        """What `python -m` runs for a private tool."""
        tool = fullname.split(".")[-2]
        text = f"from ossia_tensorflow_paths.python.tools.commands import run\nrun({tool!r})"
        return compile(text, f"<{fullname}>", "exec")

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """A module for a private path; None, the default, for a public one."""
        root, _, inner = spec.name.partition(".")
        private = root != _ESTIMATORS and _private(inner)
        return PrivateModule(spec.name, table.sources(inner)) if private else None

    def exec_module(self, module: ModuleType) -> None:
        """Puts the public module of Ossia in the place of the new one."""
        root, dot, inner = module.__name__.partition(".")
        if root == _ESTIMATORS:
            if inner:
                sys.modules[module.__name__] = importlib.import_module(f"tensorflow.{inner}")
        elif not isinstance(module, PrivateModule):
            sys.modules[module.__name__] = importlib.import_module(f"ossia{dot}{inner}")


def install() -> None:
    """Makes `import tensorflow` give Ossia in this process, also where TensorFlow is installed."""
    if not any(isinstance(finder, TensorflowFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TensorflowFinder())


class _Installation:
    """A value that installs the aliases where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return install, ()


def install_in_children() -> None:
    """Makes processes that `multiprocessing` starts afresh find Ossia too, before they import the main program."""
    from multiprocessing import spawn

    prepare = spawn.get_preparation_data

    def prepared(name: str) -> dict[str, Any]:
        return {"ossia": _Installation(), **prepare(name)}

    spawn.get_preparation_data = prepared


def _of_estimators(inner: str) -> bool:
    """Whether `tensorflow_estimator.<inner>` is a module: it has the API, and the private modules, of estimators."""
    if inner in ("", "python", "contrib"):
        return True
    if inner.partition(".")[0] == "estimator":
        return _public(inner)
    if inner == "contrib.estimator":
        return _public(inner)
    return inner.startswith(("python.estimator", "contrib.estimator.python")) and _private(inner)


def _public(inner: str) -> bool:
    """Whether `ossia.<inner>` is a module."""
    try:
        return importlib.util.find_spec(f"ossia.{inner}") is not None
    except ModuleNotFoundError as error:
        _, colon, reason = str(error).partition(": ")
        if colon:  # it says what to install, or what to use
            name = f"tensorflow.{inner}"
            raise ModuleNotFoundError(f"No module named {name!r}: {reason}", name=name) from None
        return False  # nor is there what it would be in


def _private(inner: str) -> bool:
    """Whether `tensorflow.<inner>` is a private module, or a package of private modules."""
    return table.is_module(inner) or table.is_package(inner)
