"""Format V2: the bytes of TensorFlow 1.15.5, and every kind of damage."""

import ml_dtypes
import numpy as np
import pytest

from ossia_checkpoint.bundle import BundleWriter, data_name, index_name
from ossia_checkpoint.bundle_merge import merge_bundles
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_checkpoint.slices import parse_shape_and_slice, parse_slice
from ossia_core.names import dtypes, errors

DAMAGE = (
    errors.DataLossError,
    errors.InvalidArgumentError,
    errors.NotFoundError,
    errors.OutOfRangeError,
    errors.UnimplementedError,
    errors.ResourceExhaustedError,
)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())


def write(prefix, items):
    """Saves (name, array, slice specification) triples."""
    with BundleWriter(str(prefix)) as writer:
        for name, array, spec in items:
            if spec:
                shape, box, _ = parse_shape_and_slice(spec)
                writer.add_slice(name, shape, box, array)
            else:
                writer.add(name, array)


def files_of(folder, name):
    return {path.name: path.read_bytes() for path in folder.glob(name + ".*")}


def shards(golden):
    whole, parts = golden["PARTITIONED"], golden["PARTS"]
    return [
        [("b", np.float32([1, 2]), ""), ("part", whole[0:2], parts[0][0])],
        [("a", np.float32([3]), ""), ("part", whole[2:4], parts[1][0]), ("z", np.array([b"x"], object), "")],
        [("part", whole[4:5], parts[2][0])],
    ]


def test_reads_what_the_original_wrote(golden, golden_tensors):
    expected = golden_tensors["tensors"]()
    with BundleReader(str(golden / "v2")) as reader:
        assert list(reader.names()) == sorted(expected)
        for name, array in expected.items():
            assert same(reader.read(name), array), name


def test_writes_the_same_bytes_as_the_original(golden, golden_tensors, tmp_path):
    whole, parts = golden_tensors["PARTITIONED"], golden_tensors["PARTS"]
    write(tmp_path / "v2", [(name, array, "") for name, array in golden_tensors["tensors"]().items()])
    write(
        tmp_path / "sliced", [*(("part", whole[a:b], spec) for spec, a, b in parts), ("whole", np.float32([1, 2]), "")]
    )
    write(tmp_path / "reversed", [("b", np.int32([1]), ""), ("a", np.int32([2]), "")])
    write(tmp_path / "bfloat16", [("x", np.array([1, 2.5, -3], ml_dtypes.bfloat16), "")])
    write(tmp_path / "quantized", [("q", np.array([(1,), (-2,)], dtypes.qint8.as_numpy_dtype), "")])
    for i, items in enumerate(shards(golden_tensors)):
        write(tmp_path / f"shard_{i}", items)
    merge_bundles([str(tmp_path / f"shard_{i}") for i in range(3)], str(tmp_path / "merged"))
    for name in ("v2", "sliced", "reversed", "bfloat16", "quantized", "merged"):
        assert files_of(tmp_path, name) == files_of(golden, name), name
    assert not list(tmp_path.glob("shard_*"))


def test_slices(golden, golden_tensors):
    whole = golden_tensors["PARTITIONED"]
    for prefix in ("sliced", "merged"):
        with BundleReader(str(golden / prefix)) as reader:
            assert same(reader.read("part"), whole)
            assert same(reader.read_slice("part", parse_slice("0,2:-")), whole[0:2])
            assert same(reader.read_slice("part", parse_slice("1,3:1,2")), whole[1:4, 1:3])
            assert reader.entry("part").slices[0] == parse_slice("0,2:-")
            with pytest.raises(errors.InvalidArgumentError):
                reader.read_slice("part", parse_slice("4,3:-"))


def test_bfloat16_and_quantized(golden):
    with BundleReader(str(golden / "bfloat16")) as reader:
        assert reader.read("x").dtype == ml_dtypes.bfloat16 and reader.read("x").tolist() == [1, 2.5, -3]
    with BundleReader(str(golden / "quantized")) as reader:
        assert reader.read("q").tolist() == [(1,), (-2,)]


def test_nothing_is_visible_before_the_end(tmp_path):
    with pytest.raises(RuntimeError), BundleWriter(str(tmp_path / "x")) as writer:
        writer.add("a", np.zeros(3))
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_an_existing_checkpoint_is_replaced(tmp_path):
    for value in (1, 2):
        write(tmp_path / "x", [("a", np.int32([value]), "")])
        with BundleReader(str(tmp_path / "x")) as reader:
            assert reader.read("a").tolist() == [value]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.data-00000-of-00001", "x.index"]


@pytest.mark.parametrize(
    "items",
    [
        [("a", np.zeros(2), ""), ("a", np.zeros(2), "")],
        [("a", np.zeros(2), "4 0,2"), ("a", np.zeros(2), "4 0,2")],
        [("a", np.zeros(2), "4 0,2"), ("a", np.zeros(2), "5 2,2")],
        [("a", np.zeros(2), "4 0,2"), ("a", np.zeros(2, np.int32), "4 2,2")],
        [("a", np.zeros(3), "4 0,2")],
        [("a", np.zeros(2), "4 3,2")],
        [("", np.zeros(2), "")],
    ],
    ids=range(7),
)
def test_what_cannot_be_saved(tmp_path, items):
    with pytest.raises(errors.InvalidArgumentError):
        write(tmp_path / "x", items)
    assert not list(tmp_path.iterdir())


def test_a_slice_that_is_the_whole_tensor_is_stored_as_such(tmp_path):
    write(tmp_path / "x", [("a", np.arange(4.0), "4 0,4")])
    with BundleReader(str(tmp_path / "x")) as reader:
        assert reader.entry("a").slices == () and reader.read("a").tolist() == [0, 1, 2, 3]


def test_missing_parts_of_a_tensor(tmp_path):
    write(tmp_path / "x", [("a", np.arange(2.0), "4 0,2")])
    with BundleReader(str(tmp_path / "x")) as reader:
        assert reader.read_slice("a", parse_slice("0,2")).tolist() == [0, 1]
        with pytest.raises(errors.InvalidArgumentError, match="sufficient slices"):
            reader.read("a")


def test_merging_the_same_tensor_twice(tmp_path):
    for i in range(2):
        write(tmp_path / f"s{i}", [("a", np.zeros(1), "")])
    with pytest.raises(errors.InvalidArgumentError):
        merge_bundles([str(tmp_path / "s0"), str(tmp_path / "s1")], str(tmp_path / "x"))
    assert {path.name[:2] for path in tmp_path.iterdir()} == {"s0", "s1"}


def test_missing_tensor_and_missing_files(golden, tmp_path):
    with BundleReader(str(golden / "v2")) as reader:
        assert "scalar" in reader and "nothing" not in reader and "" not in reader
        for name in ("nothing", ""):
            with pytest.raises(errors.NotFoundError):
                reader.read(name)
    with pytest.raises(errors.NotFoundError):
        BundleReader(str(tmp_path / "none"))
    (tmp_path / "x.index").write_bytes((golden / "v2.index").read_bytes())
    with BundleReader(str(tmp_path / "x")) as reader, pytest.raises(errors.NotFoundError):
        reader.read("scalar")


def read_all(prefix):
    with BundleReader(str(prefix)) as reader:
        return {name: reader.read(name) for name in reader.names()}


def test_every_flipped_byte_is_seen(golden, tmp_path):
    good = files_of(golden, "sliced")
    expected = read_all(golden / "sliced")
    for name in good:
        for at in range(len(good[name])):
            for path, content in good.items():
                (tmp_path / path).write_bytes(content)
            damaged = bytearray(good[name])
            damaged[at] ^= 0xFF
            (tmp_path / name).write_bytes(damaged)
            try:
                found = read_all(tmp_path / "sliced")
            except DAMAGE:
                continue
            assert all(same(found[key], expected[key]) for key in expected), (name, at)


def test_every_truncation_is_seen(golden, tmp_path):
    good = files_of(golden, "merged")
    for name in good:
        for length in range(len(good[name])):
            for path, content in good.items():
                (tmp_path / path).write_bytes(content)
            (tmp_path / name).write_bytes(good[name][:length])
            with pytest.raises(DAMAGE):
                read_all(tmp_path / "merged")


def forged(tmp_path, change, header=None, data=b"\0" * 64, slices=()):
    """A checkpoint with one entry that is not what it should be, checksums of the table correct."""
    from ossia_checkpoint import bundle
    from ossia_core.proto import BundleEntryProto, BundleHeaderProto

    head = BundleHeaderProto(num_shards=1)
    head.version.producer = 1
    if header:
        header(head)
    entry = BundleEntryProto(dtype=1, size=8)
    entry.shape.dim.add(size=2)
    change(entry)
    with open(index_name(str(tmp_path / "x")), "wb") as stream:
        bundle.write_index(stream, head, {b"a": entry, **dict(slices)})
    (tmp_path / "x.data-00000-of-00001").write_bytes(data)
    return tmp_path / "x"


@pytest.mark.parametrize(
    "change",
    [
        lambda e: setattr(e, "shard_id", 5),
        lambda e: setattr(e, "shard_id", -1),
        lambda e: setattr(e, "offset", 1 << 40),
        lambda e: setattr(e, "offset", -8),
        lambda e: setattr(e, "size", 7),
        lambda e: setattr(e, "size", -8),
        lambda e: (setattr(e.shape.dim[0], "size", 1 << 40), setattr(e, "size", 1 << 42)),
        lambda e: setattr(e.shape.dim[0], "size", -1),
        lambda e: [e.shape.dim.add(size=1 << 40) for _ in range(3)],
        lambda e: [e.shape.dim.add(size=1) for _ in range(300)],
        lambda e: setattr(e, "dtype", 0),
        lambda e: setattr(e, "dtype", 101),
        lambda e: setattr(e, "dtype", 999),
        lambda e: setattr(e, "dtype", 20),
        lambda e: setattr(e, "dtype", 7),
        lambda e: (setattr(e, "dtype", 7), setattr(e.shape.dim[0], "size", 1 << 40)),
        lambda e: e.slices.add().extent.add(start=0, length=1),  # a slice that is not there
        lambda e: e.slices.add().extent.add(start=5, length=1),
        lambda e: e.slices.add().extent.add(start=0, length=-3),
        lambda e: e.slices.add(),
        lambda e: setattr(e, "crc32c", 1),
    ],
    ids=range(21),
)
def test_entries_that_lie(tmp_path, change):
    with pytest.raises(DAMAGE):
        read_all(forged(tmp_path, change))


def test_overlapping_slices_and_slices_larger_than_the_tensor(tmp_path):
    write(tmp_path / "x", [("a", np.zeros(3), "4 0,3"), ("a", np.zeros(2), "4 2,2")])
    with pytest.raises(errors.DataLossError):
        read_all(tmp_path / "x")


@pytest.mark.parametrize(
    "header, error",
    [
        (lambda h: setattr(h, "endianness", 1), errors.UnimplementedError),
        (lambda h: setattr(h.version, "min_consumer", 2), errors.InvalidArgumentError),
        (lambda h: h.version.bad_consumers.append(1), errors.InvalidArgumentError),
        (lambda h: setattr(h, "num_shards", 0), errors.DataLossError),
    ],
)
def test_headers(tmp_path, header, error):
    with pytest.raises(error):
        read_all(forged(tmp_path, lambda e: None, header))


def test_a_table_that_is_no_checkpoint(tmp_path):
    from ossia_checkpoint.table import TableWriter

    for items in ([], [(b"a", b"")], [(b"", b"\xff\xff")]):
        with open(tmp_path / "x.index", "wb") as stream:
            table = TableWriter(stream)
            for key, value in items:
                table.add(key, value)
            table.finish()
        with pytest.raises(errors.DataLossError):
            BundleReader(str(tmp_path / "x"))


def test_names_of_files():
    assert data_name("a/b", 3, 10) == "a/b.data-00003-of-00010" and index_name("a/b") == "a/b.index"
