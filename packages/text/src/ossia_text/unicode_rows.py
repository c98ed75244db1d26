"""Strings to ragged rows of code points and back."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ragged.rows import tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor
from ossia_text.unicode_text import Treatment, codec_of, decoded, decoded_together, encoded, encoded_together

_TEXT = np.array(["aé".encode(), b"", b"x\xffy", "€𐀀".encode()], object)
_DECODING = dict(
    input_encoding="string", errors="{'strict', 'replace', 'ignore'} = 'replace'", replacement_char="int32 = 65533",
    replace_control_characters="bool = false", Tsplits="{int32, int64} = DT_INT64",
)

unicode_decode_op = op("UnicodeDecode(input: string) -> row_splits: Tsplits, char_values: int32", **_DECODING)
unicode_decode_with_offsets_op = op(
    "UnicodeDecodeWithOffsets(input: string) -> row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64",
    **_DECODING,
)


def _splits_shape(input: Any) -> Any:
    size = input.shape.num_elements()
    return vector(None if size is None else size + 1)


@unicode_decode_op.shape
def _(input):
    return _splits_shape(input), vector(None)


@unicode_decode_with_offsets_op.shape
def _(input):
    return _splits_shape(input), vector(None), vector(None)


def _decode(input, *, input_encoding, errors, replacement_char, replace_control_characters, Tsplits):
    treatment, codec = Treatment(errors, replacement_char, replace_control_characters), codec_of(input_encoding)
    texts, kind = input.reshape(-1).tolist(), Tsplits.as_numpy_dtype
    found = decoded_together(texts) if codec.name == "utf-8" and not treatment.control else None
    if found is not None:
        return found[0].astype(kind), *found[1:]
    splits, codes, starts = [0], [], []
    for text in texts:
        more, places = decoded(text, codec, treatment)
        codes += more
        starts += places
        splits.append(len(codes))
    return np.array(splits, kind), np.array(codes, np.int64).astype(np.int32), np.array(starts, np.int64)


@unicode_decode_op.kernel
def _(input, *, input_encoding, errors, replacement_char, replace_control_characters, Tsplits):
    return _decode(
        input, input_encoding=input_encoding, errors=errors, replacement_char=replacement_char,
        replace_control_characters=replace_control_characters, Tsplits=Tsplits,
    )[:2]


unicode_decode_with_offsets_op.kernel(_decode)
unicode_decode_op.samples(utf8=sample(_TEXT, input_encoding="UTF-8"))
unicode_decode_with_offsets_op.samples(utf16=sample(_TEXT, input_encoding="UTF-16-BE"))

unicode_encode_op = op(
    "UnicodeEncode(input_values: int32, input_splits: Tsplits) -> output: string",
    errors="{'ignore', 'replace', 'strict'} = 'replace'", output_encoding="{'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
    replacement_char="int32 = 65533", Tsplits="{int32, int64} = DT_INT64",
)


@unicode_encode_op.shape
def _(input_values, input_splits):
    with_rank(input_values, 1)
    size = with_rank(input_splits, 1).as_list()[0]
    if size == 0:
        raise ValueError("Negative dimension size caused by subtracting 1 from 0")
    return vector(None if size is None else size - 1)


@unicode_encode_op.kernel
def _(input_values, input_splits, *, errors, output_encoding, replacement_char):
    treatment = Treatment(errors, replacement_char)
    if not len(input_splits):
        raise InvalidArgumentError(None, None, "input_splits must have one element at least")
    if input_splits[0] != 0 or np.any(input_splits[1:] < input_splits[:-1]) or input_splits[-1] > len(input_values):
        raise InvalidArgumentError(
            None, None, "input_splits must start at 0, not fall, and end within the values, got "
                        f"{input_splits[:9].tolist()} for {len(input_values)} values")
    out = np.empty(len(input_splits) - 1, object)
    together = encoded_together(input_values, input_splits, output_encoding)
    if together is not None:
        out[:] = together
        return out
    codes, ends = input_values.tolist(), input_splits.tolist()
    for i in range(len(out)):
        out[i] = encoded(codes[ends[i]:ends[i + 1]], output_encoding, treatment)
    return out


unicode_encode_op.samples(
    words=sample(np.array([97, 0x20AC, 0x10000, 0xD800], np.int32), np.array([0, 1, 1, 4]), output_encoding="UTF-8"),
)


@public("strings.unicode_encode", "compat.v2.strings.unicode_encode")
def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """Strings from code points.

    Args:
      input: int32 code points, a tensor or ragged tensor; the last dimension becomes the strings.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of numbers that are no characters: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      name: name scope.

    Returns:
      A string tensor, or a ragged one, with one dimension less.

    Raises:
      ValueError: the rank of `input` is unknown or 0.
    """
    with name_scope(name, "UnicodeEncode", [input]):
        points = tensor_or_ragged(input)
        rank = points.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")

        def inner(part: Any) -> Any:
            return unicode_encode(part, output_encoding, errors, replacement_char)

        if isinstance(points, RaggedTensor):
            if points.flat_values.shape.ndims > 1:
                return points.with_flat_values(inner(points.flat_values))
            if points.ragged_rank > 1:
                return points.with_values(inner(points.values))
            return unicode_encode_op(
                input_values=points.values, input_splits=points.row_splits, output_encoding=output_encoding,
                errors=errors, replacement_char=replacement_char)
        if rank == 2:
            return inner(RaggedTensor.from_tensor(points))
        if rank > 2:
            flat = reshape(points, stack([-1, shape(points)[-1]]))
            return reshape(inner(flat), points.shape[:-1])
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        rows = RaggedTensor.from_row_splits(points, stack([0, shape(points, out_type=dtypes.int32)[0]]), validate=False)
        return reshape(inner(rows), [])


def _decoded(
    input: Any, encoding: str, errors: str, replacement: int, control: bool, offsets: bool
) -> tuple[Any, Any]:
    """Code points of strings, and where they start or None: ragged tensors, but vectors for one string."""
    strings = tensor_or_ragged(input, name="input")
    rank = strings.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1:
        if not isinstance(strings, RaggedTensor):
            strings = RaggedTensor.from_tensor(strings, ragged_rank=rank - 1)
        elif strings.ragged_rank < rank - 1:
            strings = strings.with_flat_values(
                RaggedTensor.from_tensor(strings.flat_values, ragged_rank=rank - strings.ragged_rank - 1))
    flat = reshape(strings.flat_values if isinstance(strings, RaggedTensor) else strings, [-1])
    definition = unicode_decode_with_offsets_op if offsets else unicode_decode_op
    splits, codes, *starts = definition(
        flat, input_encoding=encoding, errors=errors, replacement_char=replacement, replace_control_characters=control)

    def rows(values: Any) -> Any:
        if rank == 0:
            return values
        ragged = RaggedTensor.from_row_splits(values, splits, validate=False)
        return strings.with_flat_values(ragged) if rank > 1 else ragged

    return rows(codes), rows(starts[0]) if offsets else None


@public("strings.unicode_decode", "compat.v2.strings.unicode_decode")
def unicode_decode(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> Any:
    """The code points of strings.

    Args:
      input: strings, a tensor or ragged tensor of known rank.
      input_encoding: their encoding.
      errors: what becomes of malformed bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      replace_control_characters: whether the characters up to U+001F count as malformed.
      name: name scope.

    Returns:
      An int32 RaggedTensor with one dimension more; a vector for a scalar.

    Raises:
      ValueError: the rank of `input` is unknown.
      InvalidArgumentError: in a run, malformed bytes with "strict", or an unknown encoding.
    """
    with name_scope(name, "UnicodeDecode", [input]):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, False)[0]


@public("strings.unicode_decode_with_offsets", "compat.v2.strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> tuple[Any, Any]:
    """The code points of strings, and where in its string each one starts.

    Args:
      input: strings, a tensor or ragged tensor of known rank.
      input_encoding: their encoding.
      errors: what becomes of malformed bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      replace_control_characters: whether the characters up to U+001F count as malformed.
      name: name scope.

    Returns:
      Two RaggedTensors with one dimension more, of int32 and of int64; vectors for a scalar.

    Raises:
      ValueError: the rank of `input` is unknown.
    """
    with name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, True)


def _characters(codes: Any, encoding: str, errors: str, replacement: int) -> Any:
    """Every code point as a string."""
    with name_scope(None, "RaggedExpandDims", [codes]):
        if isinstance(codes, RaggedTensor):
            single = codes.with_flat_values(_below(codes.flat_values, codes.ragged_rank))
        else:
            single = expand_dims(codes, -1)
    return unicode_encode(single, encoding, errors, replacement)


def _below(values: Tensor, depth: int) -> Tensor:
    with name_scope(None, "RaggedExpandDims", [values]):
        return expand_dims(values, 1) if depth == 1 else _below(values, depth - 1)


@public("strings.unicode_split", "compat.v2.strings.unicode_split")
def unicode_split(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """The characters of strings, each as a string of the same encoding.

    Args:
      input: strings, a tensor or ragged tensor of known rank.
      input_encoding: their encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of malformed bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      name: name scope.

    Returns:
      A string RaggedTensor with one dimension more; a vector for a scalar.
    """
    with name_scope(name, "UnicodeSplit", [input]):
        codes, _ = _decoded(input, input_encoding, errors, replacement_char, False, False)
        return _characters(codes, input_encoding, errors, replacement_char)


@public("strings.unicode_split_with_offsets", "compat.v2.strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> tuple[Any, Any]:
    """The characters of strings, each as a string of the same encoding, and where each one starts.

    Args:
      input: strings, a tensor or ragged tensor of known rank.
      input_encoding: their encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of malformed bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      name: name scope.

    Returns:
      Two RaggedTensors with one dimension more, of strings and of int64; vectors for a scalar.
    """
    with name_scope(name, "UnicodeSplitWithOffsets", [input]):
        codes, starts = _decoded(input, input_encoding, errors, replacement_char, False, True)
        return _characters(codes, input_encoding, errors, replacement_char), starts
