"""Random draws in C: bit for bit those of NumPy, run after run."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
FLOATS = [tf.float16, tf.float32, tf.float64]


def same(make):
    runs = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(3)
            values = make()
            runs.append([session.run(values) for _ in range(2)])
    for expected, got in zip(*runs, strict=True):
        assert expected.dtype == got.dtype
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gamma(dtype):
    same(lambda: tf.random_gamma([700, 2], [[0.1, 0.5], [1.0, 2.5], [100.0, 6e4]], dtype=dtype))
    same(lambda: tf.random_gamma([], 3.0, dtype=dtype))
    same(lambda: tf.random_gamma([3], [-1.0, np.nan, 0.0, np.inf], dtype=dtype))
    same(lambda: tf.random_gamma([0], [1.0], dtype=dtype))


@pytest.mark.parametrize("dtype", [*FLOATS, tf.int32, tf.int64])
def test_poisson(dtype):
    same(lambda: tf.random_poisson(tf.constant([0.0, 0.1, 1.0, 9.9, 10.0, 11.0, 50.0, 6e4]), [400, 2], dtype=dtype))
    same(lambda: tf.random_poisson(tf.constant(5.0), [], dtype=dtype))
    if dtype.is_floating:
        same(lambda: tf.random_poisson([np.nan, -1.0, np.inf, 3.0], [5], dtype=dtype))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1001, 40_000])
def test_normal_doubles(count):
    same(lambda: tf.random_normal([count], dtype=tf.float64))


def test_sizes_that_are_refused():
    for draw in (lambda n: tf.random_gamma(n, [1.0]), lambda n: tf.random_normal(n, dtype=tf.float64)):
        with watching.chosen("cffi"), tf.Graph().as_default(), tf.Session() as session:
            sizes = tf.placeholder(tf.int32, [None])
            values = draw(sizes)
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(values, {sizes: [-1]})
            with pytest.raises(tf.errors.ResourceExhaustedError):
                session.run(values, {sizes: [2**30, 2**30]})


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1001, 40_000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_draws_of_computed_sizes(count, dtype):
    for draw in (tf.random_uniform, tf.random_normal, tf.truncated_normal):
        same(lambda draw=draw: draw(tf.placeholder_with_default([count], [None]), dtype=dtype))


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
@pytest.mark.parametrize("count", [0, 1, 3, 1001, 40_000])
def test_integers(count, dtype):
    limits = np.iinfo(dtype.as_numpy_dtype)
    for low, high in ((0, 10), (-7, 1000), (limits.min, limits.max), (limits.max - 1, limits.max), (-3, limits.max)):
        same(lambda low=low, high=high: tf.random_uniform([count], low, high, dtype))


def test_bounds_of_integers_that_are_refused():
    with watching.chosen("cffi"), tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval, got 3 >= 3"):
            session.run(tf.random_uniform([9], tf.constant(3), 3, tf.int32))
