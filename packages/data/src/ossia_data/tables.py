"""Datasets of tables: the rows of CSV files and of SQL queries."""
from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from ossia_core.backend import installed_backends
from ossia_core.declare.opdef import lookup
from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes, errors
from ossia_core.primitives.source import placeholder
from ossia_core.session.compile.plan import Plan
from ossia_core.session.run.context import RunContext
from ossia_data.elements import Element, Elements, Iteration, dataset_op
from ossia_data.files import compression, lines
from ossia_data.rows import Columns
from ossia_data.settings import BOTH

_ROWS = 256  # rows that are parsed at once


class Rows(Elements):
    """The rows of CSV files.

    Args:
        names: The names of the files.
        read: The rows of one file, as bytes.
        parse: Values of a vector of rows, one vector a column.
    """

    def __init__(self, names: list[str], read: Callable[[str], Iterator[bytes]], parse: Callable) -> None:
        self._names, self._read, self._parse = names, read, parse

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _ParsedRows(self._names, self._read, self._parse)


class _ParsedRows:
    def __init__(self, names: list[str], read: Callable[[str], Iterator[bytes]], parse: Callable) -> None:
        self._rows = (row for name in names for row in read(name))
        self._parse = parse
        self._columns: Columns = []
        self._at = self._count = 0
        self._held: list[Any] = []  # after these columns: elements and errors

    def __iter__(self) -> _ParsedRows:
        return self

    def __next__(self) -> Element:
        if not self._ready():
            self._more()
        at = self._at
        if at < self._count:
            self._at = at + 1
            return [column[at] for column in self._columns]
        found = self._held.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def rows(self, count: int) -> Columns | None:
        """The next rows of those that are parsed."""
        if not self._ready():
            self._more()
        if self._at >= self._count:
            return None
        at, self._at = self._at, min(self._at + count, self._count)
        return [column[at : self._at] for column in self._columns]

    def _ready(self) -> bool:
        return self._at < self._count or bool(self._held)

    def _more(self) -> None:
        rows: list[bytes] = []
        while len(rows) < _ROWS:
            try:
                rows.append(next(self._rows))
            except StopIteration:
                break
            except errors.OpError as error:
                self._held = [error]
                break
        if not rows and not self._held:
            raise StopIteration
        self._columns, self._at, self._count = [], 0, 0
        if not rows:
            return
        try:
            self._columns, self._count = self._parse(rows), len(rows)
        except errors.OpError:
            self._held = [*map(self._one, rows), *self._held]

    def _one(self, row: bytes) -> Any:
        try:
            return [column[0] for column in self._parse([row])]
        except errors.OpError as error:
            return error


def _whole_rows(path: str, kind: str, header: bool, quoted: bool) -> Iterator[bytes]:
    """Rows, those with line ends in quotes in one piece; a blank line is a row of one empty field."""
    held = b""
    first = header
    for line in chain.from_iterable(lines(path, kind)):
        line = line.rstrip(b"\r")
        held = held + b"\n" + line if held else line
        if quoted and held.count(b'"') % 2:
            continue
        if not first:
            yield held or (b'""' if quoted else b"")
        held, first = b"", False
    if held:
        yield held
    elif first:
        raise errors.InvalidArgumentError(None, None, f"Can't read header of empty file {path}")


_CSV = (
    "filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
    "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: output_types"
)
for _prefix in BOTH:
    _csv = dataset_op(
        f"{_prefix}CSVDataset({_CSV}) -> handle: variant", stateful=True,
    )

    @_csv.kernel_for
    def _(node: Any, *, session: Any) -> Any:
        types = node.attrs["output_types"]

        def kernel(
            filenames: Any, compression_type: Any, buffer_size: Any, header: Any, field_delim: Any, quoted: Any,
            na_value: Any, select_cols: Any, record_defaults: Any,
        ) -> Elements:
            delimiter, missing = _bytes(field_delim), _bytes(na_value)
            if len(delimiter) != 1:
                raise errors.InvalidArgumentError(None, None, "field_delim should be only 1 char")
            selected = np.reshape(select_cols, -1).tolist()
            if selected and (len(selected) != len(types) or selected[0] < 0 or selected != sorted(set(selected))):
                raise errors.InvalidArgumentError(
                    None, None, "select_cols should be strictly increasing indices, one for each default"
                )
            for i, default in enumerate(record_defaults):
                if np.ndim(default) > 1 or np.size(default) > 1:
                    raise errors.InvalidArgumentError(
                        None, None, f"There should only be 1 default per field but field {i} has {np.size(default)}"
                    )
            with Graph().as_default():
                rows = placeholder(dtypes.string, [None])
                columns = lookup("DecodeCSV")(
                    rows, [np.asarray(d) for d in record_defaults], OUT_TYPE=types, field_delim=delimiter,
                    use_quote_delim=bool(quoted), na_value=missing, select_cols=selected,
                )
                plan = Plan(columns, [rows], session, installed_backends())

            def parse(given: list[bytes]) -> list[Any]:
                vector = np.empty(len(given), object)
                vector[:] = given
                return plan.run(RunContext(session), [vector])

            kind = compression(compression_type)
            names = [os.fsdecode(name) for name in np.reshape(filenames, -1).tolist()]
            return Rows(names, lambda path: _whole_rows(path, kind, bool(header), bool(quoted)), parse)

        return kernel


def _bytes(value: Any) -> bytes:
    found = np.asarray(value, object).item()
    return found.encode() if isinstance(found, str) else found


class Query(Elements):
    """The rows that a query finds in a SQLite database."""

    def __init__(self, path: str, query: str, types: list) -> None:
        self._path, self._query, self._types = path, query, types

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Results(self._path, self._query, self._types)


class _Results:
    def __init__(self, path: str, query: str, types: list) -> None:
        self._given, self._types = (path, query), types
        self._cursor: Any = None

    def __iter__(self) -> _Results:
        return self

    def __next__(self) -> Element:
        try:
            if self._cursor is None:
                path, query = self._given
                if not os.path.exists(path):
                    raise errors.InvalidArgumentError(None, None, f"Failed to connect to database: {path} is not there")
                connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
                connection.text_factory = bytes
                cursor = connection.execute(query)
                count = len(cursor.description or ())
                if count != len(self._types):
                    raise errors.InvalidArgumentError(
                        None, None,
                        f"The number of columns in query ({count}) must match the number of elements in output_types "
                        f"({len(self._types)}).",
                    )
                self._cursor = cursor
            row = next(self._cursor)
        except sqlite3.Error as error:
            raise errors.UnknownError(None, None, f"Failed to execute query: {error}") from error
        with np.errstate(over="ignore"):
            return [_cell(value, dtype) for value, dtype in zip(row, self._types, strict=True)]


def _cell(value: Any, dtype: Any) -> Any:
    """A value of a row as SQLite turns one into another."""
    if dtype is dtypes.string:
        return b"" if value is None else value if isinstance(value, bytes) else str(value).encode()
    if isinstance(value, bytes):
        digits = value.strip()
        try:
            value = float(digits) if dtype.is_floating else int(digits)
        except ValueError:
            value = 0
    if dtype is dtypes.bool:
        return np.bool_(value)
    kind = dtype.as_numpy_dtype
    if value is None:
        return kind(0)
    return kind(value) if dtype.is_floating else np.array(int(value) & (2**64 - 1), np.uint64).astype(kind)[()]


for _prefix in BOTH:
    _sql = dataset_op(
        f"{_prefix}SqlDataset(driver_name: string, data_source_name: string, query: string) -> handle: variant",
        stateful=True,
    )

    @_sql.kernel_for
    def _(node: Any) -> Any:
        types = node.attrs["output_types"]

        def kernel(driver_name: Any, data_source_name: Any, query: Any) -> Elements:
            if _bytes(driver_name) != b"sqlite":
                raise errors.InvalidArgumentError(
                    None, None,
                    f"The database type, {_bytes(driver_name).decode()}, is not supported by SqlDataset. The set of "
                    "supported databases is: {'sqlite'}.",
                )
            return Query(_bytes(data_source_name).decode(), _bytes(query).decode(), types)

        return kernel
