"""Batches of parsed Examples: `parse_example_dataset`, `make_batched_features_dataset`."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.type_spec import SparseTensorSpec, TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset
from ossia_data.experimental import AUTOTUNE, Transformation, parallel_interleave, shuffle_and_repeat
from ossia_parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    Wanted,
    merge_sparse_features,
    with_rows,
)

_KINDS = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


@public("data.experimental.parse_example_dataset", "compat.v2.data.experimental.parse_example_dataset")
def parse_example_dataset(features: Any, num_parallel_calls: Any = 1) -> Transformation:
    """Vectors of serialised Examples as dicts of tensors, see `tf.io.parse_example`.

    Args:
        features: A dict of keys to FixedLenFeature, FixedLenSequenceFeature, VarLenFeature or SparseFeature.
        num_parallel_calls: How many vectors are parsed at once.

    Raises:
        ValueError: `features` is None.
        TypeError: Elements are no vectors of strings.
    """
    if features is None:
        raise ValueError("Missing: features was None.")

    def apply(dataset: Any) -> Any:
        made = _parsed(dataset, with_rows(features), num_parallel_calls)
        if any(isinstance(feature, SparseFeature) for feature in features.values()):
            made = made.map(lambda parsed: merge_sparse_features(features, parsed), num_parallel_calls)
        return made

    return apply


def _parsed(dataset: Any, features: Any, calls: Any) -> Any:
    if not TensorSpec([None], dtypes.string).is_compatible_with(dataset.element_spec):
        raise TypeError("Input dataset should be a dataset of vectors of strings")
    wanted = Wanted(features, _KINDS)
    size = dataset.element_spec.shape.as_list()[0] if dataset.element_spec.shape.ndims else None
    spec: dict[Any, Any] = {}
    for key, dtype, shape in zip(wanted.dense_keys, wanted.dense_types, wanted.dense_shapes, strict=True):
        spec[key] = TensorSpec(TensorShape([size]).concatenate(shape), dtype)
    for key, dtype in zip(wanted.sparse_keys, wanted.sparse_types, strict=True):
        spec[key] = SparseTensorSpec([size, None], dtype)
    made = lookup("ParseExampleDataset")(
        dataset._variant_tensor, calls, wanted.default_tensors(), sparse_keys=wanted.sparse_keys,
        dense_keys=wanted.dense_keys, sparse_types=wanted.sparse_types, dense_shapes=wanted.dense_shapes,
        **structure.outputs(spec),
    )
    return dataset._like(made, spec, dataset.options())


def shuffled_and_repeated(dataset: Any, epochs: int | None, shuffle: bool, size: int, seed: Any) -> Any:
    """Passes over the elements, in random order or not."""
    if epochs != 1 and shuffle:
        return dataset.apply(shuffle_and_repeat(size, epochs, seed))
    if shuffle:
        return dataset.shuffle(size, seed)
    return dataset if epochs == 1 else dataset.repeat(epochs)


@public(
    "data.experimental.make_batched_features_dataset", "compat.v2.data.experimental.make_batched_features_dataset"
)
def make_batched_features_dataset(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any = None, label_key: Any = None,
    reader_args: Any = None, num_epochs: int | None = None, shuffle: bool = True, shuffle_buffer_size: int = 10000,
    shuffle_seed: Any = None, prefetch_buffer_size: Any = None, reader_num_threads: int | None = None,
    parser_num_threads: int | None = None, sloppy_ordering: bool = False, drop_final_batch: bool = False,
) -> Any:
    """Batches of the Examples of files: dicts of tensors, beside the label if there is one.

    Args:
        file_pattern: Names of files or patterns of them.
        batch_size: How many Examples.
        features: A dict of keys to FixedLenFeature, FixedLenSequenceFeature, VarLenFeature or SparseFeature.
        reader: What makes a dataset of the records of a file, or of pairs of keys and records; `TFRecordDataset`.
        label_key: The key of the feature that is the label.
        reader_args: Further arguments of `reader`.
        num_epochs: How many passes; without end if None, and then without a last batch of fewer Examples.
        shuffle: Whether Examples come in random order.
        shuffle_buffer_size: How many Examples one is drawn from.
        shuffle_seed: Seed of the order.
        prefetch_buffer_size: How many batches are made ahead.
        reader_num_threads: How many files are read in turn.
        parser_num_threads: How many batches are parsed at once.
        sloppy_ordering: Whether the order may depend on how fast files are read.
        drop_final_batch: Whether a last batch of fewer Examples is left out.

    Raises:
        TypeError: `reader` is a queue's reader.
        ValueError: There is no feature `label_key`.
    """
    from ossia_data.readers import TFRecordDataset

    reader = TFRecordDataset if reader is None else reader
    if isinstance(reader, type) and any(base.__name__ == "ReaderBase" for base in reader.__mro__):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For "
            "example, pass `tf.data.TFRecordDataset` instead of `tf.TFRecordReader`."
        )
    arguments = [] if reader_args is None else reader_args
    files = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    records = files.apply(parallel_interleave(
        lambda filename: reader(filename, *arguments), cycle_length=reader_num_threads or 1, sloppy=sloppy_ordering,
    ))
    if isinstance(records.element_spec, tuple) and len(records.element_spec) == 2:
        records = records.map(lambda _, record: record)
    records = shuffled_and_repeated(records, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    batches = records.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    batches = batches.apply(parse_example_dataset(features, num_parallel_calls=parser_num_threads or 2))
    if label_key:
        if label_key not in features:
            raise ValueError(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys.")
        batches = batches.map(lambda parsed: (parsed, parsed.pop(label_key)))
    return batches.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
