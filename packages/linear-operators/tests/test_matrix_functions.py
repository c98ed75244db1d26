"""Functions of matrices and tridiagonal matrices, as the original builds and computes them."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_matrix_functions = golden_tests(__file__, "matrix_functions_cases.py")


def evaluated(build):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build())


def test_exponentials_of_complex64_are_those_of_complex128():
    x = np.array([[1 + 1j, 2], [-3j, 0.5]])
    single, double = evaluated(lambda: [tf.linalg.expm(x.astype("c8")), tf.linalg.expm(x)])
    assert single.dtype == np.complex64
    np.testing.assert_allclose(single, double, rtol=1e-5)


def test_exponentials_undo_logarithms():
    x = np.random.RandomState(1).randn(3, 9, 9) + 1j * np.random.RandomState(2).randn(3, 9, 9)
    np.testing.assert_allclose(evaluated(lambda: tf.linalg.expm(tf.linalg.logm(x))), x, rtol=1e-9, atol=1e-9)


def test_logarithms_of_a_batch_are_those_of_its_matrices():
    spread = np.array([[1, 1], [0, 1e-9]])
    batch = np.array([[[4, 1], [1, 3]], [[4, 1], [0, 4]], [[-4, 0], [0, 1]], spread, [[np.nan, 1], [1, 1]]], "c16")
    found = evaluated(lambda: tf.linalg.logm(batch))
    np.testing.assert_allclose(found, [evaluated(lambda x=x: tf.linalg.logm(x)) for x in batch], rtol=1e-12)
    assert np.isnan(found[4]).all() and not np.isnan(found[:4]).any()
    np.testing.assert_allclose(found[3], [[0, np.log(1e9) / (1 - 1e-9)], [0, np.log(1e-9)]], rtol=1e-9)


def test_squares_undo_square_roots_of_large_and_of_defective_matrices():
    random = np.random.RandomState(3).randn(60, 60)
    for x in (random @ random.T, random + 20 * np.eye(60), np.eye(12) + np.eye(12, k=1), random.astype("c16")):
        root = evaluated(lambda x=x: tf.linalg.sqrtm(x))
        np.testing.assert_allclose(root @ root, x, rtol=1e-7, atol=1e-7)


def test_factors_multiply_to_the_reordered_matrix():
    x = np.random.RandomState(4).randn(2, 3, 20, 20)
    packed, order = evaluated(lambda: tf.linalg.lu(x))
    lower, upper = np.tril(packed, -1) + np.eye(20), np.triu(packed)
    np.testing.assert_allclose(lower @ upper, np.take_along_axis(x, order[..., None], axis=-2), atol=1e-12)
    assert np.abs(lower).max() <= 1


def test_exchanges_make_tridiagonal_solutions_accurate():
    diagonals = np.random.RandomState(5).randn(4, 3, 50)
    x = np.random.RandomState(6).randn(4, 50, 2)
    found = evaluated(lambda: tf.linalg.tridiagonal_solve(
        tf.constant(diagonals), tf.linalg.tridiagonal_matmul(tf.constant(diagonals), tf.constant(x))))
    np.testing.assert_allclose(found, x, rtol=1e-8)


@pytest.mark.parametrize("diagonals, rhs", [
    ([1, 2], [1, 2]), ([[1, 2]] * 3, [1, 2]), ([[[1, 2]] * 3], [[1], [2]]), ([[[1, 2]] * 3] * 2, [[[1], [2]]]), (5, 5)])
def test_ranks_and_batches_that_turn_out_not_to_fit_are_refused(diagonals, rhs):
    def unknown(x):
        return tf.placeholder_with_default(np.array(x, np.float64), None)

    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluated(lambda: tf.raw_ops.TridiagonalSolve(diagonals=unknown(diagonals), rhs=unknown(rhs)))
    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluated(lambda: tf.raw_ops.TridiagonalMatMul(
            superdiag=unknown(diagonals), maindiag=unknown(diagonals), subdiag=unknown(diagonals), rhs=unknown(rhs)))


@pytest.mark.parametrize("function", [tf.linalg.lu, tf.linalg.sqrtm, tf.linalg.expm])
@pytest.mark.parametrize("value", [3.0, [1.0, 2.0], [[1.0, 2.0, 3.0]]])
def test_what_turns_out_to_be_no_square_matrix_is_refused(function, value):
    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluated(lambda: function(tf.placeholder_with_default(np.array(value), None)))


def test_refusals_have_the_words_of_the_original():
    with pytest.raises(ValueError, match="Expected 3 diagonals got 2"):
        tf.linalg.tridiagonal_solve(np.zeros([2, 2]), np.zeros([2, 2]))
    matrices = tf.placeholder(tf.float64)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="must have rank >= 2, got 1"):
        session.run(tf.linalg.sqrtm(matrices), {matrices: np.zeros([3])})
