"""Elementwise kernels of arrays that are worked on in blocks: as of the same elements one small array at a time."""

import math

import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import lookup
from ossia_ops.math.choice import choose, in_blocks, larger, smaller

SIZE = 150_001  # several blocks, and a part of one
SPECIAL = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-42, 3e38]


def numbers(shape, dtype, seed=0):
    random = np.random.RandomState(seed)
    x = np.asarray(random.randn(*shape) * 3).astype(dtype)
    if np.dtype(dtype).kind == "f" and shape:
        with np.errstate(over="ignore"):
            x.reshape(-1)[random.randint(0, x.size, 4000)] = random.choice(SPECIAL, 4000)
    return x


def same_bits(got, expected):
    assert got.dtype == expected.dtype and got.shape == expected.shape
    whole = f"u{got.dtype.itemsize}"
    apart = np.ascontiguousarray(got).view(whole) != np.ascontiguousarray(expected).view(whole)
    if got.dtype.kind == "f":
        apart &= ~(np.isnan(got) & np.isnan(expected))
    assert not apart.any()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i4", "i8", "?", "c8"])
@pytest.mark.parametrize("shapes", [((SIZE,),) * 3, ((400, 400), (400, 400), ()), ((400, 400), (), (400, 400)),
                                    ((400, 1), (400, 400), (400, 400)), ((400, 400), (400,), (1, 1))])
def test_choices_are_numpys(dtype, shapes):
    condition = np.random.RandomState(1).rand(*shapes[0]) > 0.5
    x, y = (np.asarray(numbers(shape, dtype, seed)) for seed, shape in enumerate(shapes[1:]))
    same_bits(choose(condition, x, y), np.where(condition, x, y))


def test_choices_of_strings_and_other_orders():
    condition = np.random.RandomState(1).rand(300, 300) > 0.5
    words = np.array([b"a", b"bc"], object)[condition.astype(int)]
    assert (choose(condition, words, words.T) == np.where(condition, words, words.T)).all()
    x = numbers((300, 300), "f4")
    same_bits(choose(condition, x.T, x), np.where(condition, x.T, x))
    same_bits(choose(condition[::2].T, x[::2].T, x[1::2].T), np.where(condition[::2].T, x[::2].T, x[1::2].T))


@pytest.mark.parametrize("y", [numbers((SIZE,), "f4", 1), *np.array([0.5, 0, np.nan, -0.0], "f4")])
def test_the_first_operand_stays_beside_nan_and_of_zeros(y):
    x = numbers((SIZE,), "f4")
    with np.errstate(all="ignore"):
        same_bits(larger(x, np.asarray(y)), np.where(x < y, y, x))
        same_bits(smaller(x, np.asarray(y)), np.where(x > y, y, x))


def test_blocks_of_shapes_that_broadcast():
    x, row, column = numbers((500, 300), "f8"), numbers((300,), "f8", 1), numbers((500, 1), "f8", 2)
    add = in_blocks(lambda a, b: a + b)
    with np.errstate(all="ignore"):
        for left, right in ((x, row), (row, x), (x, column), (column, row), (x.T, column[:, 0]), (x, np.float64(2))):
            np.testing.assert_array_equal(add(left, right), left + right)
    with pytest.raises(ValueError, match="broadcast"):
        add(x, numbers((7,), "f8"))


@pytest.mark.parametrize(
    "op_type",
    ["Elu", "Selu", "LeakyRelu", "Sigmoid", "Softplus", "Softsign", "Erf", "Erfc", "BesselI0e", "BesselI1e"],
)
def test_large_arrays_as_small_ones(op_type):
    x = numbers((SIZE,), "f4")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        feed = tf.placeholder(tf.float32, [None])
        result = graph.create_op(op_type, [feed], [tf.float32]).outputs[0]
        whole = session.run(result, {feed: x})
        parts = np.concatenate([session.run(result, {feed: part}) for part in np.array_split(x, 60)])
    np.testing.assert_allclose(whole, parts, rtol=1e-6)


@pytest.mark.parametrize("op_type", ["EluGrad", "SeluGrad", "LeakyReluGrad", "SigmoidGrad", "TanhGrad"])
def test_large_gradients_as_small_ones(op_type):
    x, y = numbers((SIZE,), "f4"), numbers((SIZE,), "f4", 1)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        feeds = [tf.placeholder(tf.float32, [None]) for _ in range(2)]
        result = graph.create_op(op_type, feeds, [tf.float32]).outputs[0]
        whole = session.run(result, dict(zip(feeds, (x, y))))
        pairs = zip(np.array_split(x, 60), np.array_split(y, 60))
        parts = [session.run(result, dict(zip(feeds, pair))) for pair in pairs]
    np.testing.assert_allclose(whole, np.concatenate(parts), rtol=1e-6)


def test_error_functions_in_single_precision():
    x = np.concatenate([np.linspace(-11, 11, 9001), np.random.RandomState(0).randn(3000)]).astype("f4")
    for name in ("erf", "erfc"):
        expected = np.array([getattr(math, name)(float(each)) for each in x])
        np.testing.assert_allclose(lookup(name.capitalize()).kernel_fn(x), expected, rtol=2e-6, atol=1e-37)


@pytest.mark.parametrize("columns", [1, 31, 32, 33, 64, 101, 1000])
def test_products_of_long_rows(columns):
    x = 1 + np.random.RandomState(0).randn(90_000 // columns + 1, columns) / 20
    with tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_allclose(session.run(tf.reduce_prod(tf.constant(x), 1)), x.prod(1), rtol=1e-9)


@pytest.mark.parametrize("shape", [(50, 40), (40, 50), (3, 20, 20), (1, 9), (9, 1), (4, 0, 3)])
def test_bands_of_every_width(shape):
    x = np.random.RandomState(0).rand(*shape).astype("f4") + 1
    rows, columns = shape[-2:]
    offset = np.arange(columns) - np.arange(rows)[:, None]
    kernel = lookup("MatrixBandPart").kernel_fn
    for lower in {-1, 0, 1, 3, rows // 2, rows}:
        for upper in {-1, 0, 2, columns // 2, columns}:
            if lower <= rows and upper <= columns:
                inside = ((lower < 0) | (-offset <= lower)) & ((upper < 0) | (offset <= upper))
                np.testing.assert_array_equal(kernel(x, np.int64(lower), np.int64(upper)), np.where(inside, x, 0))


@pytest.mark.parametrize("k", [1, 5, 400])
def test_in_top_k_of_many_classes(k):
    random = np.random.RandomState(0)
    x, targets = random.randn(300, 500).astype("f4"), random.randint(-1, 501, 300).astype("i4")
    x[::7, 450] = np.nan
    x[3::7, 2] = np.inf
    valid = (targets >= 0) & (targets < 500)
    own = x[np.arange(300), np.where(valid, targets, 0)][:, None]
    expected = valid & np.isfinite(x).all(1) & ((x > own).sum(1) < k)
    with tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.nn.in_top_k(x, targets, k)), expected)
