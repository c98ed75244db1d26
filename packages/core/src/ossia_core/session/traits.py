"""What a declaration says of how its nodes become steps: at once or late, as values of values, as one with others."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ossia_core.dtypes import DType
from ossia_core.graph.operation import Operation
from ossia_core.opdef import OpDef
from ossia_core.session.ordering import ENTER, EXIT, MERGE, NEXT, SWITCH, is_update

ALIASES = frozenset(
    ("Identity", "StopGradient", "PreventGradient", "RefIdentity", "PlaceholderWithDefault", "LoopCond", "Snapshot")
)
SHAPE_ONLY = frozenset(("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"))
_SPECIAL = ALIASES | SHAPE_ONLY | ENTER | EXIT | NEXT | MERGE | SWITCH | {"Const", "NoOp"}
_HARMLESS = frozenset(("type", "bool", "float"))
_HASHED = frozenset((bool, int, bytes))  # floats are compared as text: 0.0 is not -0.0


def is_made_late(definition: OpDef) -> bool:
    """Whether the steps of an op may be made when they are first asked for: its kernels keep nothing between runs, and
    what makes them has no attributes to refuse."""
    if definition.kernel_factory is None:
        return definition.kernel_fn is not None
    if not definition.foldable and not is_update(definition.type):
        return False
    return all(attr.kind in _HARMLESS for attr in definition.attrs.values())


def is_plain(definition: OpDef) -> bool:
    """Whether nodes of an op only compute values from values."""
    kind = definition.type
    return (
        definition.foldable
        and not definition.blocking
        and definition.resource_fn is None
        and is_made_late(definition)
        and kind not in _SPECIAL
    )


@functools.cache
def type_attrs(definition: OpDef) -> tuple[str, ...] | None:
    """The attributes that the dtypes of a node's inputs and outputs follow from; None if there are lists of dtypes."""
    kinds = {attr.kind for attr in definition.attrs.values()}
    if "list(type)" in kinds:
        return None
    return tuple(attr.name for attr in definition.attrs.values() if attr.kind == "type")


def merge_key(op: Operation, ins: list[int]) -> Any:
    """What makes two nodes compute the same; None if that cannot be said. `ins` are the slots of their inputs."""
    key: list[Any] = [op.type, *ins]
    for name, value in op.attrs.items():
        kind = type(value)
        if kind is DType:
            key += (name, value._type_enum)
        elif kind is list:
            key += (name, *map(repr, value))
        elif kind is np.ndarray:
            return None
        elif name[0] != "_":
            key += (name, value if kind in _HASHED else repr(value))
    return tuple(key)
