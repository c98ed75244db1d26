"""Regions with nodes that cannot be compiled."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ossia_backend_cffi.emitters.tensor_lists import is_of_handles

if TYPE_CHECKING:
    from ossia_core.backend import Region

_PATIENCE = 3               # nodes of a type that may be declined one by one


class Parts:
    """A region cut around nodes that are not compiled: these run on NumPy, the rest in regions of their own."""

    def __init__(self, region: Region, apart: set[int]) -> None:
        self.region = region.around(apart)
        self.arena_bytes = 0  # the parts count their own

    def run(self, inputs: Sequence[Any], context: Any) -> list[Any]:
        """The region's outputs."""
        return self.region.interpret(inputs, context)


class Cut(Parts):
    """A region cut around nodes that cannot be compiled for the shapes at hand."""

    def __init__(self, region: Region, node: int) -> None:
        declined = {node}
        op = region.nodes[node].op
        types = region.notes.setdefault("declined", {})
        kind = op.type if op is not None else ""
        types[kind] = types.get(kind, 0) + 1
        handles = region.nodes[node].loop is not None or (op is not None and is_of_handles(op))
        for i, other in enumerate(region.nodes):
            if other.op is not None and (
                # What is declined again and again is not tried again; a handle that leaves a program is none.
                (other.op.type == kind and other.loop is None and types[kind] >= _PATIENCE)
                or (handles and (other.loop is not None or is_of_handles(other.op)))
            ):
                declined.add(i)
        super().__init__(region, declined)
