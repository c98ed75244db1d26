"""`tf.raw_ops`: each op type as a function of keyword arguments, made when it is first used."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ossia_core import opdef
from ossia_core.api_table import public_module

public_module("raw_ops")


def __getattr__(name: str) -> Callable[..., Any]:
    definition = None if name.startswith("_") else opdef.find(name)
    if definition is None:
        raise AttributeError(f"module 'ossia.raw_ops' has no attribute {name!r}: no installed package has this op")
    function = globals()[name] = _raw(definition)
    return function


def __dir__() -> list[str]:
    return list(opdef.known_types())


def _raw(definition: opdef.OpDef) -> Callable[..., Any]:
    signature = _signature(definition)

    def raw(*arguments: Any, name: str | None = None, **keywords: Any) -> Any:
        if arguments:
            raise TypeError(
                f"{definition.type} only takes keyword args (possible keys: {list(signature.parameters)}). "
                "Please pass these args as kwargs instead."
            )
        signature.bind(**keywords)
        return definition(name=name, **keywords)

    raw.__name__ = raw.__qualname__ = definition.type
    raw.__doc__ = f"Adds a `{definition.type}` op to the default graph; takes its inputs and attributes by keyword."
    raw.__signature__ = signature  # type: ignore[attr-defined]
    return raw


def _signature(definition: opdef.OpDef) -> inspect.Signature:
    """The parameters of the op: inputs and attributes without a default first, then the others, then `name`."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [inspect.Parameter(name, kind) for name in definition.input_names]
    optional = []
    for attr in definition.explicit_attrs:
        if attr.default is opdef.MISSING:
            required.append(inspect.Parameter(attr.name, kind))
        else:
            default = attr.default.decode() if isinstance(attr.default, bytes) else attr.default
            optional.append(inspect.Parameter(attr.name, kind, default=default))
    return inspect.Signature([*required, *optional, inspect.Parameter("name", kind, default=None)])
