"""Compares declared ops with what TensorFlow 1.15 declares: arguments, attributes, statefulness, removal, gradient."""
from __future__ import annotations

import importlib.resources
import json
import lzma
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from ossia_testkit import op_samples

if TYPE_CHECKING:
    from ossia_core.declare.opdef import OpDef


@cache
def original_ops() -> dict[str, dict[str, Any]]:
    """What TensorFlow 1.15.5 declares about each of its ops, by type."""
    data = importlib.resources.files("ossia_testkit").joinpath("op_defs.json.xz").read_bytes()
    return json.loads(lzma.decompress(data))


def op_definition_tests(*packages: str, gradients_elsewhere: Collection[str] = ()):
    """A pytest function that compares each op of the packages with the original's definition.

    gradients_elsewhere: types whose gradient is not registered, because another mechanism makes it.
    """

    @pytest.mark.parametrize("op_type", [definition.type for definition in op_samples.package_ops(*packages)])
    def test_op_definition(op_type):
        from ossia_core.declare import opdef

        found = definition_differences(opdef.lookup(op_type), op_type not in gradients_elsewhere)
        if found:
            pytest.fail("\n".join([f"{op_type} differs from the original:", *found]), pytrace=False)

    return test_op_definition


def definition_differences(definition: OpDef, gradients: bool = True) -> list[str]:
    """Where an op differs from the original's of the same type; nothing for ops that the original lacks."""
    facts = original_ops().get(definition.type)
    if facts is None:
        return []
    found = []
    for side in ("inputs", "outputs"):
        got = [[arg.name, arg_text(arg)] for arg in getattr(definition, side)]
        expected = [[name, spec.replace("float32", "float")] for name, spec in facts[side]]
        if got != expected:
            found.append(f"{side}: got {got}, expected {expected}")
    attrs = {attr["name"]: attr for attr in facts["attrs"]}
    if list(definition.attrs) != list(attrs):
        found.append(f"attributes: got {list(definition.attrs)}, expected {list(attrs)}")
    for name, attr in definition.attrs.items():
        if name in attrs:
            found += [f"attribute {name}: {text}" for text in attr_differences(attr, attrs[name])]
    if definition.stateful != facts["stateful"]:
        found.append(f"stateful: got {definition.stateful}, expected {facts['stateful']}")
    removed = definition.deprecation[0] if definition.deprecation else None
    if removed != facts.get("deprecated_at"):
        found.append(f"removed in version {removed}, expected {facts.get('deprecated_at')}")
    state = gradient_state(definition)
    if gradients and state != facts["gradient"]:
        found.append(f"gradient: {state}, expected {facts['gradient']}")
    return found


def gradient_state(definition: OpDef) -> str:
    """`registered`, `NotDifferentiable` or `none`."""
    from ossia_core.declare import opdef

    try:
        return "NotDifferentiable" if opdef.gradient_of(definition.type) is None else "registered"
    except LookupError:
        return "none"


def arg_text(arg: Any) -> str:
    """The type of an argument in signature notation."""
    text = arg.type_list_attr or arg.type_attr or {"float32": "float", "float64": "double", "float16": "half"}.get(
        arg.type.name, arg.type.name)
    text = f"Ref({text})" if arg.is_ref else text
    return f"{arg.number_attr} * {text}" if arg.number_attr else text


def attr_differences(attr: Any, facts: dict[str, Any]) -> list[str]:
    """Where an attribute differs: type, minimum, allowed values, default."""
    from ossia_core.declare import opdef

    found = []
    if attr.kind != facts["type"]:
        found.append(f"type {attr.kind}, expected {facts['type']}")
    if attr.minimum != facts.get("minimum"):
        found.append(f"minimum {attr.minimum}, expected {facts.get('minimum')}")
    allowed = None if attr.allowed is None else sorted(map(str, map(plain, attr.allowed)))
    expected = None if "allowed" not in facts else sorted(map(short, facts["allowed"]))
    if allowed != expected:
        found.append(f"allowed {allowed}, expected {expected}")
    if (attr.default is opdef.MISSING) != ("default" not in facts):
        found.append(f"default {attr.default}, expected {facts.get('default', 'none')}")
    elif "default" in facts and plain(attr.default) != default_of(facts):
        found.append(f"default {plain(attr.default)!r}, expected {default_of(facts)!r}")
    return found


def short(name: str) -> str:
    """The dtype name of a type that the original spells as in its protos."""
    return {"float": "float32", "double": "float64", "half": "float16"}.get(name, name)


def default_of(facts: dict[str, Any]) -> Any:
    """The default of an attribute as plain data."""
    value = facts["default"]
    if facts["type"] == "type":
        return short(value)
    if facts["type"] == "list(type)":
        return [short(item) for item in value]
    return value


def plain(value: Any) -> Any:
    """An attribute's value as the data that `op_defs.json.xz` holds."""
    import numpy as np

    from ossia_core.names.dtypes import DType
    from ossia_core.names.shapes import TensorShape

    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return None if value.ndims is None else [-1 if size is None else size for size in value.as_list()]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, np.ndarray):
        name = {"float32": "float"}.get(value.dtype.name, value.dtype.name)
        return {"dtype": name, "shape": list(value.shape), "values": value.tolist()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value
