"""TFRecord files: what the original wrote, what it would read, and damaged ones."""

import pathlib
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ossia_core.names import errors
from ossia_io import records
from ossia_io.records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

FILES = pathlib.Path(__file__).parent / "golden" / "files"
RECORDS = [b"", b"a", b"\x00\xff" * 100, bytes(range(256)) * 8]
KINDS = {"plain": "", "zlib": "ZLIB", "gzip": "GZIP"}


@pytest.mark.parametrize("name", KINDS)
def test_reads_what_the_original_wrote(name):
    assert list(tf_record_iterator(FILES / f"{name}.tfrecord", TFRecordOptions(KINDS[name]))) == RECORDS


@pytest.mark.parametrize("name", KINDS)
def test_writes_the_bytes_of_the_original(name, tmp_path):
    with TFRecordWriter(tmp_path / "out", KINDS[name]) as writer:
        for record in RECORDS:
            writer.write(record)
    ours, golden = (tmp_path / "out").read_bytes(), (FILES / f"{name}.tfrecord").read_bytes()
    if name == "plain":
        assert ours == golden
    else:  # zlib releases compress differently
        wbits = 31 if name == "gzip" else 15
        assert ours[:2] == golden[:2]
        assert zlib.decompress(ours, wbits) == zlib.decompress(golden, wbits)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=300)), st.sampled_from(["", "ZLIB", "GZIP"]))
def test_round_trip(tmp_path_factory, written, kind):
    path = tmp_path_factory.mktemp("records") / "file"
    with TFRecordWriter(path, kind) as writer:
        for record in written:
            writer.write(record)
    assert list(tf_record_iterator(path, kind)) == written


def _parse(path, kind=""):
    found = []
    try:
        for record in tf_record_iterator(path, kind):
            found.append(record)
    except errors.DataLossError as error:
        return found, error
    return found, None


def test_every_truncation_keeps_the_complete_records(tmp_path):
    data = (FILES / "plain.tfrecord").read_bytes()[:400]
    ends = [0]
    for record in RECORDS:
        ends.append(ends[-1] + 16 + len(record))
    for cut in range(len(data)):
        (tmp_path / "cut").write_bytes(data[:cut])
        found, error = _parse(tmp_path / "cut")
        whole = sum(end <= cut for end in ends[1:])
        assert found == RECORDS[:whole]
        assert (error is not None) == (cut - ends[whole] >= 12)


def test_every_flipped_bit_is_noticed(tmp_path):
    data = bytearray(b"".join(records.framed(record) for record in RECORDS[:3]))
    for at in range(len(data)):
        data[at] ^= 1 << at % 8
        (tmp_path / "flipped").write_bytes(data)
        found, error = _parse(tmp_path / "flipped")
        assert error is not None
        assert found == RECORDS[: len(found)]
        data[at] ^= 1 << at % 8


@pytest.mark.parametrize("length", [100, 1 << 31, 1 << 40, 1 << 63, (1 << 64) - 1])
def test_a_length_beyond_the_file_takes_no_memory(length, tmp_path):
    header = struct.pack("<Q", length)
    (tmp_path / "long").write_bytes(header + struct.pack("<I", records.masked_crc(header)) + b"abc")
    with pytest.raises(errors.DataLossError, match="truncated record at 0"):
        list(tf_record_iterator(tmp_path / "long"))


def test_a_bomb_is_refused(tmp_path):
    header = struct.pack("<Q", 1 << 40)
    squeeze = zlib.compressobj(9)
    with open(tmp_path / "bomb", "wb") as file:
        file.write(squeeze.compress(header + struct.pack("<I", records.masked_crc(header))))
        for _ in range(100):
            file.write(squeeze.compress(bytes(1 << 20)))
        file.write(squeeze.flush())
    with pytest.raises(errors.DataLossError, match="refused"):
        list(tf_record_iterator(tmp_path / "bomb", "ZLIB"))


@pytest.mark.parametrize("kind", ["ZLIB", "GZIP"])
def test_truncated_and_damaged_compressed_files(kind, tmp_path):
    with TFRecordWriter(tmp_path / "whole", kind) as writer:
        for record in RECORDS[:3]:
            writer.write(record)
    data = (tmp_path / "whole").read_bytes()
    for at in range(len(data)):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            (tmp_path / "damaged").write_bytes(damaged)
            found, _ = _parse(tmp_path / "damaged", kind)
            assert found == RECORDS[: len(found)]
    (tmp_path / "damaged").write_bytes(data + b"rest")
    assert _parse(tmp_path / "damaged", kind) == (RECORDS[:3], None)


def test_flushed_records_can_be_read(tmp_path):
    for kind in ("", "GZIP"):
        writer = TFRecordWriter(tmp_path / "file", kind)
        writer.write(b"first")
        writer.flush()
        assert list(tf_record_iterator(tmp_path / "file", kind)) == [b"first"]
        writer.close()


def test_a_closed_writer(tmp_path):
    writer = TFRecordWriter(tmp_path / "file")
    writer.close()
    writer.close()
    for use in (lambda: writer.write(b"x"), writer.flush):
        with pytest.raises(errors.FailedPreconditionError, match="closed"):
            use()


@pytest.mark.parametrize("record", ["text", 3, None, bytearray(b"x")])
def test_only_bytes_are_written(record, tmp_path):
    with TFRecordWriter(tmp_path / "file") as writer, pytest.raises(TypeError, match="expected bytes"):
        writer.write(record)


def test_compression_types():
    to_string = TFRecordOptions.get_compression_type_string
    assert [
        to_string(kind) for kind in ("", None, "GZIP", 0, 1, TFRecordCompressionType.GZIP, TFRecordOptions("ZLIB"))
    ] == ["", "", "GZIP", "", "ZLIB", "GZIP", "ZLIB"]
    for wrong in ("gzip", "NONE", 7):
        with pytest.raises(ValueError, match="Not a valid compression_type"):
            TFRecordOptions(wrong)


@pytest.mark.parametrize("options", [{"window_bits": 99}, {"compression_level": 77}, {"mem_level": 100}], ids=str)
def test_options_that_zlib_refuses(options, tmp_path):
    with pytest.raises(errors.InvalidArgumentError, match="zlib refuses"):
        TFRecordWriter(tmp_path / "file", TFRecordOptions("ZLIB", **options))


def test_missing_files(tmp_path):
    with pytest.raises(errors.NotFoundError):
        list(tf_record_iterator(tmp_path / "none"))
    with pytest.raises(errors.NotFoundError):
        TFRecordWriter(tmp_path / "none" / "file")
    with pytest.raises(errors.FailedPreconditionError):
        list(tf_record_iterator(tmp_path))
