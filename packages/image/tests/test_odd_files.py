"""Odd files of every format give the pixels of TensorFlow 1.15.5, byte for byte: `golden/odd_files.json.xz` has them as
hashes, or as the class of the error."""

import base64
import hashlib
import json
import lzma
from pathlib import Path

import pytest

import ossia as tf

RECORD = json.loads(lzma.decompress((Path(__file__).parent / "golden" / "odd_files.json.xz").read_bytes()))
JPEG = {
    "own": {}, "grey": {"channels": 1}, "rgb": {"channels": 3}, "plain": {"fancy_upscaling": False},
    "half": {"ratio": 2}, "half_grey": {"channels": 1, "ratio": 2}, "eighth": {"channels": 3, "ratio": 8},
    "accurate": {"dct_method": "INTEGER_ACCURATE"},
}  # fmt: skip


def decoded(kind, way, data):
    if kind == "gif":
        return {"gif": tf.image.decode_gif, "jpeg": tf.image.decode_jpeg, "any": tf.image.decode_image}[way](data)
    if kind == "bmp":
        return {"own": tf.image.decode_bmp, "any": tf.image.decode_image}[way](data)
    if kind == "png":
        return tf.image.decode_png(data, int(way[-1]), tf.as_dtype(way[:-1]))
    return tf.image.extract_jpeg_shape(data) if way == "shape" else tf.image.decode_jpeg(data, **JPEG[way])


@pytest.mark.parametrize("name", sorted(RECORD))
def test_pixels(name):
    data = base64.b64decode(RECORD[name]["file"])
    for way, expected in RECORD[name]["ways"].items():
        with tf.Graph().as_default(), tf.Session() as session:
            fetch = decoded(name.split("_")[0], way, tf.constant(data))
            if isinstance(expected, str):
                with pytest.raises(getattr(tf.errors, expected)):
                    session.run(fetch)
                continue
            pixels = session.run(fetch)
        found = [pixels.dtype.name, list(pixels.shape), hashlib.sha256(pixels.tobytes()).hexdigest()]
        assert found == expected, way
