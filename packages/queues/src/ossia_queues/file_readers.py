"""The readers of files: lines, records, whole files, pieces of fixed length; and the one that passes its work on."""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.files import file_system, translate
from ossia_core.names import errors
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import resource_name
from ossia_io.inflating import inflate
from ossia_io.records import TFRecordOptions, read_records_with_offsets
from ossia_queues.readers import (
    ReaderBase,
    Record,
    RecordSource,
    complete_reader,
    reader_num_records_produced_v2_op,
    reader_num_work_units_completed_v2_op,
    reader_reset_v2_op,
    reader_restore_state_v2_op,
    reader_serialize_state_v2_op,
)

_ZLIB_WINDOW, _GZIP_WINDOW = 15, 31


def _bytes_of(work: bytes) -> bytes:
    path = os.fsdecode(work)
    with file_system(path).open(path, "rb") as file:
        try:
            return file.read()
        except OSError as error:
            raise translate(error, path) from error


class Lines(RecordSource):
    """The lines of text files, without their ends; keys are `file:line`."""

    kind = "TextLineReader"

    def __init__(self, name: str, skip: int) -> None:
        super().__init__(name)
        self._skip = skip

    def open(self, work: bytes) -> Iterator[Record]:
        path = os.fsdecode(work)
        with file_system(path).open(path, "rb") as file:
            try:
                for number, line in enumerate(file, 1):
                    if number > self._skip:
                        yield b"%s:%d" % (work, number), line.rstrip(b"\n").replace(b"\r", b"")
            except OSError as error:
                raise translate(error, path) from error


class Records(RecordSource):
    """The records of TFRecord files; keys are `file:offset`."""

    kind = "TFRecordReader"

    def __init__(self, name: str, compression: str) -> None:
        super().__init__(name)
        kinds = {"": None, "ZLIB": "ZLIB", "GZIP": "GZIP"}
        if compression not in kinds:
            raise errors.InvalidArgumentError(None, None, f"Unsupported compression_type:{compression}.")
        self._options = TFRecordOptions(kinds[compression]) if kinds[compression] else None

    def open(self, work: bytes) -> Iterator[Record]:
        offset = 0
        for record, after in read_records_with_offsets(os.fsdecode(work), self._options):
            yield b"%s:%d" % (work, offset), record
            offset = after


class WholeFiles(RecordSource):
    """Files as they are; keys are their names."""

    kind = "WholeFileReader"
    single = True

    def open(self, work: bytes) -> Iterator[Record]:
        yield work, _bytes_of(work)


class Work(RecordSource):
    """The work itself, as key and value."""

    kind = "IdentityReader"
    single = True

    def open(self, work: bytes) -> Iterator[Record]:
        yield work, work


class Database(RecordSource):
    """The entries of LMDB databases, in the order of their keys; a work unit is the name of a file, or of the directory
    that one is in."""

    kind = "LMDBReader"

    def open(self, work: bytes) -> Iterator[Record]:
        try:
            import lmdb
        except ImportError:
            raise errors.UnimplementedError(
                None, None, "Reading LMDB files needs the package lmdb: pip install ossia-queues[lmdb]"
            ) from None
        path = os.fsdecode(work)
        try:
            with (
                lmdb.open(path, subdir=os.path.isdir(path), readonly=True, lock=False, create=False) as database,
                database.begin() as transaction,
            ):
                yield from transaction.cursor()
        except lmdb.Error as error:
            raise errors.FailedPreconditionError(None, None, f"{path}: {error}") from error


class Pieces(RecordSource):
    """Pieces of fixed length; keys are `file:number`.

    Args:
        name: What errors call it.
        header, record, footer, hop: Bytes of the header, a piece, the footer, and from the start of one piece to that
            of the next, 0 for the length of a piece.
        encoding: "ZLIB" or "GZIP" for compressed files; any other means plain ones.
    """

    kind = "FixedLengthRecordReader"

    def __init__(self, name: str, header: int, record: int, footer: int, hop: int, encoding: str) -> None:
        super().__init__(name)
        for what, size, least in (("header", header, 0), ("record", record, 1), ("footer", footer, 0), ("hop", hop, 0)):
            if size < least:
                raise errors.InvalidArgumentError(None, None, f"{what}_bytes must be >= {least} not {size}")
        self._header, self._record, self._footer, self._hop = header, record, footer, hop or record
        self._encoding = encoding if encoding in ("ZLIB", "GZIP") else ""

    def open(self, work: bytes) -> Iterator[Record]:
        data = _bytes_of(work)
        if self._encoding:
            data = inflate(data, _GZIP_WINDOW if self._encoding == "GZIP" else _ZLIB_WINDOW)
        last = len(data) - self._footer - self._record
        for number, start in enumerate(range(self._header, last + 1, self._hop)):
            yield b"%s:%d" % (work, number), data[start : start + self._record]


_PLACE = {"container": "string = ''", "shared_name": "string = ''"}
_BY_REFERENCE, _BY_HANDLE = "() -> reader_handle: Ref(string)", "V2() -> reader_handle: resource"

_SKIP = {"skip_header_lines": "int = 0", **_PLACE}
text_line_reader_op = op(f"TextLineReader{_BY_REFERENCE}", stateful=True, **_SKIP)
text_line_reader_v2_op = op(f"TextLineReader{_BY_HANDLE}", stateful=True, **_SKIP)
complete_reader(
    text_line_reader_op, text_line_reader_v2_op, lambda attrs, name: Lines(name, attrs["skip_header_lines"])
)

_COMPRESSED = {**_PLACE, "compression_type": "string = ''"}
tf_record_reader_op = op(f"TFRecordReader{_BY_REFERENCE}", stateful=True, **_COMPRESSED)
tf_record_reader_v2_op = op(f"TFRecordReader{_BY_HANDLE}", stateful=True, **_COMPRESSED)
complete_reader(
    tf_record_reader_op, tf_record_reader_v2_op, lambda attrs, name: Records(name, attrs["compression_type"].decode())
)

whole_file_reader_op = op(f"WholeFileReader{_BY_REFERENCE}", stateful=True, **_PLACE)
whole_file_reader_v2_op = op(f"WholeFileReader{_BY_HANDLE}", stateful=True, **_PLACE)
complete_reader(whole_file_reader_op, whole_file_reader_v2_op, lambda attrs, name: WholeFiles(name))

identity_reader_op = op(f"IdentityReader{_BY_REFERENCE}", stateful=True, **_PLACE)
identity_reader_v2_op = op(f"IdentityReader{_BY_HANDLE}", stateful=True, **_PLACE)
complete_reader(identity_reader_op, identity_reader_v2_op, lambda attrs, name: Work(name))

lmdb_reader_op = op(f"LMDBReader{_BY_REFERENCE}", stateful=True, **_PLACE)
lmdb_reader_op.shape(lambda: TensorShape([2]))
lmdb_reader_op.resource(
    lambda node, session: session.resource(
        node.attrs["container"], resource_name(node), "reader LMDBReader", lambda: Database(node.name)
    )
)
lmdb_reader_op.not_differentiable()

_SIZES = {"header_bytes": "int = 0", "record_bytes": "int", "footer_bytes": "int = 0", "hop_bytes": "int = 0", **_PLACE}
fixed_length_record_reader_op = op(f"FixedLengthRecordReader{_BY_REFERENCE}", stateful=True, **_SIZES)
fixed_length_record_reader_v2_op = op(
    f"FixedLengthRecordReader{_BY_HANDLE}", stateful=True, **_SIZES, encoding="string = ''"
)
complete_reader(
    fixed_length_record_reader_op,
    fixed_length_record_reader_v2_op,
    lambda attrs, name: Pieces(
        name,
        attrs["header_bytes"],
        attrs["record_bytes"],
        attrs["footer_bytes"],
        attrs["hop_bytes"],
        attrs.get("encoding", b"").decode(),
    ),
)

for _reader in (text_line_reader_op, tf_record_reader_op, identity_reader_op, fixed_length_record_reader_op):
    _reader.removed(26, f"Use {_reader.type}V2 instead")

identity_reader_v2_op.samples(plain=sample())
reader_num_records_produced_v2_op.samples(none=(lambda: identity_reader_v2_op(name="fresh"),))
reader_num_work_units_completed_v2_op.samples(none=(lambda: identity_reader_v2_op(name="fresh"),))
reader_serialize_state_v2_op.samples(none=(lambda: identity_reader_v2_op(name="fresh"),))
reader_restore_state_v2_op.samples(
    one=(lambda: identity_reader_v2_op(name="fresh"), np.array(b"\x08\x01\x10\x01", object))
)
reader_reset_v2_op.samples(none=(lambda: identity_reader_v2_op(name="fresh"),))


@public("TextLineReader")
class TextLineReader(ReaderBase):
    """Reads the lines of text files; keys are `file:line`.

    Args:
        skip_header_lines: How many lines at the start of each file to leave out.
        name: Name of the node.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(text_line_reader_v2_op(skip_header_lines=skip_header_lines or 0, name=name))


@public("TFRecordReader")
class TFRecordReader(ReaderBase):
    """Reads the records of TFRecord files; keys are `file:offset`.

    Args:
        name: Name of the node.
        options: TFRecordOptions, for compressed files.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        kind = TFRecordOptions.get_compression_type_string(options)
        super().__init__(tf_record_reader_v2_op(compression_type=kind, name=name))


@public("WholeFileReader")
class WholeFileReader(ReaderBase):
    """Reads whole files; keys are their names.

    Args:
        name: Name of the node.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(whole_file_reader_v2_op(name=name), supports_serialize=True)


@public("IdentityReader")
class IdentityReader(ReaderBase):
    """Gives each string of the queue as key and value.

    Args:
        name: Name of the node.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(identity_reader_v2_op(name=name), supports_serialize=True)


@public("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """Reads files in pieces of fixed length; keys are `file:number`.

    Args:
        record_bytes: Bytes of a piece.
        header_bytes: Bytes at the start of each file to leave out.
        footer_bytes: Bytes at the end of each file to leave out.
        hop_bytes: Bytes from the start of one piece to that of the next, by default those of a piece.
        name: Name of the node.
        encoding: "ZLIB" or "GZIP" for compressed files; any other means plain ones.
    """

    def __init__(
        self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
        hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None,
    ) -> None:
        super().__init__(
            fixed_length_record_reader_v2_op(
                record_bytes=record_bytes,
                header_bytes=header_bytes or 0,
                footer_bytes=footer_bytes or 0,
                hop_bytes=hop_bytes or 0,
                encoding=encoding or "",
                name=name,
            )
        )


@public("LMDBReader")
class LMDBReader(ReaderBase):
    """Stands in graphs for a reader of LMDB files; reading raises UnimplementedError.

    Args:
        name: Name of the node.
        options: Accepted for compatibility.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(lmdb_reader_op(name=name))
