"""Sorted tables: what is written is read, what is damaged is refused."""

import io
import struct

import pytest

from ossia_checkpoint import checksum, varint
from ossia_checkpoint.table import TableReader, TableWriter
from ossia_core.names import errors


def written(path, items, **options):
    stream = io.BytesIO()
    table = TableWriter(stream, **options)
    for key, value in items:
        table.add(key, value)
    assert table.finish() == len(stream.getvalue())
    path.write_bytes(stream.getvalue())
    return TableReader(str(path))


def entries(count):
    return [(b"key/%06d" % i, b"v" * (i % 50)) for i in range(count)]


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 1000])
@pytest.mark.parametrize("block_bytes", [1, 300, 1 << 18])
def test_round_trip(tmp_path, count, block_bytes):
    items = entries(count)
    table = written(tmp_path / "t", items, block_bytes=block_bytes)
    assert list(table.items()) == items
    for key, value in items:
        assert table.get(key) == value
    assert table.get(b"") is table.get(b"key/x") is table.get(b"z") is None
    if count > 20:
        assert next(table.items(b"key/000010x"))[0] == b"key/000011"


def test_keys_with_any_bytes(tmp_path):
    keys = sorted({b"", b"\x00", b"\x00\x01", b"\xff", b"\xff\xff", b"\xff\xff\x00", b"a" * 1000, b"a" * 1000 + b"b"})
    table = written(tmp_path / "t", [(key, key[:3]) for key in keys], block_bytes=1)
    assert [key for key, _ in table.items()] == keys
    assert all(table.get(key) == key[:3] for key in keys)


def test_keys_must_ascend():
    table = TableWriter(io.BytesIO())
    table.add(b"b", b"")
    for key in (b"b", b"a"):
        with pytest.raises(errors.InvalidArgumentError):
            table.add(key, b"")


def test_the_table_of_the_original(golden):
    table = TableReader(str(golden / "v2.index"))
    keys = [key for key, _ in table.items()]
    assert keys[0] == b"" and b"dense/kernel" in keys


def test_missing_file(tmp_path):
    with pytest.raises(errors.NotFoundError):
        TableReader(str(tmp_path / "none"))


def read_everything(path):
    with TableReader(str(path)) as table:
        return list(table.items())


def test_every_truncation_is_data_loss(tmp_path):
    written(tmp_path / "t", entries(40), block_bytes=300).close()
    content = (tmp_path / "t").read_bytes()
    for length in range(len(content)):
        (tmp_path / "cut").write_bytes(content[:length])
        with pytest.raises(errors.DataLossError):
            read_everything(tmp_path / "cut")


def test_every_flipped_bit_is_seen_or_harmless(tmp_path):
    items = entries(12)
    written(tmp_path / "t", items).close()
    content = bytearray((tmp_path / "t").read_bytes())
    for at in range(len(content)):
        for bit in range(8):
            content[at] ^= 1 << bit
            (tmp_path / "flipped").write_bytes(content)
            content[at] ^= 1 << bit
            try:
                assert read_everything(tmp_path / "flipped") == items  # only unused bytes of the footer may differ
            except (errors.DataLossError, errors.UnimplementedError):
                pass


def block(entries, restarts=(0,)):
    return b"".join(entries) + struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))


def table_of(data_blocks, index=None):
    """A file with blocks as given and correct checksums."""
    content, handles = b"", []

    def put(payload, kind=0):
        nonlocal content
        handles.append(varint.encode(len(content)) + varint.encode(len(payload)))
        stored = payload + bytes([kind])
        content += stored + struct.pack("<I", checksum.mask(checksum.crc32c(stored)))
        return handles[-1]

    located = [put(*(each if isinstance(each, tuple) else (each,))) for each in data_blocks]
    meta = put(block([]))
    index_block = block([entry(0, b"%c" % (97 + i), h) for i, h in enumerate(located)]) if index is None else index
    content += b""
    footer = (meta + put(index_block)).ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)
    return content + footer


def entry(shared, rest, value):
    return varint.encode(shared) + varint.encode(len(rest)) + varint.encode(len(value)) + rest + value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x" * 48,
        table_of([block([entry(3, b"a", b"")])]),  # shares more than there is
        table_of([block([b"\xff" * 11])]),  # endless varint
        table_of([block([varint.encode(0) + varint.encode(1 << 31) + varint.encode(0)])]),
        table_of([block([entry(0, b"b", b""), entry(0, b"a", b"")])]),  # descending keys
        table_of([block([entry(0, b"a", b""), entry(0, b"a", b"")])]),  # the same key twice
        table_of([struct.pack("<I", 1 << 30)]),  # more restarts than bytes
        table_of([(block([]), 7)]),  # unknown compression
        table_of(
            [], index=block([entry(0, b"a", varint.encode(1 << 40) + varint.encode(10))])
        ),  # a block beyond the end
        table_of([], index=block([entry(0, b"a", varint.encode(0) + varint.encode(1 << 62))])),
        table_of([], index=block([entry(0, b"a", b"\x05\x05"), entry(0, b"b", b"\x01\x05")])),  # overlapping blocks
        table_of(
            [block([entry(0, b"a" * 60000, b""), *[entry(60000, b"%05d" % i, b"") for i in range(3000)]])]
        ),  # keys that grow to 180 MB
    ],
    ids=range(13),
)
def test_hostile_tables(tmp_path, content):
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(errors.DataLossError):
        read_everything(tmp_path / "t")


def test_snappy(tmp_path):
    cramjam = pytest.importorskip("cramjam")
    payload = block([entry(0, b"a", b"v" * 500)])
    (tmp_path / "t").write_bytes(table_of([(bytes(cramjam.snappy.compress_raw(payload)), 1)]))
    assert read_everything(tmp_path / "t") == [(b"a", b"v" * 500)]


def test_lying_snappy_length(tmp_path):
    pytest.importorskip("cramjam")
    (tmp_path / "t").write_bytes(table_of([(varint.encode(1 << 31) + b"abc", 1)]))
    with pytest.raises(errors.DataLossError):
        read_everything(tmp_path / "t")


def test_without_snappy_the_error_says_what_to_install(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "cramjam", None)
    (tmp_path / "t").write_bytes(table_of([(b"\x00", 1)]))
    with pytest.raises(errors.UnimplementedError, match="snappy"):
        read_everything(tmp_path / "t")


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**32, 2**63, 2**64 - 1])
def test_varints(value):
    data = varint.encode(value)
    assert varint.decode(data, 0, len(data)) == (value, len(data))
    for end in range(len(data)):
        with pytest.raises(errors.DataLossError):
            varint.decode(data, 0, end)


def test_varints_that_are_too_large():
    for data, bits in ((varint.encode(2**64), 64), (varint.encode(2**32), 32), (b"\x80" * 20, 64)):
        with pytest.raises(errors.DataLossError):
            varint.decode(data, 0, len(data), bits)


def test_masked_checksums():
    assert checksum.mask(checksum.crc32c(b"")) == 0xA282EAD8
    assert checksum.crc32c(b"123456789") == 0xE3069283
    for crc in (0, 1, 0x12345678, 0xFFFFFFFF):
        assert checksum.unmask(checksum.mask(crc)) == crc
