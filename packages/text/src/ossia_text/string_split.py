"""Strings split into ragged rows of pieces, and what else `tf.strings.split` gives."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, one_of
from ossia_ops.array.stacking import stack
from ossia_ops.strings.split import ragged_pieces, string_split_op, string_split_v2_op
from ossia_ragged.rows import tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


def split_rows(strings: Any, split_vector: Any, again: Any) -> Any:
    """Strings of any known rank split by a function of vectors.

    Args:
      strings: a tensor or ragged tensor.
      split_vector: splits a vector into a RaggedTensor.
      again: the public function, for strings of a lower rank.

    Returns:
      A RaggedTensor with one dimension more; a vector for a scalar.
    """
    if isinstance(strings, RaggedTensor):
        return strings.with_flat_values(again(strings.flat_values))
    rank = strings.shape.ndims
    if rank == 0:
        return again(stack([strings]))[0]
    if rank is not None and rank > 1:
        return again(RaggedTensor.from_tensor(strings))
    return split_vector(strings)


@public("strings.bytes_split", "compat.v2.strings.bytes_split")
def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of strings, each as a string.

    Args:
      input: strings, a tensor or ragged tensor of known rank.
      name: name scope.

    Returns:
      A RaggedTensor with one dimension more; a vector for a scalar.

    Raises:
      ValueError: the rank of `input` is unknown.
    """
    with name_scope(name, "StringsByteSplit", [input]):
        strings = tensor_or_ragged(input, name="input")
        if not isinstance(strings, RaggedTensor) and strings.shape.ndims is None:
            raise ValueError("input must have a statically-known rank.")
        return split_rows(
            strings, lambda x: ragged_pieces(string_split_op(input=x, delimiter="", skip_empty=False)), bytes_split)


@public("compat.v2.strings.split")
def split_v2(input: Any, sep: str | None = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Split strings as Python's `str.split` does.

    Args:
      input: strings, a tensor or ragged tensor.
      sep: the separator; white space if None or "".
      maxsplit: the most splits of a string, -1 for any number.
      name: name scope of the ops.

    Returns:
      A RaggedTensor with one dimension more; a vector for a scalar.
    """
    with name_scope(name, "StringSplit", [input]):
        strings = tensor_or_ragged(input, dtype="string", name="input")

        def split_vector(texts: Any) -> Any:
            separator = convert_to_tensor("" if sep is None else sep, dtype="string")
            return ragged_pieces(string_split_v2_op(texts, separator, maxsplit=maxsplit))

        return split_rows(strings, split_vector, lambda texts: split_v2(texts, sep, maxsplit))


@public("strings.split")
def split(
    input: Any = None,
    sep: str | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Split strings as Python's `str.split` does.

    Args:
      input: strings, a tensor or ragged tensor.
      sep: the separator; white space if None or "".
      maxsplit: the most splits of a string, -1 for any number.
      result_type: "SparseTensor" or "RaggedTensor".
      source: the older name of `input`.
      name: name scope of the ops.

    Returns:
      A SparseTensor, or a RaggedTensor (a vector for a scalar), with one dimension more.

    Raises:
      ValueError: another `result_type`, or `input` and `source` are both given.
    """
    input = one_of("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        strings = tensor_or_ragged(input, dtype="string", name="input")
        if result_type not in ("SparseTensor", "RaggedTensor"):
            raise ValueError(f"result_type must be 'RaggedTensor' or 'SparseTensor', got {result_type!r}")
        if result_type == "SparseTensor" and not isinstance(strings, RaggedTensor):
            if strings.shape.ndims == 0:
                strings = expand_dims(strings, 0)
            if strings.shape.ndims == 1:
                separator = convert_to_tensor("" if sep is None else sep, dtype="string")
                return SparseTensor(*string_split_v2_op(strings, separator, maxsplit=maxsplit))
        rows = split_v2(strings, sep, maxsplit)
        return rows.to_sparse() if result_type == "SparseTensor" else rows
