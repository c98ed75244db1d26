"""Format V1: the bytes of TensorFlow 1.15.5, and every kind of damage."""

import numpy as np
import pytest

from ossia_checkpoint.slices import parse_shape_and_slice, parse_slice
from ossia_checkpoint.v1_slices import V1Reader, V1Writer
from ossia_core.names import errors

DAMAGE = (
    errors.DataLossError,
    errors.InvalidArgumentError,
    errors.NotFoundError,
    errors.UnimplementedError,
    errors.ResourceExhaustedError,
)
ABSENT = ("types/float16", "types/uint32", "types/uint64", "no_strings")


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())


def tensors(golden_tensors):
    return {name: array for name, array in golden_tensors["tensors"]().items() if name not in ABSENT}


def test_reads_what_the_original_wrote(golden, golden_tensors):
    expected = tensors(golden_tensors)
    with V1Reader([str(golden / "v1")]) as reader:
        assert list(reader.names()) == sorted(expected)
        for name, array in expected.items():
            assert same(reader.read(name), array), name
    whole = golden_tensors["PARTITIONED"]
    with V1Reader([str(golden / "v1_sliced")]) as reader:
        assert same(reader.read("part"), whole)
        assert same(reader.read_slice("part", parse_slice("1,3:1,2")), whole[1:4, 1:3])


def test_writes_the_same_bytes_as_the_original(golden, golden_tensors, tmp_path):
    with V1Writer(str(tmp_path / "v1")) as writer:
        for name, array in tensors(golden_tensors).items():
            writer.add(name, array)
    with V1Writer(str(tmp_path / "v1_sliced")) as writer:
        for spec, start, stop in golden_tensors["PARTS"]:
            shape, box, _ = parse_shape_and_slice(spec)
            writer.add_slice("part", shape, box, golden_tensors["PARTITIONED"][start:stop])
        writer.add("whole", np.float32([1, 2]))
    for name in ("v1", "v1_sliced"):
        assert (tmp_path / name).read_bytes() == (golden / name).read_bytes()


def test_several_files(tmp_path):
    for i in range(2):
        with V1Writer(str(tmp_path / f"x{i}")) as writer:
            writer.add_slice("a", (4,), parse_slice(f"{2 * i},2"), np.arange(2.0) + 2 * i)
    with V1Reader([str(tmp_path / "x0"), str(tmp_path / "x1")]) as reader:
        assert reader.read("a").tolist() == [0, 1, 2, 3]
    with V1Reader([str(tmp_path / "x0")]) as reader, pytest.raises(errors.InvalidArgumentError):
        reader.read("a")


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_types_that_the_format_lacks(tmp_path, dtype):
    with pytest.raises(errors.UnimplementedError), V1Writer(str(tmp_path / "x")) as writer:
        writer.add("a", np.zeros(1, dtype))
    assert not list(tmp_path.iterdir())


def read_all(path):
    with V1Reader([str(path)]) as reader:
        return {name: reader.read(name) for name in reader.names()}


def test_every_truncation_and_flipped_byte_is_seen(golden, tmp_path):
    good = (golden / "v1_sliced").read_bytes()
    expected = read_all(golden / "v1_sliced")
    for at in range(len(good)):
        (tmp_path / "x").write_bytes(good[:at])
        with pytest.raises(DAMAGE):
            read_all(tmp_path / "x")
        (tmp_path / "x").write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        try:
            found = read_all(tmp_path / "x")
        except DAMAGE:
            continue
        assert all(same(found[name], expected[name]) for name in expected)


def forged(tmp_path, meta, data):
    from ossia_checkpoint.slices import slice_key
    from ossia_checkpoint.table import TableWriter
    from ossia_core.proto import SavedTensorSlices

    box = parse_slice("-")
    head = SavedTensorSlices()
    tensor = head.meta.tensor.add(name="a", type=1)
    tensor.shape.dim.add(size=2)
    tensor.slice.add().CopyFrom(box.to_proto())
    meta(head.meta)
    body = SavedTensorSlices()
    body.data.name = "a"
    body.data.slice.CopyFrom(box.to_proto())
    body.data.data.float_val.extend([1, 2])
    data(body.data)
    with open(tmp_path / "x", "wb") as stream:
        table = TableWriter(stream)
        table.add(b"", head.SerializeToString())
        table.add(slice_key("a", box), body.SerializeToString())
        table.finish()
    return tmp_path / "x"


def nothing(_):
    pass


def test_the_forger_can_be_honest(tmp_path):
    assert read_all(forged(tmp_path, nothing, nothing))["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "meta, data",
    [
        (lambda m: setattr(m.tensor[0].shape.dim[0], "size", 1 << 50), nothing),
        (lambda m: setattr(m.tensor[0].shape.dim[0], "size", -2), nothing),
        (lambda m: m.tensor[0].shape.dim.add(size=1 << 62), nothing),
        (lambda m: setattr(m.tensor[0], "type", 999), nothing),
        (lambda m: setattr(m.tensor[0], "type", 20), nothing),
        (lambda m: setattr(m.tensor[0], "type", 8), nothing),
        (lambda m: setattr(m.tensor[0].slice[0].extent[0], "start", 5), nothing),
        (lambda m: m.tensor[0].slice.add(), nothing),
        (lambda m: m.tensor[0].slice.pop(), nothing),
        (lambda m: setattr(m.versions, "min_consumer", 9), nothing),
        (nothing, lambda d: d.data.float_val.append(3)),
        (nothing, lambda d: d.data.float_val.pop()),
        (nothing, lambda d: setattr(d, "name", "b")),
        (nothing, lambda d: d.slice.extent.add()),
    ],
    ids=range(14),
)
def test_files_that_lie(tmp_path, meta, data):
    with pytest.raises(DAMAGE):
        read_all(forged(tmp_path, meta, data))
