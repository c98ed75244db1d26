"""`tf_export`: the names under which symbols of a library are public."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from ossia_tensorflow_paths.python.util.tf_decorator import unwrap

T = TypeVar("T")


class _Library(NamedTuple):
    """What a library's names start with, and the attributes that hold them, those of version 2 and of version 1."""

    packages: tuple[str, ...]
    names: str
    names_v1: str

    @property
    def constants(self) -> tuple[str, str]:
        return self.names.replace("names", "constants"), self.names_v1.replace("names", "constants")

    @property
    def attributes(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The attributes of names and of constants, in version 2 and in version 1."""
        constants, constants_v1 = self.constants
        return (self.names, constants), (self.names_v1, constants_v1)


class ExportedApiAttributes(NamedTuple):
    """The attributes that hold the public names of symbols, and those of constants."""

    names: str
    constants: str


_LIBRARIES = {
    "tensorflow": _Library((), "_tf_api_names", "_tf_api_names_v1"),
    "estimator": _Library(("estimator",), "_estimator_api_names", "_estimator_api_names_v1"),
    "keras": _Library(("keras",), "_keras_api_names", "_keras_api_names_v1"),
}

TENSORFLOW_API_NAME, ESTIMATOR_API_NAME, KERAS_API_NAME = _LIBRARIES
SUBPACKAGE_NAMESPACES = [ESTIMATOR_API_NAME]
API_ATTRS = {name: ExportedApiAttributes(*library.attributes[0]) for name, library in _LIBRARIES.items()}
API_ATTRS_V1 = {name: ExportedApiAttributes(*library.attributes[1]) for name, library in _LIBRARIES.items()}


class SymbolAlreadyExposedError(Exception):
    """A symbol has public names already."""


class InvalidSymbolNameError(Exception):
    """A name belongs to another library."""


class api_export:
    """A decorator that notes the public names of a function or class.

    Args:
        *args: The names.
        api_name: The library: `tensorflow`, `estimator` or `keras`.
        v1: The names in version 1, where they are others.
        overrides: Symbols whose names it takes; without effect.
        allow_multiple_exports: Whether the symbol may have names already.

    Raises:
        InvalidSymbolNameError: A name belongs to another library.
    """

    def __init__(
        self, *args: str, api_name: str = "tensorflow", v1: Sequence[str] | None = None, overrides: Sequence[Any] = (),
        allow_multiple_exports: bool = False,
    ) -> None:
        self._library = _LIBRARIES[api_name]
        self._names = args
        self._names_v1 = args if v1 is None else list(v1)
        self._several = allow_multiple_exports
        others = [package for library in _LIBRARIES.values() for package in library.packages]
        for name in (*args, *self._names_v1):
            start = name.partition(".")[0]
            if (start not in self._library.packages) if self._library.packages else (start in others and "." in name):
                raise InvalidSymbolNameError(f"{name} is not a name of the library {api_name}.")

    def __call__(self, func: T) -> T:
        """Notes the names.

        Raises:
            SymbolAlreadyExposedError: There are some.
        """
        _, symbol = unwrap(func)
        library = self._library
        for attribute, names in ((library.names, self._names), (library.names_v1, self._names_v1)):
            if not self._several and attribute in vars(symbol):
                known = getattr(symbol, library.names)
                raise SymbolAlreadyExposedError(f"Symbol {symbol.__name__} is already exposed as {known}.")
            setattr(symbol, attribute, names)
        return func

    def export_constant(self, module_name: str, name: str) -> None:
        """Notes the names of a constant of a module."""
        module = sys.modules[module_name]
        for attribute, names in zip(self._library.constants, (self._names, self._names_v1), strict=True):
            if not hasattr(module, attribute):
                setattr(module, attribute, [])
            getattr(module, attribute).append((names, name))


tf_export = api_export


def estimator_export(*args: str, **options: Any) -> api_export:
    """`tf_export` for estimators."""
    return api_export(*args, api_name="estimator", **options)


def keras_export(*args: str, **options: Any) -> api_export:
    """`tf_export` for Keras."""
    return api_export(*args, api_name="keras", **options)


def kwarg_only(f: T) -> T:
    """The function itself."""
    return f


def get_v1_names(symbol: Any) -> list[str]:
    """The names of a symbol in version 1."""
    return _names(symbol, "names_v1")


def get_v2_names(symbol: Any) -> list[str]:
    """The names of a symbol in version 2."""
    return _names(symbol, "names")


def _names(symbol: Any, version: str) -> list[str]:
    own = vars(symbol)
    return [
        name
        for library in ("tensorflow", "estimator", "keras")
        for name in own.get(getattr(_LIBRARIES[library], version), ())
    ]


def get_v1_constants(module: Any) -> list[Any]:
    """The constants of a module with their names in version 1."""
    return [item for library in _LIBRARIES.values() for item in getattr(module, library.constants[1], ())]


def get_v2_constants(module: Any) -> list[Any]:
    """The constants of a module with their names in version 2."""
    return [item for library in _LIBRARIES.values() for item in getattr(module, library.constants[0], ())]


def get_canonical_name(api_names: Sequence[str], deprecated_api_names: Sequence[str] | None) -> str | None:
    """The first of the names that is not deprecated, else the first one; None if there is none."""
    kept = (name for name in api_names if name not in (deprecated_api_names or ()))
    return next(kept, api_names[0] if api_names else None)


def get_canonical_name_for_symbol(
    symbol: Any, api_name: str = "tensorflow", add_prefix_to_v1_names: bool = False
) -> str | None:
    """The name under which a symbol is best known; None if it is not public.

    Args:
        symbol: A function or class, perhaps decorated.
        api_name: The library.
        add_prefix_to_v1_names: Whether names of version 1 alone begin with `compat.v1.`.
    """
    library, own = _LIBRARIES[api_name], vars(unwrap(symbol)[1])
    deprecated = own.get("_tf_deprecated_api_names")
    name = get_canonical_name(own.get(library.names, ()), deprecated)
    if name:
        return name
    name = get_canonical_name(own.get(library.names_v1, ()), deprecated)
    return f"compat.v1.{name}" if name and add_prefix_to_v1_names else name
