"""Convolutions that are computed with fewer multiplications: as tap by tap and on NumPy, on any number of threads, and
where numbers are not finite."""
from __future__ import annotations

import types

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.passes import image_groups, winograd
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")

# Images, height, width, channels, channels out, window, padding: tiles that fit, that do not, several blocks of them.
SHAPES = {
    "lenet": (16, 14, 14, 32, 64, 5, "SAME"),
    "uneven": (17, 15, 13, 16, 32, 5, "SAME"),
    "narrow": (16, 28, 28, 16, 16, 5, "VALID"),
    "three": (16, 16, 16, 32, 32, 3, "SAME"),
    "three_uneven": (9, 17, 15, 16, 48, 3, "SAME"),
    "three_valid": (33, 18, 14, 16, 16, 3, "VALID"),
    "explicit": (16, 12, 12, 16, 16, 3, [[0, 0], [2, 0], [0, 2], [0, 0]]),
    "first": (8, 12, 12, 32, 16, 3, "SAME"),
    "small": (32, 8, 8, 64, 64, 3, "SAME"),  # an image alone has too few tiles
}


@pytest.fixture
def taken(monkeypatch):
    """The members of groups that were formed."""
    found = []
    group = region_program.image_groups.group

    def noting(builder):
        group(builder)
        for row in builder.rows:
            if row.name in ("images", "grouped"):
                found.append(image_groups._MEMBERS[row.role.runs_as])

    monkeypatch.setattr(region_program.image_groups, "group", noting)
    return found


def convolved(n, h, w, channels, filters, window, padding, threads=2, spoil=None, data_format="NHWC"):
    """A convolution between elementwise ops, and the gradients of images and filter; `spoil` may change what is fed."""
    random = np.random.RandomState(0)
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        shape = [n, h, w, channels] if data_format == "NHWC" else [n, channels, h, w]
        x = tf.placeholder(tf.float32, shape)
        weights = tf.placeholder(tf.float32, [window, window, channels, filters])
        y = tf.nn.conv2d(x * 1.5, weights, [1, 1, 1, 1], padding, data_format=data_format) * 2.0
        grad = tf.placeholder(tf.float32, y.shape)
        fed = [random.randn(*t.shape.as_list()).astype("f4") for t in (x, weights, grad)]
        if spoil is not None:
            spoil(*fed)
        return session.run([y, *tf.gradients(y, [x, weights], grad)], dict(zip((x, weights, grad), fed, strict=True)))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_as_on_numpy(shape, taken, backend):
    found = convolved(*shape)
    assert {"winograd", "winograd_input", "winograd_filter"} <= set(taken)
    backend("numpy")
    for a, b in zip(found, convolved(*shape), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=2e-5 * np.std(b))


def test_errors_are_those_of_sums_tap_by_tap(monkeypatch):
    shape, window = (16, 14, 14, 32), 5
    fed = []
    fast = convolved(*shape, 64, window, "SAME", spoil=lambda *given: fed.extend(given))
    monkeypatch.setenv("OSSIA_WINOGRAD", "0")
    slow = convolved(*shape, 64, window, "SAME")
    x, weights, grad = (v.astype("f8") for v in fed)
    x, grad = x * 1.5, grad * 2.0
    border = np.pad(x, [(0, 0), (2, 2), (2, 2), (0, 0)])
    y, d_weights, d_border = 0.0, np.zeros(weights.shape), np.zeros(border.shape)
    for p, q in np.ndindex(window, window):
        seen = np.s_[:, p : p + 14, q : q + 14]
        y = y + 2.0 * border[seen] @ weights[p, q]
        d_weights[p, q] = np.tensordot(border[seen], grad, ([0, 1, 2], [0, 1, 2]))
        d_border[seen] += grad @ weights[p, q].T
    exact = [y, 1.5 * d_border[:, 2:-2, 2:-2], d_weights]
    for a, b, e in zip(fast, slow, exact, strict=True):
        assert np.sqrt(np.mean((a - e) ** 2)) < 4 * np.sqrt(np.mean((b - e) ** 2)) < 1e-5 * np.std(e)


def test_channels_first(taken, backend):
    shape = (16, 14, 14, 16, 32, 5, "SAME")
    found = convolved(*shape, data_format="NCHW")
    assert "winograd" in taken
    for a, b in zip(found, convolved(*shape, data_format="NCHW", threads=1), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("shape", [SHAPES[k] for k in ("lenet", "uneven", "three_uneven")])
def test_any_number_of_threads(shape, taken):
    first = convolved(*shape, threads=1)
    assert "winograd_filter" in taken
    for threads in (2, 3, 5):
        for a, b in zip(convolved(*shape, threads=threads), first, strict=True):
            np.testing.assert_array_equal(a, b)


def spoil_image(x, weights, grad):
    """One pixel is infinite, one not a number."""
    x[1, 3, 4, 5], x[6, 0, 0, 0] = np.inf, np.nan


def spoil_weights(x, weights, grad):
    """A weight at the edge of the window is infinite."""
    weights[0, 0, 3, 5] = -np.inf


def spoil_gradient(x, weights, grad):
    """A gradient is not a number."""
    grad[2, 1, 1, 7] = np.nan


def spoil_sizes(x, weights, grad):
    """Sums of pixels overflow where their windows do not."""
    x[0, :, :, 0] = 1e38 * np.sign(x[0, :, :, 0])
    weights[:, :, 0] *= 1e-3


@pytest.mark.parametrize("window", [3, 5])
@pytest.mark.parametrize("spoil", [spoil_image, spoil_weights, spoil_gradient, spoil_sizes])
def test_not_finite(window, spoil, taken, monkeypatch):
    shape = (16, 14, 14, 16, 32, window, "SAME")
    found = convolved(*shape, spoil=spoil)
    assert {"winograd", "winograd_input", "winograd_filter"} <= set(taken)
    monkeypatch.setenv("OSSIA_WINOGRAD", "0")
    for a, b in zip(found, convolved(*shape, spoil=spoil), strict=True):
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_array_equal(np.isposinf(a), np.isposinf(b))
        np.testing.assert_array_equal(np.isneginf(a), np.isneginf(b))
        there = np.isfinite(a)
        scale = np.abs(b[there]).max(initial=0.0)
        np.testing.assert_allclose(a[there], b[there], rtol=1e-4, atol=1e-5 * scale)


def test_switched_off(taken, monkeypatch):
    monkeypatch.setenv("OSSIA_WINOGRAD", "0")
    convolved(*SHAPES["lenet"])
    assert "conv" in taken and not set(taken) & set(winograd.MEMBERS.values())


def test_which_ones():
    def gains(name="conv", channels=32, window=(5, 5), strides=(1, 1), before=(2, 2), dilations=(1, 1), results=64):
        sizes = {"n": 64, "h": 14, "w": 14, "c": channels, "oh": 14, "ow": 14, "co": results}
        names = ("kh", "kw", "sh", "sw", "ph", "pw", "dh", "dw")
        places = dict(zip(names, (*window, *strides, *before, *dilations), strict=True))
        return winograd.gains(types.SimpleNamespace(name=name, **sizes, **places), 1)

    assert gains() and gains("conv_input") and gains("conv_filter") and gains(window=(3, 3), before=(1, 1))
    assert not gains("pool") and not gains(channels=1) and not gains(results=24)
    assert not gains(window=(5, 3)) and not gains(window=(7, 7), before=(3, 3))
    assert not gains(window=(1, 1), before=(0, 0))
    assert not gains(strides=(2, 2)) and not gains(dilations=(2, 2)) and not gains(before=(5, 2))
    assert not gains(channels=256, results=256) and not gains(channels=1 << 20, results=16)
