"""Names of boxes: texts in graphs, keys in tables."""

import numpy as np
import pytest

from ossia_checkpoint.slices import Slice, assemble, parse_shape_and_slice, parse_slice, slice_key
from ossia_core.names import errors


def test_texts():
    assert parse_slice("0,2:-") == Slice(((0, 2), (0, -1)))
    assert str(parse_slice("0,2:-")) == "0,2:-"
    assert parse_shape_and_slice("5 4 1,3:-") == ((5, 4), parse_slice("1,3:-"), (3, 4))
    assert parse_slice("") == Slice(())


@pytest.mark.parametrize(
    "text",
    [
        "4",
        "",
        "4 0-2",
        "x 0,2",
        "4 3,2",
        "4 0,0",
        "4 -1,2",
        "4 0,2:0,2",
        "-4 0,2",
        "4 0," + "9" * 40,
        "9" * 40 + " -",
        "4  -",
    ],
)
def test_malformed_texts(text):
    with pytest.raises(errors.InvalidArgumentError):
        parse_shape_and_slice(text)


@pytest.mark.parametrize(
    "name, extents, key",
    [
        ("part", ((0, 2), (0, -1)), b"\0part\0\1\1\2\x80\x82\x80\x7f"),
        ("big", ((100, 2),), b"\0big\0\1\1\1\xc0\x64\x82"),
        ("big", ((70000, 2),), b"\0big\0\1\1\1\xe1\x11\x70\x82"),
        ("big", ((4000000, 200),), b"\0big\0\1\1\1\xf0\x3d\x09\x00\xc0\xc8"),
        ("big", ((63, 65),), b"\0big\0\1\1\1\xbf\xc0\x41"),
        ("b\xff\0", ((8191, 8192),), b"\0b\xc3\xbf\0\xff\0\1\1\1\xdf\xff\xe0\x20\0"),
        ("scalar", (), b"\0scalar\0\1\0"),
    ],
)
def test_keys_of_the_original(name, extents, key):
    assert slice_key(name, Slice(extents)) == key


def test_protos():
    box = parse_slice("1,3:-")
    assert Slice.from_proto(box.to_proto()) == box


def test_assembling():
    whole = np.arange(24.0).reshape(4, 6)
    boxes = [parse_slice(text) for text in ("0,2:0,4", "0,2:4,2", "2,2:-")]
    stored = [whole[box.within(whole.shape)] for box in boxes]
    for wanted in ((slice(0, 4), slice(0, 6)), (slice(1, 3), slice(3, 5)), (slice(3, 4), slice(0, 1))):
        assert (assemble(whole.shape, wanted, np.float64, boxes, stored.__getitem__) == whole[wanted]).all()
    with pytest.raises(errors.InvalidArgumentError):
        assemble(whole.shape, (slice(0, 4), slice(0, 6)), np.float64, boxes[1:], stored.__getitem__)
    with pytest.raises(errors.DataLossError):
        assemble(
            whole.shape, (slice(0, 4), slice(0, 6)), np.float64, [*boxes, boxes[0]], [*stored, stored[0]].__getitem__
        )
