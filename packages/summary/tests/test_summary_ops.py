"""Summary ops, as the original builds and computes them."""

import pathlib
import struct
import zlib

import numpy as np
import pytest

from ossia_core.names import errors
from ossia_core.proto import Summary
from ossia_io import wav
from ossia_summary.image import image_summary_op
from ossia_testkit.golden import golden_tests

IMAGES = np.load(pathlib.Path(__file__).parent / "golden" / "images.npz")
RED = np.uint8([255, 0, 0, 255])

test_summaries = golden_tests(__file__, "summary_cases.py")


def _pixels(image):
    """What is in a PNG of `ossia_summary.image.png`."""
    data = image.encoded_image_string
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(image.height, -1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(image.height, image.width, image.colorspace)


@pytest.mark.parametrize("index", range(len(IMAGES.files) // 2))
def test_pixels_are_those_of_the_original(index):
    x = IMAGES[f"x{index}"]
    summary = Summary.FromString(image_summary_op.kernel_fn(b"t", x, max_images=9, bad_color=RED))
    np.testing.assert_array_equal([_pixels(value.image) for value in summary.value], IMAGES[f"y{index}"])
    assert [value.tag for value in summary.value] == [f"t/image/{i}" for i in range(len(x))]


@pytest.mark.parametrize("shape", [(1, 2, 3, 2), (2, 3, 3), (1, 0, 2, 1), (1, 2, 2, 0), ()], ids=str)
def test_what_is_no_image(shape):
    with pytest.raises(errors.InvalidArgumentError):
        image_summary_op.kernel_fn(b"t", np.zeros(shape, np.float32), max_images=3, bad_color=RED)
    with pytest.raises(errors.InvalidArgumentError, match="bad_color"):
        image_summary_op.kernel_fn(b"t", np.zeros((1, 2, 2, 3), np.float32), max_images=3, bad_color=RED[:1])


@pytest.mark.parametrize(
    ("shape", "rate"), [((0, 1), 100), ((3, 0), 100), ((1, 1 << 16), 100), ((2, 2), 2**32)], ids=str
)
def test_what_no_wav_file_holds(shape, rate):
    with pytest.raises(errors.InvalidArgumentError, match="WAV"):
        wav.encoded(np.zeros(shape, np.float32), rate)
