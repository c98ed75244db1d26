"""Datasets of files: `TextLineDataset`, `TFRecordDataset`, `FixedLengthRecordDataset`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset, DatasetV2
from ossia_data.experimental import parallel_interleave
from ossia_ops.array.shape import reshape

_BUFFER = 256 * 1024  # bytes
_RECORD = TensorSpec([], dtypes.string)


def _option(value: Any, default: Any, name: str, dtype: Any = dtypes.int64) -> Tensor:
    return convert_to_tensor(default if value is None else value, dtype, name=name)


def _of_files(filenames: Any, read_one_file: Callable, num_parallel_reads: Any) -> DatasetV2:
    """The records of files: of one after the other, or of several in turn."""
    if isinstance(filenames, DatasetV2):
        if structure.legacy_types(filenames.element_spec) != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        files = filenames
    else:
        files = Dataset.from_tensor_slices(reshape(convert_to_tensor(filenames, dtypes.string), [-1], "flat_filenames"))
    if num_parallel_reads is None:
        return files.flat_map(read_one_file)
    return files.apply(parallel_interleave(read_one_file, num_parallel_reads))


def _whole_file(op_type: str, compression_type: Any, buffer_size: Any) -> Callable:
    """What makes a dataset of the records of one file, by its name."""

    def read_one_file(filename: Tensor) -> Dataset:
        kind = _option(compression_type, "", "compression_type", dtypes.string)
        return Dataset(lookup(op_type)(filename, kind, _option(buffer_size, _BUFFER, "buffer_size")), _RECORD)

    return read_one_file


@public("compat.v2.data.TFRecordDataset")
class TFRecordDatasetV2(DatasetV2):
    """The records of TFRecord files.

    Args:
        filenames: Names of files: a string, a list, a tensor or a dataset.
        compression_type: "" or None, "ZLIB" or "GZIP".
        buffer_size: Accepted; the system reads ahead.
        num_parallel_reads: How many files are read in turn; None for one after the other.
    """

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        made = _of_files(filenames, _whole_file("TFRecordDataset", compression_type, buffer_size), num_parallel_reads)
        super().__init__(made._variant_tensor, made.element_spec)


@public("compat.v2.data.TextLineDataset")
class TextLineDatasetV2(DatasetV2):
    """The lines of text files, without their ends.

    Args:
        filenames: Names of files: a string, a list, a tensor or a dataset.
        compression_type: "" or None, "ZLIB" or "GZIP".
        buffer_size: Accepted; the system reads ahead.
        num_parallel_reads: How many files are read in turn; None for one after the other.
    """

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        made = _of_files(filenames, _whole_file("TextLineDataset", compression_type, buffer_size), num_parallel_reads)
        super().__init__(made._variant_tensor, made.element_spec)


@public("compat.v2.data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV2(DatasetV2):
    """The records of files that consist of records of one length.

    Args:
        filenames: Names of files: a string, a list, a tensor or a dataset.
        record_bytes: Bytes of a record.
        header_bytes: Bytes before the first record.
        footer_bytes: Bytes behind the last one.
        buffer_size: Accepted; the system reads ahead.
        compression_type: "" or None, "ZLIB" or "GZIP".
        num_parallel_reads: How many files are read in turn; None for one after the other.
    """

    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
        buffer_size: Any = None, compression_type: Any = None, num_parallel_reads: Any = None,
    ) -> None:
        def read_one_file(filename: Tensor) -> Dataset:
            sizes = [
                _option(record_bytes, 0, "record_bytes"), _option(header_bytes, 0, "header_bytes"),
                _option(footer_bytes, 0, "footer_bytes"), _option(buffer_size, _BUFFER, "buffer_size"),
            ]
            kind = _option(compression_type, "", "compression_type", dtypes.string)
            return Dataset(lookup("FixedLengthRecordDatasetV2")(
                filename, sizes[1], sizes[0], *sizes[2:], kind
            ), _RECORD)

        made = _of_files(filenames, read_one_file, num_parallel_reads)
        super().__init__(made._variant_tensor, made.element_spec)


@public("data.TFRecordDataset")
class TFRecordDataset(Dataset, TFRecordDatasetV2):
    """See `TFRecordDatasetV2`; with the methods of 1.x."""


@public("data.TextLineDataset")
class TextLineDataset(Dataset, TextLineDatasetV2):
    """See `TextLineDatasetV2`; with the methods of 1.x."""


@public("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(Dataset, FixedLengthRecordDatasetV2):
    """See `FixedLengthRecordDatasetV2`; with the methods of 1.x."""
