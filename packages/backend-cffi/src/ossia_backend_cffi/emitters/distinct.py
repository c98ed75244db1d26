"""Distinct indices of sparse gradients. How many there are differs from run to run; a program has as many places as
there are indices, and passes over the rows that belong to none."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.claims import CONDITIONS
from ossia_backend_cffi.emitters.registry import PADDED, emits
from ossia_backend_cffi.program.builder import Declined
from ossia_backend_cffi.program.instructions import Unique

_INDICES, _SHAPE, _NUMBER, _ROWS = range(4)  # what a value that depends on the number of distinct indices is
# What becomes of such values in the gradient of a gather: by the value, the type of the node and the input.
_FOLLOWS = {(_SHAPE, "StridedSlice", 0): _NUMBER, (_NUMBER, "UnsortedSegmentSum", 2): _ROWS}
_BY_ROW = dict.fromkeys(("Mul", "RealDiv", "Neg", "Square", "Identity"), _ROWS)


def _is_update(node: Any) -> bool:
    return node.type in PADDED


def _places(node: Any) -> tuple[int, int]:
    """Positions of the indices and of the rows among the inputs of an update."""
    names = node.definition.input_names
    return names.index("indices"), names.index("updates" if "updates" in names else "grad")


def _is_shape(node: Any) -> bool:
    """Whether a node gives the shape of its input."""
    return node.definition.describes_shape and node.definition.static_shape_fn is not None


def may_be_padded(node: Any) -> bool:
    """Whether the distinct values that a `Unique` node finds look like those of a sparse gradient."""
    readers = node.outputs[0].consumers()
    return (
        node.outputs[0].dtype.is_integer
        and any(_is_shape(reader) for reader in readers)
        and all(_is_shape(reader) or _is_update(reader) for reader in readers)
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
            elif role == _INDICES and _is_shape(op):
                pending.append((node.outs[0], _SHAPE))
            elif (role, op.type, place) in _FOLLOWS:
                pending.append((node.outs[0], _FOLLOWS[role, op.type, place]))
            elif _BY_ROW.get(op.type) == role and all(
                other == slot or (tensor.shape.ndims == 0 and other != distinct)
                for other, tensor in zip(node.ins, op._inputs, strict=True)
            ):
                pending.append((node.outs[0], _ROWS))
            else:
                return False
    return by_indices == by_rows


CONDITIONS["Unique"] = may_be_padded


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
    c.emit(
        Unique(
            distinct=found, places=places, values=c.ready(x), table=c.inner(np.dtype("i4"), (size,)), count=x.size,
            bytes=x.dtype.itemsize, place_bytes=places.dtype.itemsize, size=size,
        )
    )  # fmt: skip
