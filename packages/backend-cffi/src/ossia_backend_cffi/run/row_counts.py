"""Regions into which rows come whose number follows from data: distinct ids of a batch, entries of a sparse tensor."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_backend_cffi.compile.shape_values import follows_from_shapes
from ossia_backend_cffi.emitters.registry import PADDED

if TYPE_CHECKING:
    from ossia_core.backend import Region

# What NumPy, or a kernel in C, does about as fast by itself.
_LIGHT = frozenset(
    (
        *("Unique", "UnsortedSegmentSum", "ResourceGather", "Gather", "GatherV2", "Reshape", "ExpandDims", "Squeeze"),
        *("Identity", "Cast", "Mul", "RealDiv", "Neg", "Square", "ConcatV2", "StridedSlice"),
    )
)


def nodes_of_rows(region: Region, keys: Sequence[Any]) -> set[int]:
    """The positions of the nodes whose shapes, or values known by shapes, differ with the keys that a region was called
    with; none where these are most of it, or may take long by themselves."""
    varying = {slot for i, slot in enumerate(region.inputs) if _differs([key[i] for key in keys])}
    found: set[int] = set()
    for i, node in enumerate(region.nodes):
        if varying.isdisjoint(node.ins):
            continue
        op = node.op
        if op is None or node.guard or node.choices or node.loop is not None:
            return set()
        by_shapes = follows_from_shapes(op)
        if not by_shapes and op.type not in _LIGHT and op.type not in PADDED:
            return set()
        found.add(i)
        for slot, tensor in zip(node.outs, op.outputs, strict=True):
            if by_shapes or not tensor.shape.is_fully_defined():
                varying.add(slot)
    return found if 2 * len(found) <= len(region.nodes) else set()


def _differs(parts: Sequence[Hashable]) -> bool:
    return any(part != parts[0] for part in parts)
