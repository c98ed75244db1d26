"""`tf.flags` and `tf.app.flags`: the flags of absl, parsed when a value is first asked for.

Everything that absl.flags has is here; `FLAGS` and the oldest `DEFINE_*` functions are as TensorFlow 1 has them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ossia_core.names import logging
from ossia_core.plugins.api_table import public_module

public_module("flags", "app.flags")

_absl_flags: ModuleType | None = None
_STANDARD = (
    "alsologtostderr log_dir logger_levels logtostderr only_check_args pdb pdb_post_mortem profile_file run_with_pdb "
    "run_with_profiling showprefixforinfo stderrthreshold use_cprofile_for_profiling v verbosity"
).split()  # what absl.logging and absl.app define
_OLD_KEYWORDS = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _absl() -> ModuleType:
    """The module absl.flags, which is imported when first needed."""
    global _absl_flags
    if _absl_flags is None:
        from absl import flags

        flags.disclaim_key_flags()  # flags belong to the modules that call the functions below
        _absl_flags = flags
    return _absl_flags


def define_standard_flags() -> None:
    """Imports the modules of absl that define the usual flags (`--verbosity`, `--alsologtostderr`, `--pdb`, ...).

    Flags of the same names that the program has defined before take their place.
    """
    if "absl.app" in sys.modules:
        return
    values = _absl().FLAGS
    own = [(values.find_module_defining_flag(name), name, values[name]) for name in _STANDARD if name in values]
    for _, name, _ in own:
        delattr(values, name)
    import absl.app  # noqa: F401

    for module, name, flag in own:
        if name in values:
            delattr(values, name)
        values[name] = flag
        values.register_flag_by_module(module, flag)


class FlagValues:
    """The values of all flags, as attributes; the first use of one parses `sys.argv`, if nothing has before."""

    def __getattr__(self, name: str) -> Any:
        values = _absl().FLAGS
        if hasattr(type(values), name) or name in values.__dict__:
            return getattr(values, name)
        if not values.is_parsed():
            define_standard_flags()
            values(sys.argv)
        return getattr(values, name)

    def _parse_flags(self, args: list[str] | None = None) -> None:
        """Parses the command line, without regard to unknown flags."""
        define_standard_flags()
        _absl().FLAGS(sys.argv if args is None else args, known_only=True)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_absl().FLAGS, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_absl().FLAGS, name)

    def __dir__(self) -> list[str]:
        return dir(_absl().FLAGS)

    def __getitem__(self, name: str) -> Any:
        return _absl().FLAGS[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        _absl().FLAGS[name] = flag

    def __contains__(self, name: object) -> bool:
        return name in _absl().FLAGS

    def __len__(self) -> int:
        return len(_absl().FLAGS)

    def __iter__(self) -> Iterator[str]:
        return iter(_absl().FLAGS)

    def __call__(self, argv: list[str], known_only: bool = False) -> list[str]:
        """Parses a command line, and returns the arguments that are no flags."""
        return _absl().FLAGS(argv, known_only=known_only)

    def __str__(self) -> str:
        return str(_absl().FLAGS)

    def __repr__(self) -> str:
        return repr(_absl().FLAGS)


FLAGS = FlagValues()


def _define(function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not _OLD_KEYWORDS.keys().isdisjoint(kwargs):
        logging.warn(
            "The flag keywords flag_name, default_value and docstring are old names of name, default and help."
        )
        kwargs = {_OLD_KEYWORDS.get(key, key): value for key, value in kwargs.items()}
    return getattr(_absl(), function)(*args, **kwargs)


def DEFINE_string(*args: Any, **kwargs: Any) -> Any:
    """Defines a flag that takes a string; the arguments are `name, default, help`."""
    return _define("DEFINE_string", args, kwargs)


def DEFINE_boolean(*args: Any, **kwargs: Any) -> Any:
    """Defines a flag that is set by `--name` and cleared by `--noname`; the arguments are `name, default, help`."""
    return _define("DEFINE_boolean", args, kwargs)


def DEFINE_bool(*args: Any, **kwargs: Any) -> Any:
    """Defines a flag that is set by `--name` and cleared by `--noname`; the arguments are `name, default, help`."""
    return _define("DEFINE_bool", args, kwargs)


def DEFINE_float(*args: Any, **kwargs: Any) -> Any:
    """Defines a flag that takes a number; the arguments are `name, default, help`, perhaps bounds."""
    return _define("DEFINE_float", args, kwargs)


def DEFINE_integer(*args: Any, **kwargs: Any) -> Any:
    """Defines a flag that takes an integer; the arguments are `name, default, help`, perhaps bounds."""
    return _define("DEFINE_integer", args, kwargs)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(_absl(), name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_absl())})
