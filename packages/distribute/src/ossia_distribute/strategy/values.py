"""Values that each replica has of its own, and how replicas' structures are taken apart and put together."""
from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from ossia_core.graph.composites import IndexedSlices
from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_core.session.run.fetch import register_session_run_conversion_functions


@public("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How the values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


@public("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """How many input pipelines there are."""

    PER_WORKER = "PER_WORKER"


class PerReplica:
    """A value of each replica.

    Attributes:
      values: the values, by replica.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = tuple(values)

    @property
    def primary(self) -> Any:
        """The value of the first replica."""
        return self.values[0]

    def __repr__(self) -> str:
        return f"PerReplica({', '.join(map(repr, self.values))})"


register_session_run_conversion_functions(PerReplica, lambda value: (list(value.values), lambda values: values))


def selected(replica: int, structure: Any) -> Any:
    """What a replica gets of a structure."""
    return nest.map_structure(lambda v: v.values[replica] if isinstance(v, PerReplica) else v, structure)


def regrouped(values: Sequence[Any]) -> Any:
    """One structure of what the replicas give: what all have in common as it is, the rest as PerReplica."""
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, IndexedSlices):
        return PerReplica(values)
    if isinstance(first, dict):
        return type(first)((key, regrouped([value[key] for value in values])) for key in first)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*[regrouped(part) for part in zip(*values, strict=True)])
    if isinstance(first, (list, tuple)):
        return type(first)(regrouped(part) for part in zip(*values, strict=True))
    return first if all(value is first for value in values) else PerReplica(values)
