"""Linear operators, as the original builds and computes them, and each method against the dense matrices."""
import inspect
import sys
from pathlib import Path

import numpy as np
import pytest

import ossia as tf
from ossia_testkit import golden_case
from ossia_testkit.golden import golden_tests

sys.modules["golden_case"] = golden_case
sys.path.insert(0, str(Path(__file__).parent / "golden"))
from linear_operators_cases import Placeholders, operators  # noqa: E402

test_linear_operators = golden_tests(__file__, "linear_operators_cases.py")
test_linear_operator_algebra = golden_tests(__file__, "linear_operator_algebra_cases.py")


# Zeros have no inverse, and the spectrum of that circulant operator is not one of real matrices, which it rounds to.
NOT_REGULAR = ("zeros", "zeros_batch", "zeros_wide", "circulant2d_batch")


@pytest.mark.parametrize("name", [name for name in operators(None, None) if name not in NOT_REGULAR])
def test_methods_agree_with_the_dense_matrix(name):
    with tf.Graph().as_default(), tf.Session() as session:
        place = Placeholders(tf, "float64", "constant")
        operator = operators(tf, place)[name]()
        dtype = operator.dtype.as_numpy_dtype
        tolerance = 1e-3 if np.dtype(dtype).itemsize < 16 and dtype != np.float64 else 1e-8
        dense = session.run(operator.to_dense())
        rows, columns = dense.shape[-2:]
        x, y = (np.arange(1.0, 2 * size + 1).reshape(size, 2).astype(dtype) for size in (columns, rows))
        transposed = np.conj(dense.swapaxes(-1, -2))
        pairs = [(operator.matmul(x), dense @ x), (operator.matmul(y, adjoint=True), transposed @ y),
                 (operator.matvec(x[:, 0]), (dense @ x)[..., 0]), (operator.add_to_tensor(dense), 2 * dense),
                 (operator.diag_part(), np.diagonal(dense, axis1=-2, axis2=-1)),
                 (operator.adjoint().to_dense(), transposed)]
        if rows == columns and name != "circulant_precise":  # whose equations the original refuses to solve
            inverse = operator.inverse()
            pairs += [(operator.solve(x), np.linalg.solve(dense, np.broadcast_to(x, (*dense.shape[:-2], *x.shape)))),
                      (operator.determinant(), np.linalg.det(dense)),
                      (inverse.matmul(dense.astype(inverse.dtype.as_numpy_dtype)), np.eye(rows)),
                      (operator.log_abs_determinant(), np.log(np.abs(np.linalg.det(dense))))]
        for got, (_, expected) in zip(session.run([tensor for tensor, _ in pairs]), pairs, strict=True):
            np.testing.assert_allclose(got, np.broadcast_to(expected, got.shape), rtol=tolerance, atol=tolerance)


def test_signatures_of_functions_that_take_operators_are_their_own():
    assert list(inspect.signature(tf.linalg.inv).parameters) == ["input", "adjoint", "name"]
    assert list(inspect.signature(tf.linalg.matmul).parameters)[:4] == ["a", "b", "transpose_a", "transpose_b"]


def test_a_hermitian_spectrum_is_asserted():
    with tf.Graph().as_default(), tf.Session() as session:
        hermitian = tf.linalg.LinearOperatorCirculant(np.complex64([3, 1 + 1j, 1 - 1j]))
        session.run(hermitian.assert_hermitian_spectrum())
        other = tf.linalg.LinearOperatorCirculant(np.complex64([3, 1 + 1j, 1 + 1j]))
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(other.assert_hermitian_spectrum())


@pytest.mark.parametrize(("made", "said"), [
    (lambda: tf.linalg.LinearOperatorKronecker([]), "list of >=1 operators"),
    (lambda: tf.linalg.LinearOperatorDiag([1.0], is_square=False),
     "Only square diagonal operators currently supported"),
    (lambda: tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0]), "Expected square matrix, got row and col with"),
    (lambda: tf.linalg.LinearOperatorZeros(2, 3),
     r"initialized as is_square=True, but got num_rows\(2\) != num_columns\(3\)"),
    (lambda: tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorDiag([1.0]), is_square=False),
     "square if and only if its adjoint is square"),
    (lambda: tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorDiag([1.0]), is_non_singular=False),
     "must have `is_non_singular` equal to `True`"),
])
def test_refusals(made, said):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=said):
        made()


def test_eigenvalues_of_self_adjoint_circulants_are_real():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        spectrum = tf.constant([4.0, 1.0, 2.0], tf.complex64)
        trace = tf.linalg.LinearOperatorCirculant(spectrum, is_self_adjoint=True).trace()
        assert session.run(trace) == 7.0
        assert "Imag" not in {op.type for op in graph.get_operations()}
