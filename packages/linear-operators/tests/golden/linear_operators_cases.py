"""Linear operators: every class with every method, for shapes that are known, partly known and unknown."""

import numpy as np
from golden_case import Case

FULL = np.array([[2.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 4.0]])
SELF_ADJOINT = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
VECTOR = np.array([1.0, -2.0, 3.0])
POSITIVE = np.array([1.0, 2.0, 3.0])
SPECTRUM = np.array([4.0, 1.0, 1.0])


class Placeholders:
    """Makes placeholders, of known or unknown shapes, and keeps their values."""

    def __init__(self, tf, dtype="float64", shapes="known"):
        self.tf, self.dtype, self.shapes, self.feeds, self.made = tf, dtype, shapes, {}, []

    def __call__(self, value, dtype=None):
        value = np.asarray(value, dtype or self.dtype)
        if np.iscomplexobj(value) and value.ndim and not np.imag(value).any() and not dtype:
            value = value * (1 + 0.25j)
        if self.shapes == "constant":
            return self.tf.constant(value)
        shape = {"known": value.shape, "unknown": None, "sizes": (None,) * value.ndim}[self.shapes]
        x = self.tf.placeholder(value.dtype, shape)
        self.feeds[x] = value
        self.made.append(x)
        return x

    def int32(self, value):
        """A placeholder of integers where shapes are not known, else the value."""
        return self(value, "int32") if self.shapes in ("unknown", "sizes") else value


SPD = {"is_self_adjoint": True, "is_positive_definite": True}
REGULAR = {"is_non_singular": True}


def batch(x, size=2):
    """The array and its negative half, and so on: `size` regular matrices or vectors, one after the other."""
    return np.stack([x * (i + 1) * (-1) ** i for i in range(size)])


def batch_positive(x, size=2):
    """`size` positive multiples of an array."""
    return np.stack([x * (i + 1) for i in range(size)])


def operators(tf, p):
    """How to build each operator: a function by name."""
    t = getattr(tf, "linalg", None)
    return {
        "diag": lambda: t.LinearOperatorDiag(p(VECTOR)),
        "diag_batch": lambda: t.LinearOperatorDiag(p(batch(VECTOR)), is_non_singular=True),
        "diag_positive": lambda: t.LinearOperatorDiag(p(POSITIVE), **SPD),
        "full": lambda: t.LinearOperatorFullMatrix(p(FULL)),
        "full_batch": lambda: t.LinearOperatorFullMatrix(p(batch(FULL)), is_non_singular=True),
        "full_wide": lambda: t.LinearOperatorFullMatrix(p(FULL[:2])),
        "full_positive": lambda: t.LinearOperatorFullMatrix(p(SELF_ADJOINT, None if p.dtype != "complex64" else "complex64"), **SPD),
        "lower": lambda: t.LinearOperatorLowerTriangular(p(FULL)),
        "lower_batch": lambda: t.LinearOperatorLowerTriangular(p(batch(FULL)), is_non_singular=True),
        "identity": lambda: t.LinearOperatorIdentity(p.int32(3), dtype=p.dtype),
        "identity_batch": lambda: t.LinearOperatorIdentity(p.int32(3), batch_shape=p.int32([2]), dtype=p.dtype, name="unit"),
        "scaled": lambda: t.LinearOperatorScaledIdentity(p.int32(3), p(2.0)),
        "scaled_batch": lambda: t.LinearOperatorScaledIdentity(p.int32(3), p([2.0, -3.0]), is_non_singular=True),
        "scaled_positive": lambda: t.LinearOperatorScaledIdentity(p.int32(3), p([2.0, 3.0]), **SPD),
        "zeros": lambda: t.LinearOperatorZeros(p.int32(3), dtype=p.dtype),
        "zeros_batch": lambda: t.LinearOperatorZeros(p.int32(3), batch_shape=p.int32([2]), dtype=p.dtype),
        "zeros_wide": lambda: t.LinearOperatorZeros(p.int32(2), p.int32(3), dtype=p.dtype, is_self_adjoint=False, is_square=False),
        "householder": lambda: t.LinearOperatorHouseholder(p(VECTOR)),
        "householder_batch": lambda: t.LinearOperatorHouseholder(p(batch(VECTOR)), is_non_singular=True),
        "toeplitz": lambda: t.LinearOperatorToeplitz(p([3.0, 1.0, 0.5]), p([3.0, -1.0, 0.25])),
        "toeplitz_batch": lambda: t.LinearOperatorToeplitz(p(batch(POSITIVE)), p(batch(POSITIVE)), is_non_singular=True),
        "circulant": lambda: t.LinearOperatorCirculant(p([3.0 + 1j, 1.0, 2.0 - 1j], "complex64")),
        "circulant_real": lambda: t.LinearOperatorCirculant(p(SPECTRUM, "float32"), input_output_dtype=tf.float32),
        "circulant_precise": lambda: t.LinearOperatorCirculant(p([3.0 + 1j, 1.0, 2.0 - 1j], "complex128"), input_output_dtype=tf.complex64),
        "circulant_batch": lambda: t.LinearOperatorCirculant(p(batch(SPECTRUM), "complex64"), is_non_singular=True),
        "circulant_positive": lambda: t.LinearOperatorCirculant(p(SPECTRUM, "float32"), **SPD),
        "circulant2d": lambda: t.LinearOperatorCirculant2D(p([[3.0 + 1j], [1.0], [2.0]], "complex64")),
        "circulant2d_batch": lambda: t.LinearOperatorCirculant2D(p(batch(np.array([[3.0], [1.0], [2.0]])), "float32"), input_output_dtype=tf.float32, is_non_singular=True),
        "circulant3d": lambda: t.LinearOperatorCirculant3D(p([[[3.0 + 1j, 1.0, 2.0]]], "complex64"), is_non_singular=True),
        "composition": lambda: t.LinearOperatorComposition([t.LinearOperatorFullMatrix(p(FULL)), t.LinearOperatorLowerTriangular(p(FULL))]),
        "composition_batch": lambda: t.LinearOperatorComposition([
            t.LinearOperatorDiag(p(batch(VECTOR)), **REGULAR), t.LinearOperatorFullMatrix(p(FULL), **REGULAR), t.LinearOperatorIdentity(3, dtype=p.dtype)]),
        "composition_single": lambda: t.LinearOperatorComposition([t.LinearOperatorFullMatrix(p(SELF_ADJOINT), **SPD)], name="one"),
        "block_diag": lambda: t.LinearOperatorBlockDiag([t.LinearOperatorFullMatrix(p(FULL[:2, :2]), is_square=True), t.LinearOperatorDiag(p([2.0]))]),
        "block_diag_batch": lambda: t.LinearOperatorBlockDiag(
            [t.LinearOperatorFullMatrix(p(batch(FULL[:2, :2])), is_non_singular=True), t.LinearOperatorScaledIdentity(1, p(2.0), is_non_singular=True)]),
        "block_diag_positive": lambda: t.LinearOperatorBlockDiag(
            [t.LinearOperatorFullMatrix(p(SELF_ADJOINT[:2, :2]), **SPD), t.LinearOperatorDiag(p([2.0]), **SPD)]),
        "kronecker": lambda: t.LinearOperatorKronecker([t.LinearOperatorFullMatrix(p(FULL)), t.LinearOperatorDiag(p([2.0]))]),
        "kronecker_batch": lambda: t.LinearOperatorKronecker([
            t.LinearOperatorDiag(p([2.0]), **REGULAR), t.LinearOperatorFullMatrix(p(batch(FULL)), **REGULAR), t.LinearOperatorIdentity(1, dtype=p.dtype)]),
        "kronecker_positive": lambda: t.LinearOperatorKronecker([t.LinearOperatorDiag(p([2.0]), **SPD), t.LinearOperatorFullMatrix(p(SELF_ADJOINT), **SPD)]),
        "update": lambda: t.LinearOperatorLowRankUpdate(t.LinearOperatorFullMatrix(p(FULL)), p(FULL[:, :2]), p(VECTOR[:2]), p(FULL[:, 1:])),
        "update_plain": lambda: t.LinearOperatorLowRankUpdate(t.LinearOperatorIdentity(3, dtype=p.dtype), p(FULL[:, :1])),
        "update_diag": lambda: t.LinearOperatorLowRankUpdate(t.LinearOperatorDiag(p(POSITIVE), **SPD), p(FULL[:, :2]), p(POSITIVE[:2]), is_diag_update_positive=True),
        "update_batch": lambda: t.LinearOperatorLowRankUpdate(
            t.LinearOperatorDiag(p(batch_positive(POSITIVE)), **SPD), p(FULL[:, :2]), v=p(batch(FULL[:, 1:])), is_non_singular=True),
        "adjoint": lambda: t.LinearOperatorAdjoint(t.LinearOperatorFullMatrix(p(FULL))),
        "adjoint_batch": lambda: t.LinearOperatorAdjoint(t.LinearOperatorLowerTriangular(p(batch(FULL)), is_non_singular=True)),
        "inversion": lambda: t.LinearOperatorInversion(t.LinearOperatorFullMatrix(p(FULL))),
        "inversion_batch": lambda: t.LinearOperatorInversion(t.LinearOperatorDiag(p(batch(VECTOR)), is_non_singular=True)),
    }


class OfOperator:
    """One operator with a suitable right-hand side, and calls of its methods."""

    def __init__(self, tf, name, dtype, shapes):
        self.tf, self.p = tf, Placeholders(tf, dtype, shapes)
        self.operator = operators(tf, self.p)[name]()
        self.dtype = self.operator.dtype.name
        self.is_batch = "batch" in name or name == "scaled_positive"
        self.rows, self.columns = (2, 3) if name in ("full_wide", "zeros_wide") else (3, 3)

    def matrix(self, rows, columns=2):
        return self.p(np.arange(1.0, rows * columns + 1).reshape(rows, columns) / 4, self.dtype)

    def square(self):
        """A tensor of the operator's shape."""
        x = np.arange(1.0, self.rows * self.columns + 1).reshape(self.rows, self.columns) / 4
        return self.p(batch(x) if self.is_batch else x, self.dtype)

    def call(self, method, *args, **kwargs):
        """What a method returns; the class of the error if it refuses."""
        try:
            return getattr(self.operator, method)(*args, **kwargs)
        except (NotImplementedError, ValueError, AttributeError, TypeError, self.tf.errors.InvalidArgumentError) as error:
            return type(error).__name__

    def case(self, fetches, **kwargs):
        return Case(fetches, feeds=self.p.feeds, **kwargs)


def results(of):
    """Everything that an operator computes, but for assertions."""
    rows, columns = of.rows, of.columns
    x, vector = of.p([1.0, 2.0, 4.0][:columns], of.dtype), of.p([1.0, 2.0, 4.0][:rows], of.dtype)
    made = [of.call("matmul", of.matrix(columns)), of.call("matmul", of.matrix(rows), adjoint=True),
            of.call("matmul", of.matrix(4, columns), adjoint_arg=True, name="turned"), of.call("matvec", x), of.call("matvec", vector, adjoint=True)]
    made += [of.call("to_dense"), of.call("add_to_tensor", of.square()), of.call("diag_part"), of.call("trace")]
    made += [of.call("solve", of.matrix(rows)), of.call("solve", of.matrix(rows), adjoint=True),
             of.call("solve", of.matrix(4, rows), adjoint_arg=True, name="turned"), of.call("solvevec", vector), of.call("solvevec", vector, adjoint=True)]
    if of.p.shapes != "unknown":
        made += [of.call("matmul", of.p(np.arange(columns * 4.0).reshape(2, columns, 2), of.dtype)),
                 of.call("solve", of.p(np.arange(rows * 4.0).reshape(2, rows, 2), of.dtype))]
    made += [of.call("determinant"), of.call("log_abs_determinant")]
    for other in [of.call(method) for method in ("adjoint", "inverse", "cholesky")]:
        made.append(other if isinstance(other, str) else [facts_of(other), other.to_dense()])
    return of.case(made, tolerance=1e-3 if of.dtype in ("float32", "complex64") else None)


def facts_of(o):
    """What an operator says about itself."""
    return [type(o).__name__, o.name, o.dtype.name, str(o.shape), str(o.batch_shape), str(o.tensor_rank), str(o.domain_dimension), str(o.range_dimension),
            str(o.is_non_singular), str(o.is_self_adjoint), str(o.is_positive_definite), str(o.is_square), [x.name for x in o.graph_parents]]


def checks(of):
    """What an operator says about itself, when it is built and in the graph, and its assertions."""
    tensors = [of.call(method) for method in (
        "shape_tensor", "batch_shape_tensor", "tensor_rank_tensor", "domain_dimension_tensor", "range_dimension_tensor")]
    made = [of.call(method) for method in ("assert_non_singular", "assert_positive_definite", "assert_self_adjoint")]
    return of.case([facts_of(of.operator), tensors, made], graph_only=True)


def gradients(of):
    """The gradients of what an operator computes for the tensors that it is made of."""
    floats = [x for x in of.p.made if x.dtype.name != "int32"]
    made = [of.operator.to_dense(), of.operator.matmul(of.matrix(of.columns))]
    if of.rows == of.columns and of.operator.is_non_singular is not False:
        made += [x for x in (of.call("solve", of.matrix(of.rows)), of.call("log_abs_determinant")) if not isinstance(x, str)]
    return of.case([of.tf.gradients(x, floats, grad_ys=x) for x in made] if floats else made, tolerance=1e-3 if of.dtype in ("float32", "complex64") else 1e-6)


def _add_cases():
    def add(name, aspect, dtype, shapes):
        def case(tf):
            return aspect(OfOperator(tf, name, dtype, shapes))
        globals()["case_%s_%s_%s_%s" % (name, aspect.__name__, dtype, shapes)] = case

    for name in operators(None, None):
        add(name, results, "complex64", "known")
        for aspect in (results, checks):
            add(name, aspect, "float64", "known")
            if name != "full_wide":  # crashes the original, which does not check shapes
                add(name, aspect, "float64", "unknown")
        add(name, gradients, "float64", "known")


_add_cases()
