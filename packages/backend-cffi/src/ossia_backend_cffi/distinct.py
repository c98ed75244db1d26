"""Distinct indices of sparse gradients. How many there are differs from run to run; a program has as many places as
there are indices, and passes over the rows that belong to none."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.emitters import emits
from ossia_backend_cffi.program import Declined

_SCATTERS = frozenset(("ScatterAdd", "ResourceScatterAdd", "ScatterSub", "ResourceScatterSub"))
_BY_ROW = frozenset(("Mul", "RealDiv", "Neg", "Square", "Identity"))
_INDICES, _SHAPE, _NUMBER, _ROWS = range(4)  # what a value that depends on the number of distinct indices is


def _is_update(node: Any) -> bool:
    return node.type in _SCATTERS or "SparseApply" in node.type


def _places(node: Any) -> tuple[int, int]:
    """Positions of the indices and of the rows among the inputs of an update."""
    indices = next(i for i, arg in enumerate(node.definition.inputs) if arg.name == "indices")
    return indices, indices + 1 if node.type in _SCATTERS else indices - 1


def may_be_padded(node: Any) -> bool:
    """Whether the distinct values that a `Unique` node finds look like those of a sparse gradient."""
    readers = node.outputs[0].consumers()
    return (
        node.outputs[0].dtype.is_integer
        and any(reader.type == "Shape" for reader in readers)
        and all(reader.type == "Shape" or _is_update(reader) for reader in readers)
    )


def _only_rows_are_read(region: Any, distinct: int) -> bool:
    """Whether what depends on the number of distinct indices only ever meets them again in updates of rows."""
    readers: dict[int, list[tuple[Any, int]]] = {}
    for node in region.nodes:
        for place, slot in enumerate(node.ins):
            readers.setdefault(slot, []).append((node, place))
    outputs = set(region.outputs)
    by_indices: set[int] = set()  # updates, by what of theirs was met
    by_rows: set[int] = set()
    pending = [(distinct, _INDICES)]
    while pending:
        slot, role = pending.pop()
        if slot in outputs:
            return False
        for node, place in readers.get(slot, ()):
            op = node.op
            if op is None or node.guard or node.choices or node.loop is not None:
                return False
            if role in (_INDICES, _ROWS) and _is_update(op):
                indices, rows = _places(op)
                if place != (indices if role == _INDICES else rows) or node.ins[indices] != distinct:
                    return False
                (by_indices if role == _INDICES else by_rows).add(id(node))
            elif role == _INDICES and op.type == "Shape":
                pending.append((node.outs[0], _SHAPE))
            elif role == _SHAPE and op.type == "StridedSlice" and not place:
                pending.append((node.outs[0], _NUMBER))
            elif role == _NUMBER and op.type == "UnsortedSegmentSum" and place == 2:
                pending.append((node.outs[0], _ROWS))
            elif role == _ROWS and op.type in _BY_ROW and all(
                other == slot or (tensor.shape.ndims == 0 and other != distinct)
                for other, tensor in zip(node.ins, op._inputs, strict=True)
            ):
                pending.append((node.outs[0], _ROWS))
            else:
                return False
    return by_indices == by_rows


@emits("Unique")
def _unique(c, node, ins, outs):
    x = ins[0]
    if len(x.shape) != 1 or x.dtype.kind != "i" or x.constant is not None or c.conditional:
        raise Declined("distinct values of another kind")
    if not _only_rows_are_read(c.region, outs[0]):
        raise Declined("distinct values whose number matters")
    size = 16
    while size < 2 * x.size:
        size *= 2
    found = c.result(outs[0], x.dtype, x.shape)
    places = c.result(outs[1], np.dtype(node.attrs["out_idx"].as_numpy_dtype), x.shape)
    c.padded.add(found.buffer)
    sizes = [x.size, x.dtype.itemsize, places.dtype.itemsize, size]
    c.emit("unique", [found, places, c.ready(x), c.inner(np.dtype("i4"), (size,))], sizes)
