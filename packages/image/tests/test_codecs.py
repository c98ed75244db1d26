"""Image files: what is decoded is what was encoded, and damaged files are refused in order."""

import io

import numpy as np
import pytest
from PIL import Image

import ossia as tf

R = np.random.RandomState(0)
COLOURS = R.randint(0, 256, (13, 17, 3)).astype(np.uint8)
SMOOTH = np.broadcast_to(np.linspace(0, 255, 64, dtype=np.uint8)[:, None, None], (64, 48, 3)).copy()


def run(fetch):
    with tf.Session(graph=fetch.graph if hasattr(fetch, "graph") else fetch[0].graph) as session:
        return session.run(fetch)


def as_file(image, kind, **options):
    made = io.BytesIO()
    (image if isinstance(image, Image.Image) else Image.fromarray(image)).save(made, kind, **options)
    return made.getvalue()


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_png_there_and_back(channels, dtype):
    image = R.randint(0, np.iinfo(dtype).max + 1, (5, 7, channels)).astype(dtype)
    with tf.Graph().as_default():
        file = tf.image.encode_png(tf.constant(image))
        assert np.array_equal(run(tf.image.decode_png(file, dtype=tf.as_dtype(dtype))), image)


def test_png_palette_interlace_and_channels():
    palette = as_file(Image.fromarray(COLOURS).convert("P"), "PNG")
    with tf.Graph().as_default():
        decoded, grey, alpha = run([tf.image.decode_png(palette, channels=c) for c in (0, 1, 4)])
    assert np.array_equal(decoded, np.asarray(Image.fromarray(COLOURS).convert("P").convert("RGB")))
    assert grey.shape == (13, 17, 1) and (alpha[..., 3] == 255).all()


def test_jpeg():
    file = as_file(SMOOTH, "JPEG", quality=95)
    with tf.Graph().as_default():
        whole, half, part, shape, mine = run([
            tf.image.decode_jpeg(file), tf.image.decode_jpeg(file, ratio=2),
            tf.image.decode_and_crop_jpeg(file, [8, 4, 10, 20]), tf.image.extract_jpeg_shape(file),
            tf.image.decode_jpeg(tf.image.encode_jpeg(SMOOTH)),
        ])
        assert run(tf.image.is_jpeg(file)) and not run(tf.image.is_jpeg(b"GIF"))
    assert np.abs(whole.astype(int) - SMOOTH).max() < 6 and np.abs(mine.astype(int) - SMOOTH).max() < 6
    assert half.shape == (32, 24, 3) and shape.tolist() == [64, 48, 3]
    assert np.array_equal(part, whole[8:18, 4:24])


def test_gif_and_bmp():
    frames = [Image.fromarray(np.full((4, 6, 3), level, np.uint8)) for level in (10, 200, 90)]
    gif = as_file(frames[0], "GIF", save_all=True, append_images=frames[1:])
    with tf.Graph().as_default():
        animated, first, bmp = run([
            tf.image.decode_gif(gif), tf.image.decode_image(gif, expand_animations=False),
            tf.image.decode_bmp(as_file(COLOURS, "BMP")),
        ])
    assert animated.shape == (3, 4, 6, 3) and animated[1, 0, 0].tolist() == [200] * 3
    assert np.array_equal(first, animated[0]) and np.array_equal(bmp, COLOURS)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP"])
def test_decode_image_knows_the_format(kind):
    with tf.Graph().as_default():
        decoded = run(tf.image.decode_image(as_file(SMOOTH, kind), dtype=tf.float32))
    assert decoded.shape[-3:] == SMOOTH.shape and decoded.dtype == np.float32 and 0.9 < decoded.max() <= 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP"])
def test_damaged_files_are_refused(kind):
    file = as_file(SMOOTH, kind)
    damaged = [file[:length] for length in range(0, len(file), max(1, len(file) // 60))]
    for at in range(0, min(len(file), 700), 7):
        damaged.append(file[:at] + bytes([file[at] ^ 0x40]) + file[at + 1 :])
    with tf.Graph().as_default(), tf.Session() as session:
        contents = tf.placeholder(tf.string, [])
        decoded = tf.image.decode_image(contents)
        for data in damaged:
            try:
                assert session.run(decoded, {contents: data}).dtype == np.uint8
            except tf.errors.InvalidArgumentError:
                pass


@pytest.mark.parametrize("width", [1 << 15, 1 << 30])
def test_headers_that_claim_too_much(width):
    file = bytearray(as_file(COLOURS, "PNG"))
    file[16:24] = width.to_bytes(4, "big") * 2
    with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.image.decode_png(bytes(file)))


def test_a_codec_of_a_plugin(monkeypatch):
    from ossia_image.codecs import registry

    class Dots:
        def matches(self, header):
            return header.startswith(b"....")

        def decode(self, data, channels):
            return np.full((1, len(data), channels or 1), 46, np.uint8)

    monkeypatch.setattr(registry, "codecs", lambda: {"dots": Dots()})
    with tf.Graph().as_default():
        assert run(tf.image.decode_png(b".....")).shape == (1, 5, 1)
