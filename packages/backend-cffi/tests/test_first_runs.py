"""One run, one number: a program gives the same bits on each of its runs, and what NumPy computes on the first run of a
shape that comes late differs from it within bounds."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
ULPS = 8  # of each element of an elementwise function
SHARE = 4e-6  # of what sums come to without cancellation
EAGER = 4  # shapes for which a program is made at first sight


def unit(random, shape):
    return random.uniform(-0.99, 0.99, shape)


def plain(random, shape):
    return random.standard_normal(shape) * 3


def positive(random, shape):
    return np.exp(random.uniform(-20, 20, shape))


# Name -> function, and where its arguments come from.
BY_ELEMENT = {
    **{name: (getattr(tf.math, name), [plain]) for name in ("abs", "square", "sin", "cos", "tanh", "sigmoid", "erf")},
    **{name: (getattr(tf.math, name), [plain]) for name in ("erfc", "exp", "expm1")},
    **{name: (getattr(tf.math, name), [positive]) for name in ("sqrt", "rsqrt", "log", "log1p", "lgamma")},
    **{name: (getattr(tf.nn, name), [plain]) for name in ("relu", "relu6", "elu", "selu", "softplus", "softsign")},
    **{name: (getattr(tf.math, name), [unit]) for name in ("asin", "acos", "atanh")},
    **{name: (getattr(tf, name), [plain, plain]) for name in ("add", "subtract", "multiply", "divide", "maximum")},
    "pow": (lambda x, y: tf.pow(x, y * 0.05), [positive, plain]),
}  # fmt: skip
SUMS = {
    "reduce_sum": (lambda x: tf.reduce_sum(x, 1), [plain]),
    "reduce_all": (tf.reduce_sum, [plain]),
    "reduce_mean": (lambda x: tf.reduce_mean(x, 0), [plain]),
    "l2_loss": (tf.nn.l2_loss, [plain]),
    "matmul": (lambda x, y: tf.matmul(x, y, transpose_b=True), [plain, plain]),
    "softmax": (tf.nn.softmax, [plain]),
    "segment_sum": (lambda x: tf.unsorted_segment_sum(x, tf.range(tf.shape(x)[0]) % 3, 3), [plain]),
    "conv2d": (
        lambda x: tf.nn.conv2d(tf.reshape(x, [1, -1, 16, 4]), tf.ones([3, 3, 4, 8]) * 0.1, [1, 1, 1, 1], "SAME"),
        [plain],
    ),
    "avg_pool": (lambda x: tf.nn.avg_pool(tf.reshape(x, [1, -1, 16, 4]), [1, 3, 3, 1], [1, 2, 2, 1], "SAME"), [plain]),
    "gradient_descent": (lambda x: x - 0.1 * tf.tanh(x), [plain]),
}  # fmt: skip


def runs(fn, sources, count):
    """For more shapes than programs are made for at first sight: the arguments, and the results of `count` runs."""
    random, found = np.random.RandomState(0), []
    with tf.Graph().as_default(), tf.Session() as session:
        places = [tf.placeholder(tf.float32, [None, 64]) for _ in sources]
        value = fn(*places) * 1.0
        for rows in range(1, EAGER + 3):
            args = [source(random, (rows, 64)).astype("f4") for source in sources]
            feed = dict(zip(places, args, strict=True))
            found.append((args, [np.asarray(session.run(value, feed)) for _ in range(count)]))
    return found


def ordered(x):
    """Numbers in the order of floats: neighbours differ by 1."""
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


@pytest.mark.parametrize("name", BY_ELEMENT)
def test_elementwise(name):
    for number, (_, (first, *later)) in enumerate(runs(*BY_ELEMENT[name], 3)):
        np.testing.assert_array_equal(later[0], later[1])
        if number < EAGER:
            np.testing.assert_array_equal(first, later[0])
        assert np.abs(ordered(first) - ordered(later[0])).max() <= ULPS


@pytest.mark.parametrize("name", SUMS)
def test_sums(name):
    fn, sources = SUMS[name]
    without = runs(lambda *args: fn(*[tf.abs(x) for x in args]), sources, 1)
    for number, ((_, (first, *later)), (_, (whole,))) in enumerate(zip(runs(fn, sources, 3), without, strict=True)):
        np.testing.assert_array_equal(later[0], later[1])
        if number < EAGER:
            np.testing.assert_array_equal(first, later[0])
        assert (np.abs(first - later[0]) <= SHARE * np.maximum(np.abs(whole), np.abs(whole).max() * 0.1)).all()
