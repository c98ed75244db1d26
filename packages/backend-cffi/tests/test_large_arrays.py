"""Kernels that work in blocks or lanes give what NumPy gives, whether an array fills these or not."""

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
NAN, INF = np.nan, np.inf


def fed(compiled, build, *arrays):
    """The value of `build(*placeholders)`, computed by a compiled program."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.placeholder(array.dtype, array.shape) for array in arrays]
        fetched = build(*inputs)
        feeds = dict(zip(inputs, arrays, strict=True))
        for _ in range(3):  # a program is made after the first run
            value = session.run(fetched, feeds)
    assert compiled[0]
    return value


def numbers(*shape, dtype="f4"):
    return np.random.RandomState(len(shape)).randn(*shape).astype(dtype)


@pytest.mark.parametrize("shape,order", [
    ((64, 48), (1, 0)), ((67, 1025), (1, 0)), ((1, 33), (1, 0)), ((33, 1), (1, 0)),
    ((5, 7, 9), (2, 0, 1)), ((4, 31, 17, 6), (0, 3, 1, 2)),
    ((4, 6, 31, 17), (0, 2, 3, 1)), ((3, 18, 2, 40), (0, 2, 1, 3)),
    ((2, 3, 2, 3, 2, 19), (5, 3, 1, 0, 2, 4)), ((700, 512), (1, 0)),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["f4", "i8", "?"])
def test_transposes(compiled, shape, order, dtype):
    x = (numbers(*shape) * 100).astype("i8").astype(dtype)
    y = fed(compiled, lambda x, z: (tf.transpose(x, order), z + 1.0), x, np.zeros(3, "f4"))[0]
    np.testing.assert_array_equal(y, np.transpose(x, order))


@pytest.mark.parametrize("index", [np.s_[::2, ::2], np.s_[::-1, 1:], np.s_[:, ::-3], np.s_[5:6, 3:400]])
def test_strided_slices(compiled, index):
    x = numbers(300, 401)
    np.testing.assert_array_equal(fed(compiled, lambda x: x[index] * 2.0, x), x[index] * 2)


@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (300, 1000), (7, 16), (2, 3, 33), (4096, 17)])
def test_softmax(compiled, shape):
    x = numbers(*shape).astype("f4") * 8
    e = np.exp(x.astype("f8") - x.max(-1, keepdims=True))
    expected = e / e.sum(-1, keepdims=True)
    y, logarithm = fed(compiled, lambda x: (tf.nn.softmax(x), tf.nn.log_softmax(x)), x)
    np.testing.assert_allclose(y, expected, 1e-5, 1e-9)
    np.testing.assert_allclose(logarithm, np.log(expected), 1e-5, 1e-5)


@pytest.mark.parametrize("width", [4, 19, 32, 40])
def test_softmax_of_what_is_no_number(compiled, width):
    x = np.zeros((4, width), "f4")
    x[0, width // 2], x[1, -1], x[2, :], x[3, 0] = NAN, -INF, -INF, INF
    y, logarithm = fed(compiled, lambda x: (tf.nn.softmax(x), tf.nn.log_softmax(x)), x)
    for row in (0, 2, 3):
        assert np.isnan(y[row]).any() and np.isnan(logarithm[row]).any(), row
    assert np.isnan(y[0]).all()
    np.testing.assert_allclose(y[1], [1 / (width - 1)] * (width - 1) + [0], 1e-6)


@pytest.mark.parametrize("shape", [(4, 3), (500, 700), (1, 1), (33, 16)])
def test_cross_entropies(compiled, shape):
    x, labels = numbers(*shape) * 5, np.arange(shape[0]) % shape[1]
    probabilities = np.exp(x.astype("f8")) / np.exp(x.astype("f8")).sum(1, keepdims=True)
    hot = np.eye(shape[1], dtype="f4")[labels]

    def build(x, hot, labels):
        dense = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.stop_gradient(hot), logits=x)
        sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
        return dense, tf.gradients(dense, x)[0], sparse, tf.gradients(sparse, x)[0]

    dense, slope, sparse, sparse_slope = fed(compiled, build, x, hot, labels.astype("i4"))
    loss = -np.log(probabilities[np.arange(shape[0]), labels])
    np.testing.assert_allclose(dense, loss, 1e-4, 1e-5)
    np.testing.assert_allclose(sparse, loss, 1e-4, 1e-5)
    np.testing.assert_allclose(slope, probabilities - hot, 1e-4, 1e-6)
    np.testing.assert_allclose(sparse_slope, probabilities - hot, 1e-4, 1e-6)


def test_a_label_out_of_range_far_down(compiled):
    x, labels = numbers(3000, 100), np.zeros(3000, "i4")
    with tf.Graph().as_default(), tf.Session() as session:
        logits, given = tf.placeholder(tf.float32, x.shape), tf.placeholder(tf.int32, labels.shape)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=given, logits=logits)
        for _ in range(3):
            session.run(loss, {logits: x, given: labels})
        labels[2990] = 100
        with pytest.raises(tf.errors.InvalidArgumentError, match="Received a label value of 100"):
            session.run(loss, {logits: x, given: labels})
    assert compiled[0]


@pytest.mark.parametrize(
    "shape,axis",
    [((3, 5), 1), ((300, 1000), 1), ((1000, 600), 0), ((4, 70, 513), 1), ((2, 1), 1), ((17, 16), 1), ((9, 33), 0)],
)
@pytest.mark.parametrize("function,expected", [(tf.argmax, np.argmax), (tf.argmin, np.argmin)])
def test_places_of_extremes(compiled, shape, axis, function, expected):
    x = np.round(numbers(*shape) * 3).astype("f4")  # with many equal ones
    np.testing.assert_array_equal(fed(compiled, lambda x: function(x * 1.0, axis), x), expected(x, axis))


@pytest.mark.parametrize("axis", [0, 1])
def test_extremes_pass_over_what_is_no_number(compiled, axis):
    x = np.full((40, 40), -1.0, "f4")
    x[:, 3], x[:, 7], x[:, 30], x[5, :] = NAN, 2.0, 2.0, NAN
    x = x if axis else x.T
    x = np.ascontiguousarray(x)
    places = fed(compiled, lambda x: tf.argmax(x * 1.0, axis), x)
    assert places.tolist() == [0 if row == 5 else 7 for row in range(40)]


@pytest.mark.parametrize("a,b,ta,tb", [
    ((6, 20, 8), (6, 8, 30), False, False), ((6, 20, 8), (6, 30, 8), False, True),
    ((6, 8, 20), (6, 8, 30), True, False),
    ((6, 8, 20), (6, 30, 8), True, True), ((4, 1, 5, 7), (3, 7, 2), False, False),
    ((2, 1, 9, 17), (1, 5, 17, 33), False, False),
    ((64, 128, 64), (64, 64, 128), False, False), ((2, 300, 257), (2, 257, 260), False, False),
    ((3, 1, 40), (3, 40, 1), False, False),
    ((12, 8, 100, 32), (12, 8, 100, 32), False, True), ((5, 7), (3, 7, 4), False, False),
])  # fmt: skip
def test_products_of_batches(compiled, a, b, ta, tb):
    x, y = numbers(*a), numbers(*b) + 1
    expected = np.matmul(np.swapaxes(x, -1, -2) if ta else x, np.swapaxes(y, -1, -2) if tb else y)
    found = fed(compiled, lambda x, y: tf.matmul(x, y, transpose_a=ta, transpose_b=tb) * 1.0, x, y)
    np.testing.assert_allclose(found, expected, 1e-4, 1e-4)


def test_products_of_batches_do_not_depend_on_threads(compiled, monkeypatch):
    x, y = numbers(64, 128, 64), numbers(64, 64, 128)
    monkeypatch.setenv("OSSIA_NUM_THREADS", "1")
    one = fed(compiled, tf.matmul, x, y)
    monkeypatch.setenv("OSSIA_NUM_THREADS", "2")
    assert fed(compiled, tf.matmul, x, y).tobytes() == one.tobytes()
