"""Splitting strings into sparse tensors of pieces."""
from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of

_TEXT = np.array([b"a b  c", b"", b"d"], object)


def _sparse_shapes(input: Any, separators: Any) -> tuple[TensorShape, TensorShape, TensorShape]:
    with_rank(input, 1)
    with_rank(separators, 0)
    return TensorShape([None, 2]), TensorShape([None]), TensorShape([2])


def _sparse(rows: list[list[bytes]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    total = int(counts.sum())
    indices = np.empty((total, 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), counts)
    indices[:, 1] = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.empty(total, object)
    values[:] = list(chain.from_iterable(rows))
    return indices, values, np.array([len(rows), counts.max(initial=0)], np.int64)


string_split_op = op(
    "StringSplit(input: string, delimiter: string) -> indices: int64, values: string, shape: int64",
    skip_empty="bool = true",
)
string_split_op.shape(_sparse_shapes)


@string_split_op.kernel
def _(input, delimiter, *, skip_empty):
    if input.ndim != 1:
        raise InvalidArgumentError(None, None, f"input must be a vector, got shape: {dims_text(input.shape)}")
    if delimiter.ndim != 0:
        raise InvalidArgumentError(None, None, f"delimiter must be a scalar, got shape: {dims_text(delimiter.shape)}")
    characters = delimiter[()] if isinstance(delimiter, np.ndarray) else delimiter
    texts = input.tolist()
    if not characters:
        return _sparse([[text[i:i + 1] for i in range(len(text))] for text in texts])
    # Every byte of the delimiter separates.
    first = characters[:1]
    if len(characters) > 1:
        table = bytes.maketrans(characters, first * len(characters))
        texts = [text.translate(table) for text in texts]
    if skip_empty:
        return _sparse([list(filter(None, text.split(first))) for text in texts])
    return _sparse([text.split(first) if text else [] for text in texts])  # no text has no pieces


string_split_op.not_differentiable()
string_split_op.samples(
    words=(_TEXT, np.array(b" ", object)),
    all=sample(_TEXT, np.array(b" ", object), skip_empty=False),
    letters=(_TEXT, np.array(b"", object)),
)

string_split_v2_op = op(
    "StringSplitV2(input: string, sep: string) -> indices: int64, values: string, shape: int64", maxsplit="int32 = -1"
)
string_split_v2_op.shape(_sparse_shapes)


@string_split_v2_op.kernel
def _(input, sep, *, maxsplit):
    if input.ndim != 1:
        raise InvalidArgumentError(None, None, f"input must be a vector, got shape: {dims_text(input.shape)}")
    if np.ndim(sep):
        raise InvalidArgumentError(None, None, f"sep must be a scalar, got shape: {dims_text(np.shape(sep))}")
    separator = sep[()] if isinstance(sep, np.ndarray) else sep
    if maxsplit == 0:
        return _sparse([[text] for text in input])
    if separator:
        return _sparse([text.split(separator, max(maxsplit, -1)) for text in input])
    return _sparse([_words(text, maxsplit) for text in input])


def _words(text: bytes, maxsplit: int) -> list[bytes]:
    """The words of a text; what follows the last split is one piece, even if nothing follows."""
    pieces = text.split(None, max(maxsplit, -1))
    return [*pieces, b""] if len(pieces) == maxsplit else pieces


string_split_v2_op.samples(words=(_TEXT, np.array(b"", object)), once=sample(_TEXT, np.array(b" ", object), maxsplit=1))


@public("string_split")
def string_split(
    source: Any,
    sep: str | None = None,
    skip_empty: bool = True,
    delimiter: str | None = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """Split each string of a vector at every character of the delimiter.

    Args:
      source: a vector of strings.
      sep: the characters that separate; every byte by itself if "". A space by default.
      skip_empty: whether empty pieces are left out.
      delimiter: the older name of `sep`.
      result_type: "SparseTensor" or "RaggedTensor".
      name: name scope of the ops.

    Returns:
      A SparseTensor of shape [strings, most pieces], or a RaggedTensor.

    Raises:
      ValueError: `sep` and `delimiter` are both given, or `source` is no vector.
      NotImplementedError: a RaggedTensor is asked for, and the package of ragged tensors is not installed.
    """
    with name_scope(name, "StringSplit", [source]):
        between = one_of("sep", sep, "delimiter", delimiter)
        separators = convert_to_tensor(" " if between is None else between, dtype="string")
        source = convert_to_tensor(source, dtype="string")
        pieces = string_split_op(source, separators, skip_empty=skip_empty)
        return _as_type(pieces, result_type)


def _as_type(pieces: Any, result_type: str) -> Any:
    if result_type == "SparseTensor":
        return SparseTensor(*pieces)
    if result_type == "RaggedTensor":
        return ragged_pieces(pieces)
    raise ValueError(f"result_type must be 'RaggedTensor' or 'SparseTensor', got {result_type!r}")


def ragged_pieces(pieces: Any) -> Any:
    """What an op that splits strings gives, as ragged rows.

    Raises:
      NotImplementedError: the package of ragged tensors is not installed.
    """
    indices, values, dims = pieces
    indices.set_shape([None, 2])
    values.set_shape([None])
    dims.set_shape([2])
    return builder("RaggedTensor").from_value_rowids(values, indices[:, 0], dims[0], validate=False)
