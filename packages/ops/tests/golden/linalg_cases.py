"""Inverses, factors, determinants, norms and solutions of linear equations."""

import numpy as np
from golden_case import Case, raises

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]], "f4")
B = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], "f4")


def derived(tf, build, *shapes, dtype="float32", feeds=()):
    """What a builder gives for placeholders, with all gradients."""
    xs = [tf.placeholder(dtype, shape) for shape in shapes]
    y = build(*xs)
    ys = list(y) if isinstance(y, (list, tuple)) else [y]
    grads = tf.gradients([tf.sin(y) for y in ys], xs)
    return Case([ys, grads], feeds=dict(zip(xs, feeds)))


def case_eye(tf):
    return Case([tf.eye(3), tf.eye(3, num_columns=4, name="named"), tf.eye(3, batch_shape=[2], dtype=tf.int32), tf.eye(tf.constant(3)), tf.linalg.eye(tf.constant(2), 3),
                 tf.eye(2, 3, batch_shape=tf.constant([2])), tf.eye(0)])


def case_norms(tf):
    x = tf.placeholder(tf.float32, [2, 3, 4])
    out = [tf.norm(x, ord=o) for o in ("euclidean", 1, 2, float("inf"), 3, 2.5)]
    out += [tf.norm(x, axis=1, keepdims=True, name="n"), tf.norm(x, ord=1, axis=-1), tf.linalg.norm(x, axis=2, keep_dims=True)]
    out += [tf.norm(x, ord=o, axis=(0, 2)) for o in ("euclidean", "fro", 1, float("inf"))] + [tf.norm(tf.constant([1 + 1j, 2]))]
    return Case(out + [tf.linalg.normalize(x, axis=1), tf.gradients(out[0], x)], feeds={x: np.arange(24.0).reshape(2, 3, 4) - 5})


def case_spectral_norm(tf):
    x = tf.placeholder(tf.float32, [2, 3, 4])
    return Case([tf.norm(x, ord=2, axis=[-2, -1], keepdims=True), tf.norm(x, ord=2, axis=[0, 2])], feeds={x: np.cos(np.arange(24.0)).reshape(2, 3, 4)})


def case_norms_refused(tf):
    x = tf.placeholder(tf.float32, [2, 3, 4])
    options = [dict(ord="x"), dict(ord=-1), dict(ord="fro", axis=1), dict(ord=3, axis=(0, 1)), dict(axis=(0, 1, 2)), dict(axis=[1, 1]), dict(axis=1.5)]
    return [raises(tf.norm, x, **o) for o in options]


def case_inverse(tf):
    return derived(tf, lambda x, y: [tf.matrix_inverse(x), tf.linalg.inv(y, adjoint=True, name="i")], [3, 3], [None, 3, 3], feeds=[A, [A, A + 1]])


def case_inverse_complex(tf):
    return Case([tf.matrix_inverse(tf.constant([[1 + 1j, 2], [0, 1j]]), adjoint=True), tf.matrix_inverse(np.zeros((0, 0)))])


def case_cholesky(tf):
    return derived(tf, lambda x, y: [tf.cholesky(x), tf.linalg.cholesky(y)], [3, 3], [None, 3, 3], feeds=[A, [A, A + 1]])


def case_determinant(tf):
    return derived(tf, lambda x, y: [tf.matrix_determinant(x), tf.linalg.det(y)], [3, 3], [2, None, None], feeds=[A, [A, A + 1]])


def case_logdet(tf):
    return derived(tf, lambda x, y: [*tf.linalg.slogdet(x), tf.linalg.logdet(y)], [3, 3], [None, 3, 3], feeds=[-A, [A, A + 1]])


def case_solve(tf):
    s = tf.matrix_solve
    return derived(tf, lambda x, y, z: [s(x, y), s(x, y, adjoint=True), s(z, z)], [3, 3], [3, 2], None, feeds=[A + np.eye(3, k=1), B, [A, A + 1]])


def case_triangular_solve(tf):
    s = tf.matrix_triangular_solve
    return derived(tf, lambda x, y: [s(x, y, lower=lower, adjoint=adjoint) for lower in (False, True) for adjoint in (False, True)] + [tf.cholesky_solve(x, y)],
                   [3, 3], [3, 2], feeds=[A, B])


def case_qr(tf):
    return derived(tf, lambda x, y, z: [*tf.qr(x), *tf.qr(y, full_matrices=True), *tf.linalg.qr(z)], [3, 2], [3, 3], [2, 3, 2], feeds=[B, A, [B, B + 1]])


def case_qr_wide(tf):
    return Case([tf.qr(B.T), tf.qr(B, full_matrices=True)])


def case_eigen(tf):
    def build(x):
        e, v = tf.self_adjoint_eig(x)
        return [e, tf.square(v), tf.self_adjoint_eigvals(x)]
    return derived(tf, build, [3, 3], feeds=[A])


def case_singular_values(tf):
    return derived(tf, lambda x, y: [tf.svd(x, compute_uv=False), tf.linalg.svd(y, compute_uv=False)], [3, 2], [2, 3, 3], feeds=[B, [A, A + 1]])


def case_singular_vectors(tf):
    def build(x, y, z, w):
        outs = [tf.svd(x), tf.svd(y), tf.svd(z, full_matrices=True), tf.svd(w, full_matrices=True)]
        return [part for s, u, v in outs for part in (s, tf.square(u), tf.square(v))]
    return derived(tf, build, [3, 2], [2, 3], [2, 2], [3, 2], feeds=[B, B.T, A[:2, :2], B])


def case_least_squares(tf):
    s = tf.matrix_solve_ls
    return derived(tf, lambda x, y, z: [s(x, y), s(x, y, l2_regularizer=0.1), s(z, y[:2]), tf.linalg.lstsq(z, y[:2], l2_regularizer=0.5)], [3, 2], [3, 1], [2, 3],
                   feeds=[B, A[:, :1], B.T])


def case_pseudo_inverse(tf):
    return derived(tf, lambda x: [tf.linalg.pinv(x)], [3, 2], feeds=[B])


def case_not_invertible(tf):
    return tf.matrix_inverse(np.ones((2, 2)))


def case_not_solvable(tf):
    return tf.matrix_solve(np.zeros((2, 2)), np.ones((2, 1)))


def case_not_triangular(tf):
    return tf.matrix_triangular_solve(np.zeros((2, 2)), np.ones((2, 1)))


def case_not_positive(tf):
    return tf.cholesky(-np.eye(2))


def case_not_square_fed(tf):
    x = tf.placeholder(tf.float32)
    return Case([tf.matrix_determinant(x)], feeds={x: np.ones((2, 3))})


def case_refused(tf):
    x, y, z = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2, 2]), tf.placeholder(tf.float32)
    grads = lambda t, x: raises(tf.gradients, t, x)
    return [raises(tf.matrix_inverse, x), raises(tf.cholesky, x), raises(tf.matrix_determinant, [1.0]), raises(tf.matrix_solve, y, [1.0]), raises(tf.matrix_solve, y, [[1.0]]),
            raises(tf.qr, [1.0]), raises(tf.svd, [1.0]), grads(tf.qr(x), x), grads(tf.qr(z), z), grads(tf.qr(tf.transpose(x), full_matrices=True), x),
            raises(tf.matrix_inverse, [[1]])]


def case_trace_by_einsum(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return [tf.einsum("ii", x), tf.gradients(tf.einsum(" j j", x), x)[0]]


def case_least_squares_by_orthogonal_matrices(tf):
    x, y = np.array([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]]), np.ones([3, 1])
    return [tf.matrix_solve_ls(x, y, fast=False), tf.matrix_solve_ls(x, y, fast=False, name="named")]


def case_complex_factors_have_no_gradient(tf):
    x = tf.constant([[1.0 + 1j, 2.0], [0.5, 3.0 - 1j]])
    return raises(lambda: tf.gradients(tf.abs(tf.linalg.qr(x)[1]), x))
