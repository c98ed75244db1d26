"""`linear_operator_test_util`: base classes that test a linear operator beside the matrix that it stands for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_tensorflow_paths.python.ops.linalg.linear_operator_util import (
    broadcast_matrix_batch_dims,
    matrix_solve_with_broadcast,
)

_SEED = 87654321
_TOLERANCES = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-12, "complex64": 1e-6, "complex128": 1e-12}


class OperatorShapesInfo:
    """The shape of an operator, and whatever else a test says of it."""

    def __init__(self, shape: Sequence[int], **kwargs: Any) -> None:
        self.shape = shape
        self.__dict__.update(kwargs)


class CheckTapeSafeSkipOptions:
    """What `check_tape_safe` may leave out."""

    DETERMINANT = "determinant"
    DIAG_PART = "diag_part"
    LOG_ABS_DETERMINANT = "log_abs_determinant"
    TRACE = "trace"


class LinearOperatorDerivedClassTest(tf.test.TestCase):
    """A test of one class of operators: derive from it, say how to make one and its matrix, and call `add_tests`."""

    _atol = _rtol = {tf.as_dtype(name): tolerance for name, tolerance in _TOLERANCES.items()}

    def assertAC(self, x: Any, y: Any) -> None:
        """Fails unless two arrays of one dtype are close to each other."""
        dtype = tf.as_dtype(x.dtype)
        self.assertAllClose(x, y, rtol=self._rtol[dtype], atol=self._atol[dtype])

    @staticmethod
    def adjoint_options() -> list[bool]:
        """Whether to take the adjoint of the operator."""
        return [False, True]

    @staticmethod
    def adjoint_arg_options() -> list[bool]:
        """Whether to take the adjoint of what it is applied to."""
        return [False, True]

    @staticmethod
    def dtypes_to_test() -> list[Any]:
        """The dtypes of operators."""
        return [tf.float32, tf.float64, tf.complex64, tf.complex128]

    @staticmethod
    def use_placeholder_options() -> list[bool]:
        """Whether to make operators of placeholders, so that nothing is known of them."""
        return [False, True]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """The shapes of operators."""
        raise NotImplementedError("operator_shapes_infos has not been implemented.")

    def operator_and_matrix(
        self, shapes_info: Any, dtype: Any, use_placeholder: bool, ensure_self_adjoint_and_pd: bool = False
    ) -> tuple[Any, Any]:
        """An operator and its matrix."""
        raise NotImplementedError("operator_and_matrix has not been implemented.")

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What the operator's equations are to be solved for."""
        raise NotImplementedError("make_rhs is not defined.")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What the operator is to be applied to."""
        raise NotImplementedError("make_x is not defined.")

    @staticmethod
    def skip_these_tests() -> list[str]:
        """Tests that do not go for the class, such as `"solve"`."""
        return []

    def assertRaisesError(self, msg: str) -> Any:
        """A context that fails unless a run in it is refused, for a reason that `msg` matches."""
        return self.assertRaisesOpError(msg)

    def check_tape_safe(self, operator: Any, skip_options: Iterable[str] | None = None) -> None:
        """Fails unless gradients reach the variables that an operator is made of."""
        skipped = set(skip_options or ())
        made: dict[str, Callable[[], Any]] = {
            CheckTapeSafeSkipOptions.DETERMINANT: operator.determinant,
            CheckTapeSafeSkipOptions.DIAG_PART: operator.diag_part,
            CheckTapeSafeSkipOptions.LOG_ABS_DETERMINANT: operator.log_abs_determinant,
            CheckTapeSafeSkipOptions.TRACE: operator.trace,
            "to_dense": operator.to_dense,
            "matmul": lambda: operator.matmul(tf.eye(operator.domain_dimension, dtype=operator.dtype)),
        }
        variables = list(operator.trainable_variables)
        self.assertNotEmpty(variables)
        for name, make in made.items():
            if name not in skipped:
                self.assertNotIn(None, tf.gradients(make(), variables), msg=name)


class SquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """A test of a class of square operators."""

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """Shapes of square operators."""
        return [OperatorShapesInfo(shape) for shape in ((0, 0), (1, 1), (1, 3, 3), (3, 4, 4), (2, 1, 4, 4))]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What the operator's equations are to be solved for."""
        return self.make_x(operator, adjoint=not adjoint, with_batch=with_batch)

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What the operator is to be applied to."""
        count = self._get_num_systems(operator)
        if operator.shape.is_fully_defined():
            batch = operator.batch_shape.as_list() if with_batch else []
            return random_normal([*batch, operator.domain_dimension.value, count], dtype=operator.dtype)
        shape = [[operator.domain_dimension_tensor(), count]]
        return random_normal(
            tf.concat([operator.batch_shape_tensor(), *shape] if with_batch else shape, 0), dtype=operator.dtype
        )

    def _get_num_systems(self, operator: Any) -> int:
        """How many columns to solve for: one and two take different ways."""
        return 1 if operator.tensor_rank is None or operator.tensor_rank % 2 else 2


class NonSquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """A test of a class of operators that need not be square."""

    @staticmethod
    def skip_these_tests() -> list[str]:
        """What only square operators have."""
        return ["cholesky", "solve", "solve_with_broadcast", "det", "log_abs_det", "inverse"]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """Shapes that are not square."""
        return [OperatorShapesInfo(shape) for shape in ((2, 1), (1, 2), (1, 3, 2), (3, 3, 4), (2, 1, 2, 4))]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Operators that are not square have no solutions."""
        raise NotImplementedError("make_rhs not implemented because we don't test solve")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What the operator is to be applied to."""
        count = self._get_num_systems(operator)
        if operator.shape.is_fully_defined():
            rows = operator.range_dimension if adjoint else operator.domain_dimension
            batch = operator.batch_shape.as_list() if with_batch else []
            return random_normal([*batch, rows.value, count], dtype=operator.dtype)
        length = operator.range_dimension_tensor() if adjoint else operator.domain_dimension_tensor()
        shape = [[length, count]]
        return random_normal(
            tf.concat([operator.batch_shape_tensor(), *shape] if with_batch else shape, 0), dtype=operator.dtype
        )

    def _get_num_systems(self, operator: Any) -> int:
        return 1 if operator.tensor_rank is None or operator.tensor_rank % 2 else 2


# -- the tests ----------------------------------------------------------------------------------------

_Case = dict[str, Any]


def _made(test: Any, case: _Case, positive: bool = False) -> tuple[Any, Any]:
    """The operator and the matrix of a case; where placeholders are used, nothing of their shapes is known."""
    tf.set_random_seed(_SEED)
    keywords = {"use_placeholder": case["use_placeholder"]}
    if positive:
        keywords["ensure_self_adjoint_and_pd"] = True
    return test.operator_and_matrix(case["shapes_info"], case["dtype"], **keywords)


def _compare(test: Any, case: _Case, wanted: Any, found: Any) -> None:
    if not case["use_placeholder"]:
        test.assertAllEqual(found.shape, wanted.shape)
    test.assertAC(*test.evaluate([found, wanted]))


def _to_dense(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, matrix, operator.to_dense())


def _det(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, tf.linalg.det(matrix), operator.determinant())


def _log_abs_det(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, tf.linalg.slogdet(matrix)[1], operator.log_abs_determinant())


def _trace(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, tf.linalg.trace(matrix), operator.trace())


def _diag_part(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, tf.linalg.diag_part(matrix), operator.diag_part())


def _add_to_tensor(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, 3 * matrix, operator.add_to_tensor(2 * matrix))


def _adjoint(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    wanted = tf.linalg.adjoint(matrix)
    _compare(test, case, wanted, operator.adjoint().to_dense())
    _compare(test, case, wanted, operator.H.to_dense())


def _cholesky(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case, positive=True)
    _compare(test, case, tf.linalg.cholesky(matrix), operator.cholesky().to_dense())


def _inverse(test: Any, case: _Case) -> None:
    operator, matrix = _made(test, case)
    _compare(test, case, tf.linalg.inv(matrix), operator.inverse().to_dense())


def _applied(test: Any, case: _Case, with_batch: bool) -> None:
    operator, matrix = _made(test, case)
    adjoint, adjoint_arg = case["adjoint"], case["adjoint_arg"]
    x = test.make_x(operator, adjoint=adjoint, with_batch=with_batch)
    argument = tf.linalg.adjoint(x) if adjoint_arg else x
    found = operator.matmul(argument, adjoint=adjoint, adjoint_arg=adjoint_arg)
    dense = tf.linalg.adjoint(matrix) if adjoint else matrix
    dense, x = broadcast_matrix_batch_dims([dense, x])
    _compare(test, case, tf.matmul(dense, x), found)


def _matmul(test: Any, case: _Case) -> None:
    _applied(test, case, with_batch=True)


def _matmul_with_broadcast(test: Any, case: _Case) -> None:
    _applied(test, case, with_batch=False)


def _solved(test: Any, case: _Case, with_batch: bool) -> None:
    operator, matrix = _made(test, case)
    adjoint, adjoint_arg = case["adjoint"], case["adjoint_arg"]
    rhs = test.make_rhs(operator, adjoint=adjoint, with_batch=with_batch)
    argument = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
    found = operator.solve(argument, adjoint=adjoint, adjoint_arg=adjoint_arg)
    _compare(test, case, matrix_solve_with_broadcast(matrix, rhs, adjoint=adjoint), found)


def _solve(test: Any, case: _Case) -> None:
    _solved(test, case, with_batch=True)


def _solve_with_broadcast(test: Any, case: _Case) -> None:
    _solved(test, case, with_batch=False)


_TESTS = {
    "to_dense": _to_dense, "det": _det, "log_abs_det": _log_abs_det, "trace": _trace, "diag_part": _diag_part,
    "add_to_tensor": _add_to_tensor, "adjoint": _adjoint, "cholesky": _cholesky, "inverse": _inverse,
}
_TESTS_OF_ARGUMENTS = {
    "matmul": _matmul, "matmul_with_broadcast": _matmul_with_broadcast,
    "solve": _solve, "solve_with_broadcast": _solve_with_broadcast,
}


def _as_test(check: Callable[[Any, _Case], None], case: _Case) -> Callable[[Any], None]:
    def test(self: Any) -> None:
        with self.session(graph=tf.Graph()):
            check(self, case)

    return test


def add_tests(test_cls: Any) -> None:
    """Gives a class one test for each check, shape, dtype and other choice that it does not leave out."""
    skipped = test_cls.skip_these_tests()
    for name, check in {**_TESTS, **_TESTS_OF_ARGUMENTS}.items():
        if name in skipped:
            continue
        choices = [test_cls.operator_shapes_infos(), test_cls.dtypes_to_test(), test_cls.use_placeholder_options()]
        names = ["shapes_info", "dtype", "use_placeholder"]
        if name in _TESTS_OF_ARGUMENTS:
            choices += [test_cls.adjoint_options(), test_cls.adjoint_arg_options()]
            names += ["adjoint", "adjoint_arg"]
        for values in itertools.product(*choices):
            case = dict(zip(names, values, strict=True))
            said = {**case, "shapes_info": case["shapes_info"].shape}
            test_name = f"test_{name}__" + ",".join(f"{n.removesuffix('s_info')}={v}" for n, v in said.items())
            if hasattr(test_cls, test_name):
                raise RuntimeError(f"Test {test_name} defined more than once")
            setattr(test_cls, test_name, _as_test(check, case))


# -- random matrices ------------------------------------------------------------------------------------


def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = tf.float32, seed: int | None = None
) -> Any:
    """A tensor of normal values; complex ones have such real and imaginary parts."""
    dtype = tf.as_dtype(dtype)
    seed = _SEED if seed is None else seed
    with tf.name_scope("random_normal"):
        samples = tf.random.normal(shape, mean=mean, stddev=stddev, dtype=dtype.real_dtype, seed=seed)
        if not dtype.is_complex:
            return samples
        imaginary = tf.random.normal(shape, mean=mean, stddev=stddev, dtype=dtype.real_dtype, seed=seed + 1234)
        return tf.complex(samples, imaginary)


def random_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = tf.float32, seed: int | None = None
) -> Any:
    """A tensor of uniform values; complex ones have such real and imaginary parts."""
    dtype = tf.as_dtype(dtype)
    seed = _SEED if seed is None else seed
    low, high = 0 if minval is None else minval, maxval
    with tf.name_scope("random_uniform"):
        samples = tf.random.uniform(shape, dtype=dtype.real_dtype, minval=low, maxval=high, seed=seed)
        if not dtype.is_complex:
            return samples
        imaginary = tf.random.uniform(shape, dtype=dtype.real_dtype, minval=low, maxval=high, seed=seed + 12345)
        return tf.complex(samples, imaginary)


def random_sign_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = tf.float32, seed: int | None = None
) -> Any:
    """A tensor of uniform values of either sign."""
    seed = _SEED if seed is None else seed
    with tf.name_scope("random_sign_uniform"):
        magnitudes = random_uniform(shape, minval, maxval, dtype=dtype, seed=seed)
        signs = tf.sign(tf.random.uniform(shape, minval=-1.0, maxval=1.0, seed=seed + 12))
        return magnitudes * tf.cast(signs, magnitudes.dtype)


def random_normal_correlated_columns(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = tf.float32, eps: float = 1e-4, seed: int | None = None
) -> Any:
    """A batch of matrices whose columns are nearly the same."""
    seed = _SEED if seed is None else seed
    dtype = tf.as_dtype(dtype)
    with tf.name_scope("random_normal_correlated_columns"):
        rows = tf.concat([tf.shape(tf.zeros(shape))[:-1], [1]], 0)
        column = random_normal(rows, mean, stddev / np.sqrt(2), dtype, seed)
        own = random_normal(shape, 0.0, stddev, dtype, seed + 1000)
        return column + tf.cast(eps, dtype) * own


def random_positive_definite_matrix(shape: Any, dtype: Any, force_well_conditioned: bool = False) -> Any:
    """A batch of self-adjoint positive definite matrices."""
    dtype = tf.as_dtype(dtype)
    with tf.name_scope("random_positive_definite_matrix"):
        factor = random_tril_matrix(shape, dtype, force_well_conditioned=force_well_conditioned)
        return tf.matmul(factor, factor, adjoint_b=True)


def random_tril_matrix(
    shape: Any, dtype: Any, force_well_conditioned: bool = False, remove_upper: bool = True
) -> Any:
    """A batch of lower triangular matrices that have inverses."""
    with tf.name_scope("random_tril_matrix"):
        tril = random_normal(shape, dtype=dtype)
        if remove_upper:
            tril = tf.linalg.band_part(tril, -1, 0)
        if not force_well_conditioned:
            return tril
        size = tf.shape(tril)[-1]
        largest = tf.cast(tf.sqrt(tf.cast(size, tf.float32)), tril.dtype)
        return tf.linalg.set_diag(tril, random_sign_uniform(tf.shape(tril)[:-1], 3.0, 6.0, dtype=dtype) * largest)
