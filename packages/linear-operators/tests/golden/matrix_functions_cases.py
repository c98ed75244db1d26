"""Triangular factors, ranks, square roots, logarithms and exponentials of matrices, and tridiagonal ones."""

import numpy as np
from golden_case import Case, raises

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
TURNED = np.array([[1.0, 2.0, 0.0], [-3.0, 1.0, 1.0], [0.0, 0.5, 2.0]])
DIAGONALS = np.array([[[1.0, 2.0, -1.0, 9.0], [2.0, 3.0, 4.0, 5.0], [9.0, 1.0, 0.5, 7.0]],
                      [[3.0, 1.0, 2.0, 9.0], [0.5, 1.0, 2.0, -3.0], [9.0, 2.0, 4.0, 1.0]]])
RHS = np.arange(16.0).reshape(2, 4, 2) / 4 - 1


def with_gradients(tf, build, *arrays, dtype="float64", shapes=None):
    """What a builder gives for placeholders, with the gradients for all of them."""
    arrays = [np.asarray(a, dtype) for a in arrays]
    xs = [tf.placeholder(dtype, shape) for shape in (shapes or [a.shape for a in arrays])]
    y = build(*xs)
    return Case([y, tf.gradients(y, xs, grad_ys=y)], feeds=dict(zip(xs, arrays)))


def case_lu(tf):
    x = tf.placeholder(tf.float64, [None, 3])
    return Case([tf.linalg.lu(x), tf.linalg.lu(tf.constant([[[0.0, 1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0, 4.0]]]), tf.int64, name="named"),
                 tf.linalg.lu(tf.constant([[1j, 2], [3, 4]])), tf.linalg.lu(np.zeros((0, 0)))], feeds={x: TURNED})


def case_lu_unknown(tf):
    x, y = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, [2, None, None])
    return Case([*tf.linalg.lu(x), *tf.linalg.lu(y)], feeds={x: A, y: [A, TURNED]})


def case_lu_refused(tf):
    x = tf.placeholder(tf.float32, [None, None])
    lu = tf.linalg.lu
    return [raises(lu, np.ones((2, 3))), raises(lu, np.ones(2)), raises(lu, np.ones((2, 2), "i4")), raises(tf.gradients, lu(x)[0], x)]


def case_lu_singular(tf):
    return Case([tf.linalg.lu([[1.0, 2.0], [2.0, 4.0]])])


def case_lu_not_square(tf):
    x = tf.placeholder(tf.float32, None)
    return Case([tf.linalg.lu(x)], feeds={x: np.ones((2, 3))})


def case_matrix_rank(tf):
    x, y, z = tf.placeholder(tf.float32, [None, 3, 4]), tf.placeholder(tf.float64, None), tf.placeholder(tf.float64, [2, None])
    wide = np.array([[[1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 0, 1.0]], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]])
    rank = tf.linalg.matrix_rank
    return Case([rank(x), rank(x, tol=0.5, name="named"), rank(y), rank(y, validate_args=True), rank(z, tol=[0.1]), rank([[1.0, 2.0], [2.0, 4.0]]),
                 rank(x, validate_args=True)], feeds={x: wide, y: wide, z: wide[0, :2]})


def case_matrix_rank_refused(tf):
    rank = tf.linalg.matrix_rank
    return [raises(rank, np.ones(3)), raises(rank, np.ones((2, 2), "i4")), raises(rank, np.ones((2, 2), "c8")), raises(rank, [[1, 2]])]


def case_square_root(tf):
    return with_gradients(tf, tf.linalg.sqrtm, A)


def case_square_root_turned(tf):
    return with_gradients(tf, lambda x: tf.matrix_square_root(x, name="named"), [A, TURNED], shapes=[[None, 3, 3]])


def case_square_root_complex(tf):
    return with_gradients(tf, tf.linalg.sqrtm, A + 1j * TURNED, dtype="complex128", shapes=[None])


def case_square_roots(tf):
    roots = tf.linalg.sqrtm
    return Case([roots(x) for x in (np.array([[1.0, 2.0], [3.0, 4.0]]), -np.eye(2), np.array([[-4.0]]), np.array([[0.0]]), np.zeros((2, 2)), np.array([[4.0, 1.0], [0.0, 4.0]]),
                                    np.array([[np.nan, 1.0], [1.0, 1.0]]), np.array([[np.inf, 1.0], [1.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]], "c8"), -np.eye(2, dtype="c16"),
                                    np.zeros((0, 0)), np.zeros((2, 0, 0)), np.array([A, TURNED], "f4"), np.ones((2, 2)) * 1e-8 + np.eye(2))])


def case_square_root_refused(tf):
    return [raises(tf.linalg.sqrtm, np.ones((2, 3))), raises(tf.linalg.sqrtm, np.ones(2)), raises(tf.linalg.sqrtm, np.ones((2, 2), "i4"))]


def case_square_root_not_square(tf):
    x = tf.placeholder(tf.float32, None)
    return Case([tf.linalg.sqrtm(x)], feeds={x: np.ones((2, 3))})


def case_logarithm(tf):
    x = tf.placeholder(tf.complex128, [None, 3])
    log = tf.linalg.logm
    return Case([log(x), log(np.array([A, TURNED], "c8"), name="named"), log(np.array([[0, 1], [1, 0]], "c16")), log(np.array([[1, 1], [0, 1]], "c16")),
                 log(np.array([[4, 1, 2], [0, 4, 1], [0, 0, 4]], "c16")), log(-np.eye(2, dtype="c16")), log(np.array([[-4.0]], "c16")), log(np.zeros((0, 0), "c8")),
                 log(1e6 * A.astype("c16")), log(1e-6 * (A + 2j * TURNED))], feeds={x: A + 1j * TURNED})


def case_logarithm_refused(tf):
    x = tf.placeholder(tf.complex64, [2, 2])
    log = tf.linalg.logm
    return [raises(log, np.ones((2, 2))), raises(log, np.ones((2, 3), "c8")), raises(tf.gradients, log(x), x, x), raises(log, np.ones(2, "c8"))]


def case_logarithm_singular(tf):
    return Case([tf.linalg.logm(np.zeros((2, 2), "c8")), tf.linalg.logm(np.array([[0, 1], [0, 0]], "c16"))])


def case_exponential(tf):
    return Case([tf.linalg.expm(x, name=name) for x, name in ((A, None), (A.astype("f4"), "named"), (A + 1j * TURNED, None))])


def case_exponential_scales(tf):
    x = tf.placeholder(tf.float64, [5, 2, 3, 3])
    y = tf.placeholder(tf.float32, [None, 3, 3])
    scales = np.array([1e-3, 1e-2, 0.03, 0.1, 0.2, 0.3, 0.6, 1.0, 3.0, 5.0])
    values = scales[:, None, None] * TURNED
    return Case([tf.linalg.expm(x), tf.linalg.expm(y)], feeds={x: values.reshape(5, 2, 3, 3), y: values})


def case_exponential_unknown(tf):
    x, y, z = tf.placeholder(tf.float32, None), tf.placeholder(tf.float64, [None, 2, None, 3]), tf.placeholder(tf.float32, [2, None, None])
    return Case([tf.linalg.expm(v) for v in (x, y, z)], feeds={x: A, y: [[A, TURNED]], z: [A, TURNED]})


def case_exponential_gradient(tf):
    return with_gradients(tf, tf.linalg.expm, A / 4)


def case_exponential_empty(tf):
    x = tf.placeholder(tf.float32, [None, 0, 0])
    return Case([tf.linalg.expm(np.zeros((0, 0))), tf.linalg.expm(np.zeros((2, 0, 0))), tf.linalg.expm(x)], feeds={x: np.zeros((2, 0, 0))})


def case_exponential_refused(tf):
    expm = tf.linalg.expm
    return [raises(expm, np.ones((2, 2), "i4")), raises(expm, np.ones((2, 3))), raises(expm, np.ones(2)), raises(expm, 1.0)]


def formats(diagonals):
    above, main, below = (diagonals[..., i, :] for i in range(3))
    dense = np.zeros((*main.shape, main.shape[-1]))
    index = np.arange(main.shape[-1])
    dense[..., index, index] = main
    dense[..., index[:-1], index[1:]] = above[..., :-1]
    dense[..., index[1:], index[:-1]] = below[..., 1:]
    return {"compact": [diagonals], "sequence": [above, main, below], "matrix": [dense]}


def tridiagonal(tf, build, dtype="float64", **options):
    out, feeds = [], {}
    for kind, arrays in formats(DIAGONALS).items():
        xs = [tf.placeholder(dtype, a.shape) for a in arrays]
        rhs = tf.placeholder(dtype, RHS.shape)
        y = build(tuple(xs) if len(xs) > 1 else xs[0], rhs, diagonals_format=kind, **options)
        out += [y, tf.gradients(y, [*xs, rhs], grad_ys=y)]
        feeds.update(zip(xs, arrays))
        feeds[rhs] = RHS
    return Case(out, feeds=feeds)


def case_tridiagonal_product(tf):
    return tridiagonal(tf, tf.linalg.tridiagonal_matmul)


def case_tridiagonal_product_complex(tf):
    return with_gradients(tf, tf.linalg.tridiagonal_matmul, DIAGONALS * (1 + 0.5j), RHS + 1j, dtype="complex64")


def case_tridiagonal_product_unknown(tf):
    return with_gradients(tf, lambda d, r: tf.linalg.tridiagonal_matmul(d, r, name="named"), DIAGONALS, RHS, shapes=[[None, 3, None], [None, None, 2]])


def case_tridiagonal_product_values(tf):
    product = tf.linalg.tridiagonal_matmul
    return Case([product(np.array([[9.0], [2.0], [9.0]]), np.array([[3.0]])), product(np.zeros((3, 0)), np.zeros((0, 2))), product(DIAGONALS[0], np.zeros((4, 0))),
                 product(np.array([[1.0, np.inf], [1, 2], [np.nan, 1]]), np.array([[1.0], [2.0]]))])


def case_tridiagonal_product_refused(tf):
    product = tf.linalg.tridiagonal_matmul
    d, m = tf.placeholder(tf.float64, [3, 4]), tf.placeholder(tf.float64, [None, None])
    rhs = np.ones((4, 2))
    return [raises(product, d, rhs, diagonals_format="x"), raises(product, d, np.ones((5, 2))), raises(product, m, rhs, diagonals_format="matrix"),
            raises(product, np.ones((2, 4)), rhs), raises(product, d, np.ones(4)), raises(product, (np.ones(3), np.ones(4), np.ones(3)), rhs, diagonals_format="sequence"),
            raises(product, d, np.ones((4, 2), "f4")), raises(product, tf.placeholder(tf.float64, [3, 4]), rhs, diagonals_format="matrix")]


def case_tridiagonal_solve(tf):
    return tridiagonal(tf, tf.linalg.tridiagonal_solve)


def case_tridiagonal_solve_without_exchanges(tf):
    return tridiagonal(tf, tf.linalg.tridiagonal_solve, partial_pivoting=False)


def case_tridiagonal_solve_complex(tf):
    return with_gradients(tf, lambda d, r: tf.linalg.tridiagonal_solve(d, r, conjugate_rhs=True, name="named"), DIAGONALS * (1 + 0.5j), RHS + 1j, dtype="complex64")


def case_tridiagonal_solve_transposed(tf):
    turned = np.swapaxes(RHS, 1, 2) + 2j
    return with_gradients(tf, lambda d, r: tf.linalg.tridiagonal_solve(d, r, transpose_rhs=True, conjugate_rhs=True), DIAGONALS * (1 - 1j), turned, dtype="complex128")


def case_tridiagonal_solve_vectors(tf):
    d, r = tf.placeholder(tf.float64, [None, 3, 4]), tf.placeholder(tf.float64, [2, 4])
    solve = tf.linalg.tridiagonal_solve
    complex_d, complex_r = tf.constant(DIAGONALS[0] + 0j), tf.constant(RHS[0, :, 0] + 1j)
    return Case([solve(d, r), solve(d, r, transpose_rhs=True), solve(complex_d, complex_r, conjugate_rhs=True, transpose_rhs=True), tf.gradients(solve(d, r), [d, r])],
                feeds={d: DIAGONALS, r: RHS[..., 0]})


def case_tridiagonal_solve_sequences(tf):
    solve = tf.linalg.tridiagonal_solve
    above, main, below = (tf.constant(DIAGONALS[:, i]) for i in range(3))
    xs = [tf.placeholder(tf.float64, [None]) for _ in range(4)]
    return Case([solve((above[:, :3], main, below[:, 1:]), tf.constant(RHS), diagonals_format="sequence"), solve([above[0, :3], main[0], below[0]], tf.constant(RHS[0]), diagonals_format="sequence"),
                 solve((above[0], main[0], below[0, 1:]), tf.constant(RHS[0, :, 0]), diagonals_format="sequence"), solve(xs[:3], xs[3], diagonals_format="sequence")],
                feeds={xs[0]: DIAGONALS[0, 0], xs[1]: DIAGONALS[0, 1], xs[2]: DIAGONALS[0, 2], xs[3]: RHS[0, :, 0]})


def case_tridiagonal_solve_unknown(tf):
    return with_gradients(tf, tf.linalg.tridiagonal_solve, DIAGONALS, RHS, shapes=[[None, 3, None], [None, None, 2]])


def case_tridiagonal_solve_partly_known(tf):
    return with_gradients(tf, tf.linalg.tridiagonal_solve, DIAGONALS, RHS, shapes=[[2, None, 4], [None, 4, 2]])


def case_tridiagonal_solve_known_rhs(tf):
    return with_gradients(tf, tf.linalg.tridiagonal_solve, DIAGONALS, RHS, shapes=[[None, 3, 4], [2, 4, None]])


def case_tridiagonal_solve_values(tf):
    solve = lambda d, r, **options: tf.linalg.tridiagonal_solve(tf.constant(d), tf.constant(r), **options)
    column = np.array([[1.0], [2.0], [3.0]])
    return Case([solve(np.array([[9.0], [2.0], [9.0]]), np.array([[3.0]])), solve(np.zeros((3, 0)), np.zeros((0, 2))), solve(DIAGONALS[0], np.zeros((4, 0))),
                 solve(np.array([[1, 1, 0], [2, np.nan, 2], [0, 1, 1.0]]), column), solve(np.array([[1, 1, 0], [0, 3, 2], [0, 1, 1.0]]), column),
                 solve(np.array([[1, 0], [0, 3], [0, 2.0]]), column[:2], partial_pivoting=True), solve(np.array([[1, 1, 0], [2, 2, 2], [0, 1, 1.0]]), column, partial_pivoting=False),
                 solve(np.array([[2.0, 1], [1, 3]]), np.array([4.0, 5]), diagonals_format="matrix")])


def case_tridiagonal_solve_singular(tf):
    return Case([tf.linalg.tridiagonal_solve(tf.constant([[1, 1, 0], [0, 0, 0], [0, 1, 1.0]]), tf.ones((3, 1)))])


def case_tridiagonal_solve_zero(tf):
    return Case([tf.linalg.tridiagonal_solve(tf.zeros((3, 1)), tf.ones((1, 1)))])


def case_tridiagonal_solve_zero_pivot(tf):
    return Case([tf.linalg.tridiagonal_solve(tf.constant([[1, 0], [0, 3], [0, 2.0]]), tf.ones((2, 1)), partial_pivoting=False)])


def case_tridiagonal_solve_two_diagonals(tf):
    x = tf.placeholder(tf.float64, [None, 4])
    return Case([tf.linalg.tridiagonal_solve(x, tf.ones((4, 1), tf.float64))], feeds={x: np.ones((2, 4))})


def case_tridiagonal_solve_other_size(tf):
    x = tf.placeholder(tf.float64, [3, None])
    return Case([tf.linalg.tridiagonal_solve(x, tf.ones((4, 1), tf.float64))], feeds={x: np.ones((3, 5))})


def case_tridiagonal_solve_refused(tf):
    solve = tf.linalg.tridiagonal_solve
    x = lambda *shape: tf.placeholder(tf.float64, shape)
    unknown = tf.placeholder(tf.float64, None)
    return [raises(solve, *given, **options) for given, options in [
        ((x(3, 4), x(4)), dict(diagonals_format="x")), ((x(2, 4), x(4)), {}), ((x(3, 4), x(5)), {}), ((x(2, 3, 4), x(3, 4, 1)), {}), ((x(4), x(4, 1)), {}), ((x(3, 4), x()), {}),
        ((x(3, 4), x(2, 4, 2)), {}), ((x(3, 4), tf.placeholder(tf.float32, [4, 2])), {}), ((x(3, 4), x(4, 2)), dict(diagonals_format="matrix")), ((unknown, x(4, 2)), {}),
        ((x(3, 4), unknown), {}), (((x(4), x(4)), x(4)), dict(diagonals_format="sequence")), ((x(3, 4), x(4)), dict(diagonals_format="sequence")),
        (((x(2), x(4), x(4)), x(4)), dict(diagonals_format="sequence")), (((x(4), x(None), x(4)), x(4)), dict(diagonals_format="sequence")),
        (((x(2, 4), x(3, 4), x(2, 4)), x(2, 4)), dict(diagonals_format="sequence")), ((x(None, None), x(4)), dict(diagonals_format="matrix")),
        (((x(4), x(4), x(4)), x(4)), {}), ((x(3, 4), x(4, 2)), dict(transpose_rhs=True)), ((unknown, unknown), dict(diagonals_format="matrix"))]]


def case_tridiagonal_matrices_as_arrays(tf):
    x = np.arange(9, dtype=np.float32).reshape(1, 3, 3)
    partly = [tf.placeholder_with_default(x, shape) for shape in ([1, 3, None], [1, None, 3])]
    return [tf.linalg.tridiagonal_matmul(x, x, "matrix"), raises(tf.linalg.tridiagonal_matmul, partly[0], x, "matrix")] + [
        tf.linalg.tridiagonal_solve(matrices, x, "matrix") for matrices in [x, *partly]]
