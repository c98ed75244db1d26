"""`tf.raw_ops`: each op type as a function of keyword arguments, made when it is first used."""

from __future__ import annotations

import inspect
import typing  # by its own name: `Any` is an op type
from collections.abc import Callable

from ossia_core.declare import opdef
from ossia_core.plugins.api_table import public_module

public_module("raw_ops")

# Arguments that the original's functions name otherwise than its op definitions.
_ARGUMENTS = {
    **dict.fromkeys(
        ("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"), {"axis": "reduction_indices"}
    ),
    "ExpandDims": {"axis": "dim"},
    "Select": {"x": "t", "y": "e"},
    "Split": {"axis": "split_dim"},
    "SplitV": {"axis": "split_dim"},
    "Squeeze": {"axis": "squeeze_dims"},
    "Where": {"condition": "input"},
}

# Attributes whose defaults in the original's functions are others than in its op definitions.
_DEFAULTS = {"SdcaOptimizer": {"adaptative": True}, "SdcaOptimizerV2": {"adaptive": True}}


def __getattr__(name: str) -> Callable[..., typing.Any]:
    definition = None if name.startswith("_") else opdef.find(name)
    if definition is None:
        from ossia_core.plugins import known

        install = known.to_install(known.owners("ossia_ops").get(name))
        raise AttributeError(
            f"module 'ossia.raw_ops' has no attribute {name!r}: no installed package has this op{install}"
        )
    function = globals()[name] = _raw(definition)
    return function


def __dir__() -> list[str]:
    return list(opdef.known_types())


def _raw(definition: opdef.OpDef) -> Callable[..., typing.Any]:
    renamed = _ARGUMENTS.get(definition.type, {})
    signature = _signature(definition, {ours: theirs for theirs, ours in renamed.items()})

    def raw(*arguments: typing.Any, name: str | None = None, **keywords: typing.Any) -> typing.Any:
        if arguments:
            raise TypeError(
                f"{definition.type} only takes keyword args (possible keys: {list(signature.parameters)}). "
                "Please pass these args as kwargs instead."
            )
        signature.bind(**keywords)
        keywords = {**_DEFAULTS.get(definition.type, {}), **keywords}
        if renamed:
            keywords = {renamed.get(key, key): value for key, value in keywords.items()}
        return definition(name=name, **keywords)

    raw.__name__ = raw.__qualname__ = definition.type
    raw.__doc__ = f"Adds a `{definition.type}` op to the default graph; takes its inputs and attributes by keyword."
    raw.__signature__ = signature  # type: ignore[attr-defined]
    return raw


def _signature(definition: opdef.OpDef, names: dict[str, str]) -> inspect.Signature:
    """The parameters of the op: inputs and attributes without a default first, then the others, then `name`.

    names: parameters that are not called as in the op's definition, by what they are called there.
    """
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [inspect.Parameter(names.get(name, name), kind) for name in definition.input_names]
    optional = []
    for attr in definition.explicit_attrs:
        parameter = names.get(attr.name, attr.name)
        if attr.default is opdef.MISSING:
            required.append(inspect.Parameter(parameter, kind))
        else:
            default = _DEFAULTS.get(definition.type, {}).get(attr.name, attr.default)
            default = default.decode() if isinstance(default, bytes) else default
            optional.append(inspect.Parameter(parameter, kind, default=default))
    return inspect.Signature([*required, *optional, inspect.Parameter("name", kind, default=None)])
