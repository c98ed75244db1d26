"""Sparse tensors added, compared, masked and normalised, as the original builds and computes them."""

import numpy as np
import pytest

import ossia as tf
from ossia_ops.state.row_updates import reduce_runs
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_math_cases.py")


@pytest.mark.parametrize("count", [5, 300, 6000])
@pytest.mark.parametrize("bad", [False, True])
def test_products_of_rows_of_every_length(count, bad):
    random = np.random.RandomState(count)
    # Few rows have most elements, in any order, some places several.
    rows, columns = np.minimum(random.geometric(0.2, count) - 1, 19), random.randint(0, 400, count)
    values, b = random.randn(count), random.randn(400, 7)
    if bad:
        b[399] = np.inf
        columns = np.minimum(columns, 398)
    expected = np.zeros((20, 7))
    for row, column, value in zip(rows, columns, values, strict=True):
        expected[row] += value * b[column]
    with tf.Graph().as_default(), tf.Session() as session:
        a = tf.SparseTensor(np.stack([rows, columns], 1).astype(np.int64), values, [20, 400])
        np.testing.assert_allclose(session.run(tf.sparse.matmul(a, b)), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("ufunc", [np.add, np.maximum, np.multiply])
def test_runs_are_reduced_as_reduceat_does(ufunc):
    random = np.random.RandomState(0)
    lengths = np.array([1, 3, 200, 1, 64, 65, 2])
    starts, data = np.cumsum(lengths) - lengths, random.rand(int(lengths.sum()), 3) + 0.5
    expected = ufunc.reduceat(data, starts, axis=0)
    places, out = random.permutation(len(lengths)), np.empty((len(lengths), 3))
    reduce_runs(data, starts, ufunc, out, places)
    np.testing.assert_allclose(out[places], expected, rtol=1e-12)
    order = random.permutation(len(data))
    reduce_runs(data[order], starts, ufunc, out, places, np.argsort(order))
    np.testing.assert_allclose(out[places], expected, rtol=1e-12)
