"""Parsing of SequenceExamples: a context, and lists of features, one for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_parsing.columns import array_of, dense, joined, padded, ragged, ragged_lists, values_of
from ossia_parsing.example_wire import Malformed, sequence_features
from ossia_parsing.features import FixedLenFeature, FixedLenSequenceFeature, VarLenFeature, Wanted
from ossia_parsing.parse_example import by_key, dense_values
from ossia_parsing.refusals import OneSequence, Refused, SequenceOfMany, check_count, check_scalar, invalid, text

_Parser = OneSequence | SequenceOfMany
_COUNTS: dict[str, Any] = {
    "Ncontext_sparse": "int >= 0 = 0",
    "Ncontext_dense": "int >= 0 = 0",
    "Nfeature_list_sparse": "int >= 0 = 0",
    "Nfeature_list_dense": "int >= 0 = 0",
}
_TYPES = "list({float, int64, string}) >= 0 = []"
_ATTRS: dict[str, Any] = {
    "context_sparse_types": _TYPES,
    "Tcontext_dense": _TYPES,
    "feature_list_dense_types": _TYPES,
    "context_dense_shapes": "list(shape) >= 0 = []",
    "feature_list_sparse_types": _TYPES,
    "feature_list_dense_shapes": "list(shape) >= 0 = []",
}
_OUTPUTS = (
    "context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, "
    "context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, "
    "feature_list_sparse_indices: Nfeature_list_sparse * int64, feature_list_sparse_values: feature_list_sparse_types, "
    "feature_list_sparse_shapes: Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types"
)


def _sequence_of(record: bytes, refusal: str) -> tuple[dict[bytes, bytes], dict[bytes, list[bytes]]]:
    try:
        return sequence_features(record)
    except Malformed as error:
        raise invalid(refusal) from error


def _context(
    found: dict[bytes, bytes], sparse: list[tuple], wanted: list[tuple], defaults: list[np.ndarray], parser: _Parser
) -> tuple[list[Any], list[Any]]:
    """The values of the sparse and of the dense context features of one example."""
    columns, tensors = [], []
    try:
        for key, dtype in sparse:
            values = values_of(found.get(key), dtype)
            columns.append(array_of([], dtype) if values is None else values)
        for (key, dtype, shape), default in zip(wanted, defaults, strict=True):
            parser.check_kind(found.get(key), dtype)
            tensors.append(dense_values(found.get(key), dtype, shape, default))
    except Refused as refused:
        raise parser.context(refused, key) from refused
    return columns, tensors


def _lists(
    found: dict[bytes, list[bytes]], sparse: list[tuple], wanted: list[tuple], optional: set[bytes], parser: _Parser
) -> tuple[list[list[Any]], list[list[Any]]]:
    """The steps of the sparse and of the dense feature lists of one example."""
    columns = [_steps(found.get(key, ()), key, dtype, None, parser) for key, dtype in sparse]
    tensors = []
    for key, dtype, shape in wanted:
        if key not in found and key not in optional:
            raise parser.no_list(key)
        tensors.append(_steps(found.get(key, ()), key, dtype, shape, parser))
    return columns, tensors


def _steps(features: Sequence[bytes], key: bytes, dtype: Any, shape: tuple | None, parser: _Parser) -> list[Any]:
    """The values of each step; they fill the shape, unless that is None because the steps are sparse."""
    rows = []
    for i, feature in enumerate(features):
        try:
            values = values_of(feature, dtype)
            values = array_of([], dtype) if values is None else values
            if shape is not None:
                parser.check_kind(feature, dtype)
                check_count(len(values), shape, dtype)
        except Refused as refused:
            raise parser.step(refused, key, i, shape is None) from refused
        rows.append(values)
    return rows


def _strings(keys: Any) -> list[bytes]:
    return [np.asarray(key, object).item() for key in keys]


def _shapes(node: Any, attr: str) -> list[tuple]:
    return [shape.as_tuple() for shape in node.attrs[attr]]


parse_single_sequence_example_op = op(
    "ParseSingleSequenceExample(serialized: string, feature_list_dense_missing_assumed_empty: string, "
    "context_sparse_keys: Ncontext_sparse * string, context_dense_keys: Ncontext_dense * string, "
    "feature_list_sparse_keys: Nfeature_list_sparse * string, feature_list_dense_keys: Nfeature_list_dense * string, "
    f"context_dense_defaults: Tcontext_dense, debug_name: string) -> {_OUTPUTS}",
    **_COUNTS,
    **_ATTRS,
)

parse_single_sequence_example_op.not_folded()  # parsing is for runs, not for static shapes


def _check_known(shapes: Any) -> None:
    """That shapes are known.

    Raises:
        ValueError: One is not.
    """
    for shape in shapes:
        if not shape.is_fully_defined():
            raise ValueError(f"Shape {dims_text(shape.as_tuple() or ())} is not fully defined")


@parse_single_sequence_example_op.shape
def _(
    serialized,
    missing,
    sparse_keys,
    dense_keys,
    list_sparse_keys,
    list_dense_keys,
    defaults,
    debug_name,
    *,
    context_dense_shapes,
    feature_list_dense_shapes,
):
    with_rank(serialized, 0), with_rank(missing, 1)
    _check_known(feature_list_dense_shapes)
    m, n = len(sparse_keys), len(list_sparse_keys)
    return (
        [(None, 1)] * m,
        [(None,)] * m,
        [(1,)] * m,
        list(context_dense_shapes),
        [(None, 2)] * n,
        [(None,)] * n,
        [(2,)] * n,
        [TensorShape([None]).concatenate(shape) for shape in feature_list_dense_shapes],
    )


@parse_single_sequence_example_op.kernel_for
def _(node):
    types = [
        node.attrs[name]
        for name in ("context_sparse_types", "Tcontext_dense", "feature_list_sparse_types", "feature_list_dense_types")
    ]
    shapes, list_shapes = _shapes(node, "context_dense_shapes"), _shapes(node, "feature_list_dense_shapes")

    def parse(serialized, missing, sparse_keys, dense_keys, list_sparse_keys, list_dense_keys, defaults, debug_name):
        check_scalar(debug_name, "debug_name")
        check_scalar(serialized, "serialized")
        if np.ndim(missing) != 1:
            shape = dims_text(np.shape(missing))
            raise invalid(f"Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: {shape}")
        for what, keys in (
            ("context_dense_keys", dense_keys),
            ("context_sparse_keys", sparse_keys),
            ("feature_list_dense_keys", list_dense_keys),
            ("feature_list_sparse_keys", list_sparse_keys),
        ):
            for i, key in enumerate(keys):
                check_scalar(key, f"{what}[{i}]")
        name = text(np.asarray(debug_name, object).item())
        parser = OneSequence(name)
        record = np.asarray(serialized, object).item()
        context, lists = _sequence_of(record, f"Could not parse example input, value: '{text(record)}'")
        sparse = list(zip(_strings(sparse_keys), types[0], strict=True))
        wanted = list(zip(_strings(dense_keys), types[1], shapes, strict=True))
        columns, tensors = _context(context, sparse, wanted, [np.asarray(default) for default in defaults], parser)
        list_sparse = list(zip(_strings(list_sparse_keys), types[2], strict=True))
        list_wanted = list(zip(_strings(list_dense_keys), types[3], list_shapes, strict=True))
        rows, steps = _lists(lists, list_sparse, list_wanted, set(np.asarray(missing, object).ravel().tolist()), parser)
        found = [array_of(column, dtype) for column, dtype in zip(columns, types[0], strict=True)]
        triples = [ragged(row, dtype) for row, dtype in zip(rows, types[2], strict=True)]
        return (
            [np.arange(len(column), dtype=np.int64)[:, None] for column in found],
            found,
            [np.array([len(c)], np.int64) for c in found],
            [
                np.array(array_of(t, dtype)).reshape(shape)
                for t, dtype, shape in zip(tensors, types[1], shapes, strict=True)
            ],
            [t[0] for t in triples],
            [t[1] for t in triples],
            [t[2] for t in triples],
            [dense(step, dtype, shape) for step, dtype, shape in zip(steps, types[3], list_shapes, strict=True)],
        )

    return parse


parse_single_sequence_example_op.samples(
    lists=sample(
        b"",
        [b"k"],
        [],
        [],
        [b"s"],
        [b"k"],
        [],
        b"",
        feature_list_sparse_types=["int64"],
        feature_list_dense_types=["float"],
        feature_list_dense_shapes=[[2]],
    ),
)

parse_sequence_example_op = op(
    "ParseSequenceExample(serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense) -> "
    f"{_OUTPUTS}, feature_list_dense_lengths: Nfeature_list_dense * int64",
    feature_list_dense_missing_assumed_empty="list(string) >= 0",
    context_sparse_keys="list(string) >= 0",
    context_dense_keys="list(string) >= 0",
    feature_list_sparse_keys="list(string) >= 0",
    feature_list_dense_keys="list(string) >= 0",
    **_COUNTS,
    **_ATTRS,
)

parse_sequence_example_op.not_folded()  # parsing is for runs, not for static shapes


# The numbers of features that a node states, and the lists that have as many elements.
_COUNTED = (
    ("context_sparse", ("context_sparse_keys", "context_sparse_types")),
    ("context_dense", ("context_dense_keys", "Tcontext_dense", "context_dense_shapes")),
    ("feature_list_sparse", ("feature_list_sparse_keys", "feature_list_sparse_types")),
    ("feature_list_dense", ("feature_list_dense_keys", "feature_list_dense_types", "feature_list_dense_shapes")),
)
_LISTED = {"Tcontext_dense": "context_dense_types"}


@parse_sequence_example_op.shape
def _(
    serialized,
    debug_name,
    defaults,
    *,
    node,
):
    size = with_rank(serialized, 1).as_tuple()[0]
    with_rank(debug_name, 1)
    attrs = node.attrs
    for count, names in _COUNTED:
        sizes = [len(attrs[name]) for name in names]
        if any(found != attrs[f"N{count}"] for found in sizes):
            listed = [f"{_LISTED.get(name, name)} ({found})" for name, found in zip(names, sizes, strict=True)]
            raise ValueError(
                f"num_{count} ({attrs[f'N{count}']}) must match the size of {', '.join(listed[:-1])} and {listed[-1]}"
            )
    m, n = attrs["Ncontext_sparse"], attrs["Nfeature_list_sparse"]
    context_dense_shapes, feature_list_dense_shapes = attrs["context_dense_shapes"], attrs["feature_list_dense_shapes"]
    _check_known(feature_list_dense_shapes)
    return (
        [(None, 2)] * m,
        [(None,)] * m,
        [(2,)] * m,
        [(size, *shape.as_tuple()) for shape in context_dense_shapes],
        [(None, 3)] * n,
        [(None,)] * n,
        [(3,)] * n,
        [(size, None, *shape.as_tuple()) for shape in feature_list_dense_shapes],
        [(size,)] * len(feature_list_dense_shapes),
    )


@parse_sequence_example_op.kernel_for
def _(node):
    shapes, list_shapes = _shapes(node, "context_dense_shapes"), _shapes(node, "feature_list_dense_shapes")
    sparse = list(zip(node.attrs["context_sparse_keys"], node.attrs["context_sparse_types"], strict=True))
    wanted = list(zip(node.attrs["context_dense_keys"], node.attrs["Tcontext_dense"], shapes, strict=True))
    list_sparse = list(
        zip(node.attrs["feature_list_sparse_keys"], node.attrs["feature_list_sparse_types"], strict=True)
    )
    list_wanted = list(
        zip(node.attrs["feature_list_dense_keys"], node.attrs["feature_list_dense_types"], list_shapes, strict=True)
    )
    optional = set(node.attrs["feature_list_dense_missing_assumed_empty"])

    def parse(serialized, debug_name, defaults):
        records, names = np.asarray(serialized, object), np.asarray(debug_name, object)
        if records.ndim != 1 or names.size not in (0, records.size):
            raise invalid(
                f"Expected a vector of examples and as many names or none, got shapes {dims_text(records.shape)} and "
                f"{dims_text(names.shape)}"
            )
        defaults = [np.asarray(default) for default in defaults]
        groups: list[list[list[Any]]] = [[[] for _ in group] for group in (sparse, wanted, list_sparse, list_wanted)]
        for i, record in enumerate(records.tolist()):
            name = text(names.ravel()[i]) if names.size else "<unknown>"
            parser = SequenceOfMany(name)
            context, lists = _sequence_of(record, f"Invalid protocol message input, example id: {name}")
            parts = (
                *_context(context, sparse, wanted, defaults, parser),
                *_lists(lists, list_sparse, list_wanted, optional, parser),
            )
            for group, values in zip(groups, parts, strict=True):
                for column, value in zip(group, values, strict=True):
                    column.append(value)
        pairs = [ragged(column, key[1]) for column, key in zip(groups[0], sparse, strict=True)]
        triples = [ragged_lists(column, key[1]) for column, key in zip(groups[2], list_sparse, strict=True)]
        steps = [[joined(rows, key[1]) for rows in column] for column, key in zip(groups[3], list_wanted, strict=True)]
        return (
            [p[0] for p in pairs],
            [p[1] for p in pairs],
            [p[2] for p in pairs],
            [dense(column, dtype, shape) for column, (_, dtype, shape) in zip(groups[1], wanted, strict=True)],
            [t[0] for t in triples],
            [t[1] for t in triples],
            [t[2] for t in triples],
            [
                padded(column, dtype, shape, array_of([b""], dtype)[0] if dtype.name == "string" else 0)
                for column, (_, dtype, shape) in zip(steps, list_wanted, strict=True)
            ],
            [np.array([len(rows) for rows in column], np.int64) for column in groups[3]],
        )

    return parse


parse_sequence_example_op.samples(
    lists=sample(
        [b"", b""],
        np.zeros(0, object),
        [],
        feature_list_dense_missing_assumed_empty=["k"],
        context_sparse_keys=[],
        context_dense_keys=[],
        feature_list_sparse_keys=[],
        feature_list_dense_keys=["k"],
        Nfeature_list_dense=1,
        feature_list_dense_types=["float"],
        feature_list_dense_shapes=[[2]],
    ),
)


def _wanted(context_features: Any, sequence_features: Any) -> tuple[Wanted, Wanted]:
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    context = Wanted(context_features, (VarLenFeature, FixedLenFeature))
    lists = Wanted(sequence_features, (VarLenFeature, FixedLenSequenceFeature))
    for key in lists.defaults:
        raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")
    return context, lists


def _attrs(context: Wanted, lists: Wanted) -> dict[str, Any]:
    return {
        "context_sparse_types": context.sparse_types,
        "context_dense_shapes": context.dense_shapes,
        "feature_list_sparse_types": lists.sparse_types,
        "feature_list_dense_types": lists.dense_types,
        "feature_list_dense_shapes": lists.dense_shapes,
    }


@public(
    "parse_single_sequence_example", "io.parse_single_sequence_example", "compat.v2.io.parse_single_sequence_example"
)
def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """One SequenceExample as tensors.

    Args:
        serialized: A string scalar, a serialised SequenceExample.
        context_features: A dict of keys to FixedLenFeature or VarLenFeature.
        sequence_features: A dict of keys to FixedLenSequenceFeature or VarLenFeature; each has one feature a step.
        example_name: A string scalar, a name which errors show.
        name: Name of the scope.

    Returns:
        Two dicts of keys to Tensors and SparseTensors: the context, and the lists with the steps as first dimension.

    Raises:
        ValueError: There are no features, or one is not complete, or of a kind that is not supported there.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized, example_name]):
        outputs = parse_single_sequence_example_op(
            serialized,
            np.array([key.encode() if isinstance(key, str) else key for key in lists.missing_is_empty], object),
            context.sparse_keys,
            context.dense_keys,
            lists.sparse_keys,
            lists.dense_keys,
            context.default_tensors(),
            "" if example_name is None else example_name,
            name=name,
            **_attrs(context, lists),
        )
        return by_key(context, *outputs[:4]), by_key(lists, *outputs[4:])


@public("io.parse_sequence_example", "compat.v2.io.parse_sequence_example")
def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """SequenceExamples as tensors.

    Args:
        serialized: A string vector of serialised SequenceExamples.
        context_features: As for `tf.io.parse_single_sequence_example`.
        sequence_features: As there.
        example_names: A string vector of names, which errors show.
        name: Name of the scope.

    Returns:
        Three dicts: the context; the lists with batch and steps as first dimensions, padded to the longest; the number
        of steps of each dense list in each example.

    Raises:
        ValueError: As there.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized, example_names]):
        outputs = parse_sequence_example_op(
            serialized,
            np.zeros(0, object) if example_names is None else example_names,
            context.default_tensors(reshaped=False),
            feature_list_dense_missing_assumed_empty=lists.missing_is_empty,
            context_sparse_keys=context.sparse_keys,
            context_dense_keys=context.dense_keys,
            feature_list_sparse_keys=lists.sparse_keys,
            feature_list_dense_keys=lists.dense_keys,
            Ncontext_sparse=len(context.sparse_keys),
            Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(lists.sparse_keys),
            Nfeature_list_dense=len(lists.dense_keys),
            name=name,
            **_attrs(context, lists),
        )
        lengths = dict(zip(lists.dense_keys, outputs[8], strict=True))
        return by_key(context, *outputs[:4]), by_key(lists, *outputs[4:8]), lengths
