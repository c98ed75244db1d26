"""Parsing of Examples: `tf.io.parse_example` and `tf.io.parse_single_example`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.part import slice_ as slice_of
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_parsing.columns import array_of, dense, padded, ragged, values_of
from ossia_parsing.example_wire import Malformed, example_features
from ossia_parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    Wanted,
    merge_sparse_features,
    op_name,
    sparse_tensors,
    with_rows,
)
from ossia_parsing.refusals import (
    Absent,
    Refused,
    check_count,
    check_rows,
    check_scalar,
    in_batch,
    in_one,
    invalid,
    text,
)

_TYPES = "list({float, int64, string}) >= 0"
_SUPPORTED = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)

parse_example_op = op(
    "ParseExample(serialized: string, names: string, sparse_keys: Nsparse * string, dense_keys: Ndense * string, "
    "dense_defaults: Tdense) -> sparse_indices: Nsparse * int64, sparse_values: sparse_types, "
    "sparse_shapes: Nsparse * int64, dense_values: Tdense",
    Nsparse="int >= 0",
    Ndense="int >= 0",
    sparse_types=_TYPES,
    Tdense=_TYPES,
    dense_shapes="list(shape) >= 0",
)
parse_example_op.not_folded()



def check_inner_dims(shapes: Any) -> None:
    """That all sizes are known but those of first dimensions.

    Raises:
        ValueError: One is not.
    """
    for i, shape in enumerate(shapes):
        if shape.ndims is None or None in shape.as_tuple()[1:]:
            sizes = dims_text(shape.as_tuple() or ())
            raise ValueError(f"dense_shapes[{i}] has unknown rank or unknown inner dimensions: {sizes}")


@parse_example_op.shape
def _(serialized, names, sparse_keys, dense_keys, dense_defaults, *, dense_shapes):
    size = with_rank(serialized, 1).as_tuple()[0]
    with_rank(names, 1)
    check_inner_dims(dense_shapes)
    count = len(sparse_keys)
    return [(None, 2)] * count, [(None,)] * count, [(2,)] * count, [(size, *shape.as_tuple()) for shape in dense_shapes]


@parse_example_op.kernel_for
def _(node):
    sparse_types, dense_types = node.attrs["sparse_types"], node.attrs["Tdense"]
    shapes = [shape.as_tuple() for shape in node.attrs["dense_shapes"]]

    def parse(serialized: Any, names: Any, sparse_keys: Any, dense_keys: Any, dense_defaults: Any) -> tuple:
        records, names = np.asarray(serialized, object), np.asarray(names, object)
        if records.ndim != 1 or names.size not in (0, records.size):
            raise invalid(
                f"Expected len(names) == len(serialized), but got: {names.size} vs. {records.size}"
            )
        keys = [[_key(key) for key in group] for group in (sparse_keys, dense_keys)]
        wanted = list(zip(keys[1], dense_types, shapes, map(np.asarray, dense_defaults), strict=True))
        lists, tensors = columns_of(records, names, list(zip(keys[0], sparse_types, strict=True)), wanted)
        triples = [ragged(column, dtype) for column, dtype in zip(lists, sparse_types, strict=True)]
        return [t[0] for t in triples], [t[1] for t in triples], [t[2] for t in triples], tensors

    return parse


def columns_of(
    records: np.ndarray, names: np.ndarray, lists: list[tuple[bytes, Any]],
    wanted: list[tuple[bytes, Any, tuple, np.ndarray]],
) -> tuple[list[list[Any]], list[np.ndarray]]:
    """The features of several serialised Examples: of some keys the values of each Example, of others tensors.

    Args:
        records: The Examples.
        names: What errors call them; none, or one for each.
        lists: Key and dtype of features of any length.
        wanted: Key, dtype, shape and default of features of one shape.

    Raises:
        InvalidArgumentError: An Example is none, or a feature does not fit.
    """
    for key, _, shape, default in wanted:
        _check_default(key, default, shape)
    columns: list[list[Any]] = [[] for _ in lists]
    filled: list[list[Any]] = [[] for _ in wanted]
    for i, record in enumerate(records.tolist()):
        found = features_of(record)
        try:
            for (key, dtype), column in zip(lists, columns, strict=True):
                values = values_of(found.get(key), dtype)
                column.append(array_of([], dtype) if values is None else values)
            for (key, dtype, shape, default), column in zip(wanted, filled, strict=True):
                column.append(dense_values(found.get(key), dtype, shape, default))
        except Refused as refused:
            name = text(names.ravel()[i]) if names.size else "<unknown>"
            raise in_batch(refused, name, key, i, dtype) from refused
    return columns, [
        padded(column, dtype, shape[1:], default.ravel()[0]) if None in shape else dense(column, dtype, shape)
        for column, (_, dtype, shape, default) in zip(filled, wanted, strict=True)
    ]


def _key(key: Any) -> bytes:
    return np.asarray(key, object).item()


def features_of(record: bytes) -> dict[bytes, bytes]:
    """The features of a serialised Example.

    Raises:
        InvalidArgumentError: It is none.
    """
    try:
        return example_features(record)
    except Malformed as error:
        raise invalid(f"Could not parse example input, value: '{text(record)}'") from error


def _check_default(key: bytes, default: np.ndarray, shape: tuple) -> None:
    if shape and shape[0] is None:
        if default.size != 1:
            raise invalid(
                f"dense_defaults for {text(key)} must be a scalar where the length is open, not "
                f"{dims_text(default.shape)}"
            )
    elif default.size and default.shape != tuple(shape):
        raise invalid(f"dense_defaults for {text(key)} has shape {dims_text(default.shape)}, not {dims_text(shape)}")


def dense_values(feature: bytes | None, dtype: Any, shape: tuple, default: np.ndarray) -> Any:
    """The values of a dense feature, or its default.

    Raises:
        Refused: They are absent, of another dtype, or too few or too many.
    """
    values = values_of(feature, dtype, sparse=False)
    if shape and shape[0] is None:
        if values is None:
            return array_of([], dtype)
        check_rows(len(values), shape[1:], dtype)
        return values
    if values is None:
        if not default.size:
            raise Absent
        return default.ravel()
    check_count(len(values), shape, dtype)
    return values


_ONE_INT = b"\n\r\n\x0b\n\x01k\x12\x06\x1a\x04\n\x02\x01\x02"  # {"k": [1, 2]}
parse_example_op.samples(
    sparse=sample([_ONE_INT, b""], np.zeros(0, object), [b"k"], [], [], sparse_types=["int64"], dense_shapes=[]),
    dense=sample([_ONE_INT], [b"name"], [], [b"k"], [np.array([0, 0], np.int64)], sparse_types=[], dense_shapes=[[2]]),
)

parse_single_example_op = op(
    "ParseSingleExample(serialized: string, dense_defaults: Tdense) -> sparse_indices: num_sparse * int64, "
    "sparse_values: sparse_types, sparse_shapes: num_sparse * int64, dense_values: Tdense",
    num_sparse="int >= 0",
    sparse_keys="list(string) >= 0",
    dense_keys="list(string) >= 0",
    sparse_types=_TYPES,
    Tdense=_TYPES,
    dense_shapes="list(shape) >= 0",
)
parse_single_example_op.not_folded()



@parse_single_example_op.shape
def _(serialized, dense_defaults, *, num_sparse, dense_shapes):
    check_inner_dims(dense_shapes)
    with_rank(serialized, 0)
    return [(None, 1)] * num_sparse, [(None,)] * num_sparse, [(1,)] * num_sparse, list(dense_shapes)


@parse_single_example_op.kernel_for
def _(node):
    sparse = list(zip(node.attrs["sparse_keys"], node.attrs["sparse_types"], strict=True))
    shapes = [shape.as_tuple() for shape in node.attrs["dense_shapes"]]
    wanted = list(zip(node.attrs["dense_keys"], node.attrs["Tdense"], shapes, strict=True))

    def parse(serialized: Any, dense_defaults: Any) -> tuple:
        check_scalar(serialized, "serialized")
        found = features_of(np.asarray(serialized, object).item())
        columns, tensors = [], []
        try:
            for key, dtype in sparse:
                values = values_of(found.get(key), dtype)
                columns.append(array_of([] if values is None else values, dtype))
            for (key, dtype, shape), default in zip(wanted, dense_defaults, strict=True):
                default = np.asarray(default)
                _check_default(key, default, shape)
                values = array_of(dense_values(found.get(key), dtype, shape, default), dtype)
                sizes = [_rows(values, shape) if size is None else size for size in shape]
                tensors.append(np.array(values).reshape(sizes))
        except Refused as refused:
            raise in_one(refused, key, dtype) from refused
        indices = [np.arange(len(column), dtype=np.int64)[:, None] for column in columns]
        return indices, columns, [np.array([len(column)], np.int64) for column in columns], tensors

    return parse


def _rows(values: np.ndarray, shape: tuple) -> int:
    width = int(np.prod(shape[1:], dtype=np.int64))
    return len(values) // width if width else 0


parse_single_example_op.samples(
    sparse=sample(
        _ONE_INT, [], num_sparse=1, sparse_keys=["k"], dense_keys=[], sparse_types=["int64"], dense_shapes=[]
    ),
    dense=sample(
        _ONE_INT, [np.array([0, 0], np.int64)], num_sparse=0, sparse_keys=[], dense_keys=["k"], sparse_types=[],
        dense_shapes=[[2]],
    ),
    refused_dense=sample(
        _ONE_INT, [np.array([0, 0, 0], np.int64)], num_sparse=0, sparse_keys=[], dense_keys=["k"], sparse_types=[],
        dense_shapes=[[3]],
    ),
)


@public("parse_example", "io.parse_example")
def parse_example(serialized: Any, features: Any, name: str | None = None, example_names: Any = None) -> dict[Any, Any]:
    """Examples as tensors, one per feature.

    Args:
        serialized: A string vector of serialised Examples.
        features: A dict of keys to FixedLenFeature, FixedLenSequenceFeature, VarLenFeature or SparseFeature.
        name: Name of the scope.
        example_names: A string vector of names, which errors show.

    Returns:
        A dict of keys to Tensors with the batch as first dimension, and SparseTensors. Running them raises
        InvalidArgumentError for damaged examples, and where a feature is missing, or of another dtype or shape.

    Raises:
        ValueError: `features` is empty, or one of them is not complete.
    """
    return parse_example_v2(serialized, features, example_names, name)


@public("compat.v2.io.parse_example")
def parse_example_v2(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[Any, Any]:
    """`tf.io.parse_example` with `example_names` before `name`."""
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    features = with_rows(features)
    return merge_sparse_features(features, _parse(serialized, example_names, features, name))


def _parse(serialized: Any, names: Any, features: dict[Any, Any], name: str | None) -> dict[Any, Any]:
    wanted = Wanted(features, _SUPPORTED)
    with name_scope(name, "ParseExample", [serialized, names]):
        outputs = parse_example_op(
            serialized,
            [] if names is None else names,
            wanted.sparse_keys,
            wanted.dense_keys,
            wanted.default_tensors(),
            sparse_types=wanted.sparse_types,
            dense_shapes=wanted.dense_shapes,
            name=name,
        )
        return by_key(wanted, *outputs)


def by_key(wanted: Wanted, indices: Any, values: Any, shapes: Any, dense: Any) -> dict[Any, Tensor | SparseTensor]:
    """What a parser gives, by the keys of the features: sparse ones, whose parts are lists, and dense ones."""
    tensors = [*sparse_tensors(indices, values, shapes), *dense]
    return dict(zip([*wanted.sparse_keys, *wanted.dense_keys], tensors, strict=True))


@public("parse_single_example", "io.parse_single_example")
def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """One Example as tensors, one per feature.

    Args:
        serialized: A string scalar, a serialised Example.
        features: As for `tf.io.parse_example`.
        name: Name of the scope.
        example_names: A string scalar, a name which errors show.

    Returns:
        As `tf.io.parse_example`, without the dimension of the batch.

    Raises:
        ValueError: `features` is empty, or one of them is not complete.
    """
    return parse_single_example_v2(serialized, features, example_names, name)


@public("compat.v2.io.parse_single_example")
def parse_single_example_v2(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[Any, Any]:
    """`tf.io.parse_single_example` with `example_names` before `name`."""
    if not features:
        raise ValueError("Missing features.")
    features = with_rows(features)
    if example_names is not None:
        return merge_sparse_features(features, _parse_batch_of_one(serialized, example_names, features, name))
    wanted = Wanted(features, _SUPPORTED)
    with name_scope(name, "ParseSingleExample", [serialized]):
        serialized = convert_to_tensor(serialized, name="serialized")
        outputs = parse_single_example_op(
            serialized,
            wanted.default_tensors(),
            num_sparse=len(wanted.sparse_keys),
            sparse_keys=wanted.sparse_keys,
            dense_keys=wanted.dense_keys,
            sparse_types=wanted.sparse_types,
            dense_shapes=wanted.dense_shapes,
            name=name,
        )
        parsed = by_key(wanted, *outputs)
    return merge_sparse_features(features, parsed)


def _parse_batch_of_one(
    serialized: Any, example_name: Any, features: dict[Any, Any], name: str | None
) -> dict[Any, Any]:
    with name_scope(name, "ParseSingleExample", [serialized, example_name]):
        serialized = expand_dims(_scalar(serialized), 0)
        names = expand_dims(_scalar(example_name), 0)
        parsed = _parse(serialized, names, features, name)
        dense = [key for key, value in parsed.items() if isinstance(value, Tensor)]
        for key in dense:
            parsed[key] = squeeze(parsed[key], [0], name="Squeeze_" + op_name(key))
        for key, value in parsed.items():
            if isinstance(value, SparseTensor):
                indices = slice_of(value.indices, [0, 1], [-1, -1], name="Slice_Indices_" + op_name(key))
                shape = slice_of(value.dense_shape, [1], [-1], name="Squeeze_Shape_" + op_name(key))
                parsed[key] = SparseTensor(indices, value.values, shape)
        return parsed


def _scalar(value: Any) -> Tensor:
    tensor = (
        value
        if isinstance(value, Tensor)
        else constant(value)
        if isinstance(value, (str, bytes))
        else convert_to_tensor(value)
    )
    if tensor.shape.ndims not in (0, None):
        raise ValueError(f"Input serialized must be a scalar, not of shape {tensor.shape}")
    return tensor
