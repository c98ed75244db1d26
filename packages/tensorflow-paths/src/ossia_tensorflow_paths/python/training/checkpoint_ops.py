"""`checkpoint_ops`: matrices of checkpoints whose rows and columns stand for words, for other vocabularies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ossia as tf


def _load_and_remap_matrix(
    ckpt_path: Any, old_tensor_name: str, new_row_vocab_offset: int, num_rows_to_load: int, new_col_vocab_size: int,
    initializer: Callable[..., Any], old_row_vocab_size: int = -1, old_row_vocab_file: Any = None,
    new_row_vocab_file: Any = None, old_col_vocab_file: Any = None, new_col_vocab_file: Any = None,
    num_row_oov_buckets: int = 0, num_col_oov_buckets: int = 0, max_rows_in_memory: int = -1,
) -> Any:
    """Rows of a matrix in a checkpoint, in the order of other vocabularies.

    Args:
        ckpt_path: The prefix of the checkpoint.
        old_tensor_name: The matrix in it.
        new_row_vocab_offset: The first row, by the new vocabulary.
        num_rows_to_load: How many rows, without those of buckets.
        new_col_vocab_size: How many columns, without those of buckets.
        initializer: Makes what the checkpoint does not have, and the buckets.
        old_row_vocab_size: How many words of the old vocabulary of rows count; -1 for all.
        old_row_vocab_file: The words that the rows in the checkpoint stand for.
        new_row_vocab_file: The words that the rows are to stand for.
        old_col_vocab_file: The words that the columns in the checkpoint stand for.
        new_col_vocab_file: The words that the columns are to stand for.
        num_row_oov_buckets: How many rows are added for other words.
        num_col_oov_buckets: How many columns are added.
        max_rows_in_memory: How many rows are read at once; -1 for all.

    Raises:
        ValueError: A number of buckets is negative, or one vocabulary is given without the other, or there are none.
    """
    for name, buckets in (("num_row_oov_buckets", num_row_oov_buckets), ("num_col_oov_buckets", num_col_oov_buckets)):
        if buckets < 0:
            raise ValueError(f"{name} must be >= 0, but received {buckets}")
    for kind, old, new in (
        ("row", old_row_vocab_file, new_row_vocab_file), ("col", old_col_vocab_file, new_col_vocab_file)
    ):
        if bool(old) != bool(new):
            raise ValueError(
                f"old_{kind}_vocab_file and new_{kind}_vocab_file must both be specified or left unspecified. "
                f"old_{kind}_vocab_file='{old}', new_{kind}_vocab_file='{new}'"
            )
    if not new_row_vocab_file and not new_col_vocab_file:
        raise ValueError("Must provide either row or column vocab files: without them there is nothing to remap.")
    rows: Any = num_rows_to_load
    columns: Any = new_col_vocab_size
    column_remapping: Any = []
    if new_row_vocab_file:
        row_remapping, rows = tf.raw_ops.GenerateVocabRemapping(
            new_vocab_file=new_row_vocab_file, old_vocab_file=old_row_vocab_file,
            new_vocab_offset=new_row_vocab_offset, num_new_vocab=num_rows_to_load, old_vocab_size=old_row_vocab_size,
        )
    else:
        row_remapping = tf.range(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, dtype=tf.int64)
    if new_col_vocab_file:
        column_remapping, columns = tf.raw_ops.GenerateVocabRemapping(
            new_vocab_file=new_col_vocab_file, old_vocab_file=old_col_vocab_file, new_vocab_offset=0,
            num_new_vocab=new_col_vocab_size,
        )
    missing = num_rows_to_load * new_col_vocab_size - rows * columns
    found = tf.raw_ops.LoadAndRemapMatrix(
        ckpt_path=ckpt_path, old_tensor_name=old_tensor_name, row_remapping=row_remapping,
        col_remapping=column_remapping, initializing_values=initializer([missing, 1]), num_rows=num_rows_to_load,
        num_cols=new_col_vocab_size, max_rows_in_memory=max_rows_in_memory,
    )
    if num_row_oov_buckets:
        found = tf.concat([found, initializer([num_row_oov_buckets, new_col_vocab_size])], 0)
    if num_col_oov_buckets:
        added = initializer([num_rows_to_load + num_row_oov_buckets, num_col_oov_buckets])
        found = tf.concat([found, added], 1)
    return found


def _load_and_remap_matrix_initializer(
    ckpt_path: Any, old_tensor_name: str, new_row_vocab_size: int, new_col_vocab_size: int,
    old_row_vocab_size: int = -1, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Any = None, max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """An initializer of variables, whole or in parts, that `_load_and_remap_matrix` fills.

    The arguments are those of that function; `new_row_vocab_size` is the number of rows of the whole variable, without
    those of buckets, and without an `initializer` zeros are filled in.
    """
    fill = tf.zeros_initializer() if initializer is None else initializer

    def made(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> Any:
        if dtype != tf.float32:
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
        if len(shape) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if shape[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        if shape[1] != new_col_vocab_size + num_col_oov_buckets:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({new_col_vocab_size}) + num_col_oov_buckets "
                f"({num_col_oov_buckets}) = {new_col_vocab_size + num_col_oov_buckets}, but received shape: {shape}"
            )
        first = 0 if partition_info is None else partition_info.single_offset(shape)
        whole = new_row_vocab_size + num_row_oov_buckets
        if first + shape[0] > whole:
            raise ValueError(
                f"Trying to initialize {shape[0]} additional rows after {first} rows have already been initialized, "
                f"which would exceed expected total row count of new_row_vocab_size ({new_row_vocab_size}) + "
                f"num_row_oov_buckets ({num_row_oov_buckets}) = {whole}."
            )
        known = min(max(new_row_vocab_size - first, 0), shape[0])
        return _load_and_remap_matrix(
            ckpt_path, old_tensor_name, first, known, new_col_vocab_size, fill, old_row_vocab_size,
            old_row_vocab_file, new_row_vocab_file, old_col_vocab_file, new_col_vocab_file, shape[0] - known,
            num_col_oov_buckets, max_rows_in_memory,
        )

    return made


def _load_embedding_initializer(
    ckpt_path: Any, embedding_tensor_name: str, new_vocab_size: int, embedding_dim: int, old_vocab_file: Any,
    new_vocab_file: Any, old_vocab_size: int = -1, num_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """An initializer of embeddings whose rows stand for words.

    The arguments are as above; without an `initializer`, words that are new get small random rows.
    """
    if initializer is None:
        initializer = tf.truncated_normal_initializer(stddev=1 / math.sqrt(embedding_dim))
    return _load_and_remap_matrix_initializer(
        ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_size, old_vocab_file,
        new_vocab_file, num_row_oov_buckets=num_oov_buckets, initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )
