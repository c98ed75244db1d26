"""N-grams: neighbours in ragged rows of strings, joined."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape, shape
from ossia_ragged.checks import checked_splits
from ossia_ragged.rows import tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor

_WORDS = np.array([b"a", b"b", b"c", b"d"], object)
_SPLITS = np.array([0, 3, 3, 4])


string_n_grams_op = op(
    "StringNGrams(data: string, data_splits: Tsplits) -> ngrams: string, ngrams_splits: Tsplits",
    separator="string", ngram_widths="list(int32) >= 0", left_pad="string", right_pad="string", pad_width="int32",
    preserve_short_sequences="bool", Tsplits="{int32, int64} = DT_INT64",
)


@string_n_grams_op.shape
def _(data, data_splits):
    with_rank(data, 1)
    return vector(None), with_rank(data_splits, 1)


@string_n_grams_op.kernel
def _(data, data_splits, *, separator, ngram_widths, left_pad, right_pad, pad_width, preserve_short_sequences):
    if any(width <= 0 for width in ngram_widths):
        raise InvalidArgumentError(None, None, f"ngram_widths must be positive, got {list(ngram_widths)}")
    splits = checked_splits(data_splits, len(data), "data_splits") if len(data_splits) else data_splits
    grams: list[bytes] = []
    ends = [0] * len(splits)
    for row, (start, end) in enumerate(zip(splits[:-1].tolist(), splits[1:].tolist(), strict=True)):
        words, before = data[start:end].tolist(), len(grams)
        for width in ngram_widths:
            padding = width - 1 if pad_width < 0 else min(width - 1, pad_width)
            padded = [left_pad] * padding + words + [right_pad] * padding
            grams += [separator.join(padded[i:i + width]) for i in range(len(padded) - width + 1)]
        if preserve_short_sequences and len(grams) == before and words:
            # A row that is shorter than every width is one n-gram, between all the padding there is.
            padding = max(pad_width, 0)
            grams.append(separator.join([left_pad] * padding + words + [right_pad] * padding))
        ends[row + 1] = len(grams)
    out = np.empty(len(grams), object)
    out[:] = grams
    return out, np.array(ends, splits.dtype)


string_n_grams_op.samples(
    pairs=sample(_WORDS, _SPLITS, separator=" ", ngram_widths=[2, 1], left_pad="", right_pad="", pad_width=0,
                 preserve_short_sequences=False),
    padded=sample(_WORDS, np.array([0, 3, 4]), separator="|", ngram_widths=[3], left_pad="<", right_pad=">",
                  pad_width=-1, preserve_short_sequences=True),
)


@public("strings.ngrams", "compat.v2.strings.ngrams")
def ngrams(
    data: Any, ngram_width: Any, separator: str = " ", pad_values: Any = None, padding_width: int | None = None,
    preserve_short_sequences: bool = False, name: str | None = None,
) -> Any:
    """The n-grams of rows of strings: neighbours joined.

    Args:
      data: strings, a tensor or ragged tensor of known rank; the last dimension is a row.
      ngram_width: how many neighbours, or a list of such numbers.
      separator: what stands between them.
      pad_values: a string, or a pair for the left and the right, that stands before and after each row.
      padding_width: how often at most; one less than `ngram_width` by default.
      preserve_short_sequences: whether a row that is too short for every width becomes one n-gram.
      name: name scope.

    Returns:
      A RaggedTensor if `data` is one, else a tensor.

    Raises:
      TypeError: `pad_values` or `ngram_width` is of another kind.
      ValueError: a width is not positive, or the rank of `data` is unknown or 0.
    """
    with name_scope(name, "StringNGrams", [data]):
        left: Any = ""
        right: Any = ""
        if pad_values is not None:
            if isinstance(pad_values, (list, tuple)):
                if not isinstance(pad_values[0], (str, bytes)) or not isinstance(pad_values[1], (str, bytes)):
                    raise TypeError("pad_values must be a string, tuple of strings, or None.")
                left, right = pad_values[0], pad_values[1]
            elif isinstance(pad_values, (str, bytes)):
                left = right = pad_values
            else:
                raise TypeError("pad_values must be a string, tuple of strings, or None.")
            if padding_width is not None and padding_width < 1:
                raise ValueError("padding_width must be greater than 0.")
        elif padding_width is not None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        widths = ngram_width if isinstance(ngram_width, (list, tuple)) else [ngram_width]
        if any(width <= 0 for width in widths):
            raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
        data = tensor_or_ragged(data, dtype=dtypes.string, name="data")
        rank = data.shape.ndims
        dense = None
        if rank is None:
            raise ValueError("Rank of data must be known.")
        if rank == 0:
            raise ValueError("Data must have rank>0")

        def again(part: Any) -> Any:
            return ngrams(part, ngram_width, separator, pad_values, padding_width, preserve_short_sequences, name)

        if not isinstance(data, RaggedTensor):
            dense = concat([shape(data)[:-1], [-1]], axis=0)
            if rank == 1:
                return again(RaggedTensor.from_row_starts(data, [0], validate=False))[0]
            rows = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        else:
            rows = data
        if isinstance(rows.values, RaggedTensor):
            made = rows.with_values(again(rows.values))
        else:
            if padding_width is None:
                padding_width = -1 if pad_values is not None else 0
            grams, splits = string_n_grams_op(
                data=rows.values, data_splits=rows.row_splits, separator=separator, ngram_widths=widths, left_pad=left,
                right_pad=right, pad_width=padding_width, preserve_short_sequences=preserve_short_sequences)
            made = RaggedTensor(grams, splits, internal=True)
        return made if dense is None else reshape(made.flat_values, dense)
