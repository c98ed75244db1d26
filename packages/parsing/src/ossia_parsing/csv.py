"""CSV records as tensors, one per column."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank_at_most
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.strings.numbers import single

_INTEGER = re.compile(rb"\s*-?[0-9]+\s*")
_FLOAT = re.compile(
    rb"\s*[+-]?(?:inf|nan|(?P<hex>0x[0-9a-f]+)|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)\s*", re.IGNORECASE
)

decode_csv_op = op(
    "DecodeCSV(records: string, record_defaults: OUT_TYPE) -> output: OUT_TYPE",
    OUT_TYPE="list({float, double, int32, int64, string}) >= 1",
    field_delim="string = ','",
    use_quote_delim="bool = true",
    na_value="string = ''",
    select_cols="list(int) = []",
)


@decode_csv_op.shape
def _(records, record_defaults):
    for default in record_defaults:
        dims = with_rank_at_most(default, 1).as_tuple()
        if dims and dims[0] not in (None, 0, 1):
            raise ValueError("Shape of a default must be a length-0 or length-1 vector, or a scalar.")
    return [records.shape] * len(record_defaults)


@decode_csv_op.kernel_for
def _(node):
    delimiter, quoted, missing = (node.attrs[name] for name in ("field_delim", "use_quote_delim", "na_value"))
    selected = node.attrs["select_cols"]
    if len(delimiter) != 1:
        raise InvalidArgumentError(None, None, "field_delim should be only 1 char")
    if selected and (
        len(selected) != len(node.attrs["OUT_TYPE"]) or selected[0] < 0 or selected != sorted(set(selected))
    ):
        raise InvalidArgumentError(
            None, None, "select_cols should be strictly increasing column numbers, one for each default"
        )
    converters = [_CONVERTERS[dtype] for dtype in node.attrs["OUT_TYPE"]]
    kinds = [dtype.as_numpy_dtype for dtype in node.attrs["OUT_TYPE"]]

    def columns(records: Any, record_defaults: Any) -> list[np.ndarray]:
        records = np.asarray(records, object)
        defaults = [np.asarray(default) for default in record_defaults]
        for i, default in enumerate(defaults):
            if default.ndim > 1 or default.size > 1:
                raise InvalidArgumentError(
                    None, None, f"There should only be 1 default per field but field {i} has {default.size}"
                )
        rows: list[list[Any]] = [[] for _ in converters]
        for number, record in enumerate(records.ravel().tolist()):
            fields = _fields(record, delimiter, quoted)
            if selected:
                fields = [fields[column] for column in selected if column < len(fields)]
            if len(fields) != len(converters):
                raise InvalidArgumentError(
                    None, None, f"Expect {len(converters)} fields but have {len(fields)} in record {number}"
                )
            for i, field in enumerate(fields):
                if field == b"" or field == missing:
                    if not defaults[i].size:
                        raise InvalidArgumentError(None, None, f"Field {i} is required but missing in record {number}!")
                    rows[i].append(defaults[i].item())
                    continue
                value = converters[i](field)
                if value is None:
                    raise InvalidArgumentError(
                        None,
                        None,
                        f"Field {i} in record {number} is not a valid "
                        f"{dtypes.engine_name(node.get_attr('OUT_TYPE')[i])}: {field[:200].decode(errors='replace')}",
                    )
                rows[i].append(value)
        return [_column(row, kind).reshape(records.shape) for row, kind in zip(rows, kinds, strict=True)]

    return columns


def _column(values: list[Any], kind: Any) -> np.ndarray:
    column = np.empty(len(values), kind)
    with np.errstate(over="ignore"):
        column[:] = values
    return column


def _integer(bits: int) -> Callable[[bytes], int | None]:
    limit = 1 << (bits - 1)

    def convert(text: bytes) -> int | None:
        if not _INTEGER.fullmatch(text) or len(text) > 4000:
            return None
        number = int(text)
        return number if -limit <= number < limit else None

    return convert


def _float(text: bytes) -> float | None:
    match = _FLOAT.fullmatch(text)
    if not match:
        return None
    if match["hex"]:
        return float(int(match["hex"], 16)) * (-1 if text.lstrip().startswith(b"-") else 1)
    return float(text)


def _single(text: bytes) -> float | None:
    number = _float(text)
    return number if number is None or b"x" in text.lower() else single(text, number)


_CONVERTERS: dict[Any, Callable[[bytes], Any]] = {
    dtypes.int32: _integer(32),
    dtypes.int64: _integer(64),
    dtypes.float32: _single,
    dtypes.float64: _float,
    dtypes.string: lambda text: text,
}


def _fields(record: bytes, delimiter: bytes, quoted: bool) -> list[bytes]:
    """The fields of a record.

    Raises:
        InvalidArgumentError: A quote or a line end is where none may be.
    """
    if not record:
        return []
    if not (quoted and b'"' in record):
        if b"\n" in record or b"\r" in record:
            raise InvalidArgumentError(None, None, "Unquoted fields cannot have quotes/CRLFs inside")
        return record.split(delimiter)
    fields, at, end = [], 0, len(record)
    while at <= end:
        if record[at : at + 1] == b'"':
            field, at = _quoted_field(record, at + 1, delimiter)
        else:
            stop = record.find(delimiter, at)
            stop = end if stop < 0 else stop
            field, at = record[at:stop], stop + 1
            if b'"' in field or b"\n" in field or b"\r" in field:
                raise InvalidArgumentError(None, None, "Unquoted fields cannot have quotes/CRLFs inside")
        fields.append(field)
    return fields


def _quoted_field(record: bytes, at: int, delimiter: bytes) -> tuple[bytes, int]:
    """The field after an opening quote, and where the next one begins."""
    pieces = []
    while (quote := record.find(b'"', at)) >= 0:
        pieces.append(record[at:quote])
        following = record[quote + 1 : quote + 2]
        if following in (b"", delimiter):
            return b"".join(pieces), quote + 2
        if following != b'"':
            raise InvalidArgumentError(None, None, "Quote inside a string has to be escaped by another quote")
        pieces.append(b'"')
        at = quote + 2
    raise InvalidArgumentError(None, None, "Quoted field has to end with quote followed by delim or end")


decode_csv_op.samples(
    plain=sample([b"1,a", b"2,"], [[np.int32(0)], [b"x"]]),
    quoted=sample(b'"a,b",1.5', [[b""], [0.0]]),
    empty=sample(np.zeros(0, object), [[0.0]]),
    halfway=sample([b"7.038531e-26", b"16777217", b"16777217.0000000001", b"-16777219"] * 3, [[0.0]]),
)


@public("decode_csv", "io.decode_csv")
def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Any = None,
) -> list[Tensor]:
    """Records of comma-separated values as one tensor per column (RFC 4180).

    Args:
        records: A string tensor, one record an element.
        record_defaults: For each column a vector of one default, or of none where the field may not be empty; its
            dtype (float32, float64, int32, int64 or string) is that of the column.
        field_delim: The character between fields.
        use_quote_delim: Whether `"` begins a field that may hold delimiters and line ends; `""` within it is a quote.
        name: Name of the op.
        na_value: A text that counts as an empty field.
        select_cols: Increasing numbers of the columns to take; all by default.

    Returns:
        A list of tensors in the shape of `records`.

    Raises:
        ValueError: `select_cols` is not increasing, or there are not as many of them as defaults.
    """
    return decode_csv_v2(records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name)


@public("compat.v2.io.decode_csv")
def decode_csv_v2(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Any = None,
    name: str | None = None,
) -> list[Tensor]:
    """`tf.io.decode_csv` with `name` at the end."""
    if select_cols is not None:
        if any(later <= earlier for earlier, later in zip(select_cols, select_cols[1:], strict=False)):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols and select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return decode_csv_op(
        records,
        record_defaults,
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        select_cols=select_cols or [],
        name=name,
    )
