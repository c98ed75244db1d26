"""Datasets of tables: `CsvDataset`, `SqlDataset`, `make_csv_dataset`."""
from __future__ import annotations

import collections
import csv
import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset, DatasetV2
from ossia_data.experimental import AUTOTUNE, ignore_errors, parallel_interleave
from ossia_data.feature_batches import shuffled_and_repeated
from ossia_data.files import opened
from ossia_io.paths import glob

_BUFFER = 4 * 1024 * 1024  # bytes
_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_INFERRED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@public("compat.v2.data.experimental.CsvDataset")
class CsvDatasetV2(DatasetV2):
    """The rows of CSV files, each a tuple of its fields.

    Args:
        filenames: Names of files, a string tensor.
        record_defaults: For each column a default, or the dtype of a column without one.
        compression_type: "" or None, "ZLIB" or "GZIP".
        buffer_size: Accepted; the system reads ahead.
        header: Whether the first line of each file is no row.
        field_delim: The character between fields.
        use_quote_delim: Whether `"` begins a field that may hold delimiters and line ends.
        na_value: A text that counts as an empty field.
        select_cols: Increasing numbers of the columns to take; all by default.
    """

    def __init__(
        self, filenames: Any, record_defaults: Any, compression_type: Any = None, buffer_size: Any = None,
        header: Any = False, field_delim: Any = ",", use_quote_delim: Any = True, na_value: Any = "",
        select_cols: Any = None,
    ) -> None:
        names = convert_to_tensor(filenames, dtypes.string, name="filenames")
        kind = _option(compression_type, "", "compression_type", dtypes.string)
        given = [constant([], default) if default in _TYPES else default for default in record_defaults]
        defaults = [convert_to_tensor(default, name=f"record_defaults_{i}") for i, default in enumerate(given)]
        spec = tuple(TensorSpec([], default.dtype) for default in defaults)
        made = lookup("CSVDataset")(
            names, kind, _option(buffer_size, _BUFFER, "buffer_size", dtypes.int64),
            convert_to_tensor(header, dtypes.bool, name="header"),
            convert_to_tensor(field_delim, dtypes.string, name="field_delim"),
            convert_to_tensor(use_quote_delim, dtypes.bool, name="use_quote_delim"),
            convert_to_tensor(na_value, dtypes.string, name="na_value"),
            _option(select_cols, [], "select_cols", dtypes.int64), defaults,
            output_shapes=[s.shape for s in spec],
        )
        super().__init__(made, spec)


def _option(value: Any, default: Any, name: str, dtype: Any) -> Tensor:
    return convert_to_tensor(default if value is None else value, dtype, name=name)


@public("data.experimental.CsvDataset")
class CsvDataset(Dataset, CsvDatasetV2):
    """See `CsvDatasetV2`; with the methods of 1.x."""


@public("compat.v2.data.experimental.SqlDataset")
class SqlDatasetV2(DatasetV2):
    """The rows that a query finds in a database.

    Args:
        driver_name: "sqlite".
        data_source_name: The name of the file.
        query: The query.
        output_types: The dtypes of the columns.
    """

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        given = [
            convert_to_tensor(value, dtypes.string, name=name)
            for name, value in (
                ("driver_name", driver_name), ("data_source_name", data_source_name), ("query", query)
            )
        ]
        spec = structure.mapped(lambda dtype: TensorSpec([], dtype), output_types)
        super().__init__(lookup("SqlDataset")(*given, **structure.outputs(spec)), spec)


@public("data.experimental.SqlDataset")
class SqlDataset(Dataset, SqlDatasetV2):
    """See `SqlDatasetV2`; with the methods of 1.x."""


@public("data.experimental.make_csv_dataset", "compat.v2.data.experimental.make_csv_dataset")
def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Any = None, column_defaults: Any = None,
    label_name: str | None = None, select_columns: Any = None, field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True, num_epochs: int | None = None, shuffle: bool = True,
    shuffle_buffer_size: int = 10000, shuffle_seed: Any = None, prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None, sloppy: bool = False, num_rows_for_inference: int | None = 100,
    compression_type: Any = None, ignore_errors: bool = False,
) -> Any:
    """Batches of the rows of CSV files: dicts of columns by name, beside the label's column if there is one.

    Args:
        file_pattern: Names of files or patterns of them.
        batch_size: How many rows.
        column_names: The names of the columns; those in the first line of the files if None.
        column_defaults: As `record_defaults` of `CsvDataset`; found out from the first rows if None.
        label_name: The name of the column that is the label.
        select_columns: Names or numbers of the columns to take; all by default.
        field_delim: The character between fields.
        use_quote_delim: Whether `"` begins a field that may hold delimiters and line ends.
        na_value: A text that counts as an empty field.
        header: Whether the first line of each file is no row.
        num_epochs: How many passes; without end if None, and then without a last batch of fewer rows.
        shuffle: Whether rows come in random order.
        shuffle_buffer_size: How many rows one is drawn from.
        shuffle_seed: Seed of the order.
        prefetch_buffer_size: How many batches are made ahead.
        num_parallel_reads: How many files are read in turn.
        sloppy: Whether the order may depend on how fast they are read.
        num_rows_for_inference: How many rows tell dtypes; all if None.
        compression_type: "" or None, "ZLIB" or "GZIP".
        ignore_errors: Whether rows that fail are left out.

    Raises:
        ValueError: There are no files, or names of columns are missing, repeated, or not those of the files.
    """
    names = _files(file_pattern, shuffle, shuffle_seed)
    reads = 1 if num_parallel_reads is None else num_parallel_reads
    files = Dataset.from_tensor_slices(names)
    if shuffle:
        files = files.shuffle(len(names), shuffle_seed)
    if column_names is None or column_defaults is None:
        table = _Table(names, field_delim, use_quote_delim, header, compression_type)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = table.names()
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = _numbers(select_columns, column_names)
    if column_defaults is not None:
        column_defaults = [
            constant([], default) if default in _TYPES else default for default in column_defaults
        ]
    else:
        column_defaults = table.defaults(len(column_names), na_value, num_rows_for_inference, select_columns)
    if select_columns is not None and len(column_defaults) != len(select_columns):
        raise ValueError("If specified, column_defaults and select_columns must have same length.")
    if select_columns is not None and len(column_names) > len(select_columns):
        column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")
    without_failures = _without_failures if ignore_errors else None

    def filename_to_dataset(filename: Tensor) -> Any:
        made = CsvDataset(
            filename, record_defaults=column_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim,
            na_value=na_value, select_cols=select_columns, header=header, compression_type=compression_type,
        )
        return made if without_failures is None else without_failures(made)

    def map_fn(*columns: Tensor) -> Any:
        features = collections.OrderedDict(zip(column_names, columns, strict=True))
        if label_name is not None:
            label = features.pop(label_name)
            return features, label
        return features

    rows = files.apply(parallel_interleave(filename_to_dataset, cycle_length=reads, sloppy=sloppy))
    rows = shuffled_and_repeated(rows, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    batches = rows.batch(batch_size, drop_remainder=num_epochs is None).map(map_fn)
    return batches.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _without_failures(dataset: Any) -> Any:
    return dataset.apply(ignore_errors())


def _files(file_pattern: Any, shuffle: bool, seed: Any) -> list[str]:
    patterns = [file_pattern] if isinstance(file_pattern, (str, bytes)) else list(file_pattern)
    if not patterns:
        raise ValueError("File pattern is empty.")
    names = []
    for pattern in patterns:
        text = pattern.decode() if isinstance(pattern, bytes) else pattern
        found = sorted(glob(text))
        if not found:
            raise ValueError(f"No files match {file_pattern}.")
        names += found
    if shuffle and len(patterns) < len(names):
        np.random.RandomState(seed).shuffle(names)
    return names


def _numbers(select_columns: Any, names: list[str]) -> list[int]:
    """The numbers of the columns that are named or numbered, in their order."""
    if all(isinstance(column, (int, np.integer)) for column in select_columns):
        if min(select_columns) < 0 or max(select_columns) >= len(names):
            raise ValueError(f"The numbers {select_columns} are not all those of columns: there are {len(names)}.")
        found = list(select_columns)
    elif all(column in names for column in select_columns):
        found = [names.index(column) for column in select_columns]
    else:
        raise ValueError(f"`select_columns` must be names or numbers of columns, all of one kind: {select_columns}")
    found.sort()
    if len(set(found)) != len(found):
        raise ValueError("select_columns contains duplicate entries")
    return found


class _Table:
    """What the first rows of files tell of all."""

    def __init__(
        self, files: list[str], delimiter: str, quoted: bool, header: bool, compression_type: Any
    ) -> None:
        self._files, self._header, self._compression = files, header, compression_type or ""
        quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        self._format: dict[str, Any] = {"delimiter": delimiter, "quoting": quoting}

    def _rows(self, name: str) -> Iterator[list[str]]:
        with opened(name, self._compression) as file:
            yield from csv.reader(io.TextIOWrapper(file, newline=""), **self._format)

    def names(self) -> list[str]:
        """The first line of the files.

        Raises:
            ValueError: They differ in it.
        """
        first = next(self._rows(self._files[0]), [])
        for name in self._files[1:]:
            if next(self._rows(name), []) != first:
                raise ValueError("Files have different column names in the header row.")
        return first

    def defaults(self, count: int, missing: str, rows: int | None, selected: list[int] | None) -> list[Tensor]:
        """A default of each column, of the narrowest dtype that has all values of the first rows."""
        columns = list(range(count)) if selected is None else selected
        kinds: list[Any] = [None] * len(columns)
        seen = 0
        for name in self._files:
            for number, row in enumerate(self._rows(name)):
                if self._header and not number:
                    continue
                if rows is not None and seen >= rows:
                    break
                seen += 1
                if len(row) != count:
                    raise ValueError(
                        "Problem inferring types: CSV row has different number of fields than expected."
                    )
                kinds = [
                    _wider(kind, row[column], missing) for kind, column in zip(kinds, columns, strict=True)
                ]
        found = [dtypes.string if kind is None else kind for kind in kinds]
        return [constant([_nothing(kind)], dtype=kind) for kind in found]


def _nothing(dtype: Any) -> Any:
    return "" if dtype is dtypes.string else 0


def _wider(kind: Any, text: str, missing: str) -> Any:
    """The narrowest dtype, not narrower than `kind`, that has the value of a text."""
    if text in ("", missing):
        return kind
    start = 0 if kind is None else (_INFERRED.index(kind) if kind in _INFERRED else len(_INFERRED))
    return next((dtype for dtype in _INFERRED[start:] if _is_one(text, dtype)), dtypes.string)


def _is_one(text: str, dtype: Any) -> bool:
    try:
        if dtype.is_integer:
            return dtype.min <= int(text) <= dtype.max
        number = float(text)
        return dtype is dtypes.float64 or bool(dtype.min <= number <= dtype.max)
    except ValueError:
        return False
