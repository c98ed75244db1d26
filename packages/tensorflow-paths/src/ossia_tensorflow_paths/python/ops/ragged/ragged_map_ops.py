"""`ragged_map_ops`: a function of each row of tensors and ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ossia as tf
from ossia_core.names import nest
from ossia_tensorflow_paths.python.ops.ragged.ragged_functional_ops import convert_to_tensor_or_ragged_tensor, is_ragged


class RaggedTensorType:
    """The dtype and ragged rank of a ragged tensor.

    Args:
        dtype: The dtype of the values.
        ragged_rank: How many dimensions are ragged.
        row_splits_dtype: The dtype of the row splits.
    """

    def __init__(self, dtype: Any, ragged_rank: int, row_splits_dtype: Any = tf.int64) -> None:
        self._dtype, self._ragged_rank = dtype, ragged_rank
        self._row_splits_dtype = tf.as_dtype(row_splits_dtype)

    dtype = property(lambda self: self._dtype)
    ragged_rank = property(lambda self: self._ragged_rank)
    row_splits_dtype = property(lambda self: self._row_splits_dtype)


def map_fn(
    fn: Callable, elems: Any, dtype: Any = None, parallel_iterations: int | None = None, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None,
) -> Any:
    """`fn` of each row of `elems`, stacked.

    Args:
        fn: A function of a row, or of rows in the structure of `elems`.
        elems: Tensors and ragged tensors with the same number of rows.
        dtype: What `fn` returns: dtypes, and for what is to be ragged the `RaggedTensorType` of the result; as `elems`
            if None.
        parallel_iterations, back_prop, swap_memory: As for `tf.while_loop`.
        infer_shape: Whether what `fn` returns has the same shape for every row.
        name: The scope of the ops.

    Raises:
        TypeError: `fn` cannot be called.
        ValueError: `elems` has a scalar, or `fn` returns another dtype or ragged rank than declared.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with tf.name_scope(name, "map", nest.flatten(elems)):
        flat = [convert_to_tensor_or_ragged_tensor(elem, name="elem") for elem in nest.flatten(elems)]
        structure = elems if dtype is None else dtype
        declared = [elem.dtype for elem in flat] if dtype is None else nest.flatten(dtype)
        count = _count(flat)
        arrays = [
            tf.TensorArray(dtype=part, dynamic_size=False, infer_shape=infer_shape, size=count)
            for kind in declared for part in _component_dtypes(kind)
        ]

        def write(i: Any, arrays: list) -> tuple[Any, list]:
            result = fn(nest.pack_sequence_as(elems, [elem[i] for elem in flat]))
            nest.assert_same_structure(structure, result)
            parts = [
                part for value, kind in zip(nest.flatten(result), declared, strict=True)
                for part in _components(value, kind)
            ]
            written = [array.write(i, part) for array, part in zip(arrays, parts, strict=True)]
            return i + 1, written

        _, written = tf.while_loop(
            lambda i, _: i < count, write, (tf.constant(0), arrays), parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=count,
        )
        left = iter(written)
        return nest.pack_sequence_as(structure, [_stacked(kind, left) for kind in declared])


def _count(elems: list) -> Any:
    """The number of rows of the first element."""
    if is_ragged(elems[0]):
        return elems[0].nrows(out_type=tf.int32)
    if elems[0].shape.ndims == 0:
        raise ValueError(
            "elems must be a 1+ dimensional Tensor, not a scalar" if len(elems) == 1
            else "elements in elems must be 1+ dimensional Tensors, not scalars"
        )
    known = None if elems[0].shape.ndims is None else elems[0].shape.as_list()[0]
    return known or tf.shape(elems[0])[0]


def _component_dtypes(kind: Any) -> list:
    if isinstance(kind, RaggedTensorType):
        return [kind.dtype] + [kind.row_splits_dtype] * kind.ragged_rank
    return [kind]


def _components(value: Any, kind: Any) -> list:
    """What is written for one row: the value; for a ragged result flat values, inner row lengths and their number."""
    if not isinstance(kind, RaggedTensorType):
        return [value]
    value = convert_to_tensor_or_ragged_tensor(value)
    ragged_rank = value.ragged_rank + 1 if is_ragged(value) else 1
    if kind.ragged_rank != ragged_rank:
        raise ValueError(f"The declared ragged rank ({kind.ragged_rank}) mismatches the result ({ragged_rank})")
    if value.dtype != kind.dtype:
        raise ValueError(f"The declared dtype ({kind.dtype}) mismatches the result ({value.dtype})")
    if is_ragged(value):
        value = value.with_row_splits_dtype(kind.row_splits_dtype)
        lengths = [splits[1:] - splits[:-1] for splits in value.nested_row_splits]
        return [value.flat_values, *lengths, tf.expand_dims(value.nrows(), axis=0)]
    return [value, tf.expand_dims(tf.shape(value, out_type=kind.row_splits_dtype)[0], axis=0)]


def _stacked(kind: Any, arrays: Iterator) -> Any:
    if not isinstance(kind, RaggedTensorType):
        return next(arrays).stack()
    values, *lengths = [next(arrays).concat() for _ in _component_dtypes(kind)]
    for rows in reversed([lengths[-1], *lengths[:-1]]):
        values = tf.RaggedTensor.from_row_lengths(values, rows, validate=False)
    return values
