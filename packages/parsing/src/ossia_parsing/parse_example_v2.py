"""`ParseExampleV2`, as graphs of TensorFlow 2 hold it: also one Example alone, and ragged features."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_parsing.columns import joined, ragged
from ossia_parsing.parse_example import check_inner_dims, columns_of
from ossia_parsing.refusals import invalid

_TYPES = "list({float, int64, string}) >= 0"
parse_example_v2_op = op(
    "ParseExampleV2(serialized: string, names: string, sparse_keys: string, dense_keys: string, ragged_keys: string, "
    "dense_defaults: Tdense) -> sparse_indices: num_sparse * int64, sparse_values: sparse_types, "
    "sparse_shapes: num_sparse * int64, dense_values: Tdense, ragged_values: ragged_value_types, "
    "ragged_row_splits: ragged_split_types",
    Tdense=_TYPES,
    num_sparse="int >= 0",
    sparse_types=_TYPES,
    ragged_value_types=_TYPES,
    ragged_split_types="list({int32, int64}) >= 0",
    dense_shapes="list(shape) >= 0",
)
parse_example_v2_op.not_folded()


@parse_example_v2_op.shape
def _(
    serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults, *, num_sparse, ragged_value_types,
    dense_shapes,
):
    check_inner_dims(dense_shapes)
    count, rows = num_sparse, len(ragged_value_types)
    if serialized.shape.ndims is None:
        unknown = [UNKNOWN_SHAPE] * len(dense_shapes)
        return [(None, None)] * count, [(None,)] * count, [(None,)] * count, unknown, [(None,)] * rows, [(None,)] * rows
    outer = with_rank(serialized, 1).as_tuple() if serialized.shape.ndims else ()
    splits = [(outer[0] + 1 if outer and outer[0] is not None else None if outer else 0,)] * rows
    return (
        [(None, 1 + len(outer))] * count, [(None,)] * count, [(1 + len(outer),)] * count,
        [(*outer, *shape.as_tuple()) for shape in dense_shapes], [(None,)] * rows, splits,
    )


@parse_example_v2_op.kernel_for
def _(node):
    attrs = node.attrs
    shapes = [shape.as_tuple() for shape in attrs["dense_shapes"]]
    sparse_types, ragged_types = attrs["sparse_types"], attrs["ragged_value_types"]
    split_types = [dtype.as_numpy_dtype for dtype in attrs["ragged_split_types"]]

    def parse(serialized: Any, names: Any, sparse_keys: Any, dense_keys: Any, ragged_keys: Any, dense_defaults: Any):
        records, names = np.asarray(serialized, object), np.asarray(names, object)
        if records.ndim > 1:
            raise invalid(f"Expected serialized to be a scalar or vector, got shape: {list(records.shape)}")
        if names.size not in (0, records.size):
            raise invalid(f"Expected len(names) == len(serialized), but got: {names.size} vs. {records.size}")
        counts = len(sparse_types), len(shapes), len(ragged_types)
        keys = [np.asarray(group, object).ravel().tolist() for group in (sparse_keys, dense_keys, ragged_keys)]
        for what, found, count in zip(("sparse", "dense", "ragged"), keys, counts, strict=True):
            if len(found) != count:
                raise invalid(f"Expected len({what}_keys) == {count}, but got: {len(found)}")
        lists = [*zip(keys[0], sparse_types, strict=True), *zip(keys[2], ragged_types, strict=True)]
        wanted = list(zip(keys[1], attrs["Tdense"], shapes, map(np.asarray, dense_defaults), strict=True))
        columns, tensors = columns_of(records.reshape(-1), names, lists, wanted)
        triples = [ragged(column, dtype) for column, (_, dtype) in zip(columns, lists[: counts[0]])]
        rows = columns[counts[0] :]
        flat = [joined(column, dtype) for column, dtype in zip(rows, ragged_types, strict=True)]
        splits = [
            np.cumsum([0, *map(len, column)] if records.ndim else [], dtype=kind)
            for column, kind in zip(rows, split_types, strict=True)
        ]
        if not records.ndim:
            triples = [(indices[:, 1:], values, shape[1:]) for indices, values, shape in triples]
            tensors = [tensor[0] for tensor in tensors]
        return [t[0] for t in triples], [t[1] for t in triples], [t[2] for t in triples], tensors, flat, splits

    return parse


_ONE_INT = b"\n\r\n\x0b\n\x01k\x12\x06\x1a\x04\n\x02\x01\x02"  # {"k": [1, 2]}
_NONE = np.zeros(0, object)
parse_example_v2_op.samples(
    sparse=sample(
        [_ONE_INT, b""], _NONE, [b"k"], _NONE, _NONE, [], num_sparse=1, sparse_types=["int64"], ragged_value_types=[],
        ragged_split_types=[], dense_shapes=[],
    ),
    ragged=sample(
        [_ONE_INT, b"", _ONE_INT], _NONE, _NONE, _NONE, [b"k"], [], num_sparse=0, sparse_types=[],
        ragged_value_types=["int64"], ragged_split_types=["int32"], dense_shapes=[],
    ),
    alone=sample(
        _ONE_INT, _NONE, [b"k"], [b"k"], [b"k"], [np.array([0, 0], np.int64)], num_sparse=1, sparse_types=["int64"],
        ragged_value_types=["int64"], ragged_split_types=["int64"], dense_shapes=[[2]],
    ),
    refused_keys=sample(
        [_ONE_INT], _NONE, _NONE, _NONE, _NONE, [], num_sparse=1, sparse_types=["int64"], ragged_value_types=[],
        ragged_split_types=[], dense_shapes=[],
    ),
)
