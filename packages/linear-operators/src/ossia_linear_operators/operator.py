"""The base class of linear operators: what every one of them can do, in terms of what a kind of them says."""
from __future__ import annotations

import abc
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, logging
from ossia_core.names.shapes import Dimension
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import Variable
from ossia_linear_operators import algebra
from ossia_linear_operators.batches import cholesky_solve_broadcast, solve_broadcast, turned
from ossia_linear_operators.operator_shape import OperatorShape
from ossia_modules.module import Module
from ossia_ops.array.diagonal import matrix_diag_part
from ossia_ops.array.eye import eye
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_ops.array.transposition import adjoint as adjoint_of
from ossia_ops.linalg.determinant import matrix_determinant, slogdet
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.linalg.svd import svd
from ossia_ops.math.cast import cast
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.reduction import reduce_max, reduce_min, reduce_sum


@public("linalg.LinearOperator", "compat.v2.linalg.LinearOperator")
class LinearOperator(OperatorShape, Module):
    """A matrix, or a batch of matrices, that is applied to vectors without being written out.

    A kind of operators is a subclass with `_shape`, `_shape_tensor` and `_matmul`; it may also have `_solve`,
    `_determinant`, `_log_abs_determinant`, `_to_dense`, `_diag_part`, `_trace`, `_add_to_tensor`, `_matvec`,
    `_solvevec` and the three `_assert_...`, where it knows better than to work with the dense matrix.

    Hints say what the caller knows: True, False, or None for unknown. They are believed, not checked, and methods use
    them to choose an algorithm.

    Args:
      dtype: dtype of the matrices.
      graph_parents: tensors and variables that the operator is made of.
      is_non_singular: whether the matrices are invertible.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether the real part of `x^H A x` is positive for all `x` that are not zero.
      is_square: whether they have as many rows as columns.
      name: the operator's name; the class name if None.

    Raises:
      ValueError: hints contradict one another, or a graph parent is no tensor.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("_graph_parents", *Module._TF_MODULE_IGNORED_PROPERTIES))

    def __init__(self, dtype: Any, graph_parents: Any = None, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None) -> None:
        parents = [] if graph_parents is None else graph_parents
        for position, parent in enumerate(parents):
            if not isinstance(parent, (Tensor, Variable)):
                raise ValueError(f"Graph parent item {position} is not a Tensor; {parent}.")
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        self._is_square_hint = is_square
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._graph_parents = parents
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._name = name or type(self).__name__

    # -- what is known ----------------------------------------------------------------------------

    @property
    def dtype(self) -> Any:
        """The dtype of the matrices."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name under which the operator builds."""
        return self._name

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors and variables that the operator is made of."""
        return self._graph_parents

    @property
    def is_non_singular(self) -> bool | None:
        """Whether the matrices are invertible, None if that is not known."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether the matrices equal their adjoints, None if that is not known."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether the matrices are positive definite, None if that is not known."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        """Whether the matrices have as many rows as columns, None if that is not known.

        Raises:
          ValueError: the hint says that they have not, and the static shape that they have.
        """
        by_shape = self.domain_dimension == self.range_dimension
        if self._is_square_hint is False and by_shape:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return by_shape if self._is_square_hint is None else self._is_square_hint

    # -- assertions -------------------------------------------------------------------------------

    def _warn_of_dense(self, method: str) -> None:
        logging.warning("%s of %s, for want of a better way, works with the dense matrix.", method, self.name)

    def _assert_non_singular(self) -> Any:
        self._warn_of_dense("assert_non_singular")
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = svd(self.to_dense(), compute_uv=False)
        if values.dtype.is_complex:
            values = builder("math.real")(values)
        condition = reduce_max(values, axis=-1) / reduce_min(values, axis=-1)
        return builder("debugging.assert_less")(condition, self._largest_condition_number(),
                                                message="Singular matrix up to precision epsilon.")

    def _largest_condition_number(self) -> Any:
        """From which condition number on a matrix counts as singular."""
        with name_scope("max_nonsingular_condition_number"):
            rows = cast(self.range_dimension_tensor(), self.dtype)
            columns = cast(self.domain_dimension_tensor(), self.dtype)
            spacing = np.finfo(self.dtype.as_numpy_dtype).eps
            return 1.0 / (reduce_max([100.0, rows, columns]) * spacing)

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """An operation that fails with InvalidArgumentError where a matrix is singular, or nearly so."""
        with self._scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        self._warn_of_dense("assert_positive_definite")
        if self.is_self_adjoint:
            return builder("debugging.assert_positive")(matrix_diag_part(cholesky(self.to_dense())),
                                                        message="Matrix was not positive definite.")
        raise NotImplementedError("assert_positive_definite is not implemented.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """An operation that fails with InvalidArgumentError where a matrix is not positive definite.

        Raises:
          NotImplementedError: the operator does not know how to tell.
        """
        with self._scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        self._warn_of_dense("assert_self_adjoint")
        return builder("debugging.assert_equal")(dense, adjoint_of(dense),
                                                 message="Matrix was not equal to its adjoint.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """An operation that fails with InvalidArgumentError where a matrix is not its own adjoint."""
        with self._scope(name):
            return self._assert_self_adjoint()

    # -- products ---------------------------------------------------------------------------------

    def _checked(self, x: Any, name: str, matrix_axis: int, axis: int) -> Tensor:
        """An argument as a tensor, of the operator's dtype and of a size that fits."""
        x = convert_to_tensor(x, name=name)
        self._check_input_dtype(x)
        own = self.shape[matrix_axis] if self.shape.ndims is not None else Dimension(None)
        own.assert_is_compatible_with(x.shape[axis])
        return x

    def _check_input_dtype(self, arg: Any) -> None:
        if arg.dtype.base_dtype != self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype}. Found: {arg.dtype} in tensor {arg}")

    @abc.abstractmethod
    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        raise NotImplementedError("_matmul is not implemented.")

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = "matmul") -> Any:
        """The product with matrices, or with another operator.

        Args:
          x: a tensor of shape [..., columns, k], or a LinearOperator.
          adjoint: whether to multiply with the adjoint of the operator.
          adjoint_arg: whether to take the adjoint of `x`.
          name: name scope.

        Returns:
          A tensor of shape [..., rows, k], or a LinearOperator.

        Raises:
          ValueError: the sizes do not fit.
          TypeError: `x` is of another dtype.
        """
        if isinstance(x, LinearOperator):
            left = self.adjoint() if adjoint else self
            right = x.adjoint() if adjoint_arg else x
            _check_fitting(left, right)
            with self._scope(name):
                return algebra.matmul(left, right)
        with self._scope(name):
            x = self._checked(x, "x", -2 if adjoint else -1, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Tensor:
        return squeeze(self.matmul(expand_dims(x, axis=-1), adjoint=adjoint), axis=-1)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """The product with vectors.

        Args:
          x: a tensor of shape [..., columns].
          adjoint: whether to multiply with the adjoint of the operator.
          name: name scope.

        Returns:
          A tensor of shape [..., rows].

        Raises:
          ValueError: the sizes do not fit.
          TypeError: `x` is of another dtype.
        """
        with self._scope(name):
            return self._matvec(self._checked(x, "x", -2 if adjoint else -1, -1), adjoint=adjoint)

    # -- determinants -----------------------------------------------------------------------------

    def _can_use_cholesky(self) -> bool | None:
        return self.is_self_adjoint and self.is_positive_definite

    def _determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return matrix_determinant(self.to_dense())

    def determinant(self, name: str = "det") -> Tensor:
        """The determinants, of shape [...].

        Raises:
          NotImplementedError: the operator is not square.
        """
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")
        with self._scope(name):
            return self._determinant()

    def _log_abs_determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return 2 * reduce_sum(log(matrix_diag_part(cholesky(self.to_dense()))), axis=[-1])
        return slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """The logarithms of the absolute values of the determinants, of shape [...].

        Raises:
          NotImplementedError: the operator is not square.
        """
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")
        with self._scope(name):
            return self._log_abs_determinant()

    # -- solutions --------------------------------------------------------------------------------

    def _check_solvable(self) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to not be square.")

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        if self.is_square is False:
            raise NotImplementedError("An operator that is not square cannot be solved exactly.")
        self._warn_of_dense("solve")
        rhs = turned(rhs, adjoint_arg)
        if self._can_use_cholesky():
            return cholesky_solve_broadcast(cholesky(self.to_dense()), rhs)
        return solve_broadcast(self.to_dense(), rhs, adjoint=adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = "solve") -> Any:
        """The solutions `x` of `operator @ x = rhs`.

        Args:
          rhs: a tensor of shape [..., rows, k], or a LinearOperator.
          adjoint: whether to solve with the adjoint of the operator.
          adjoint_arg: whether to take the adjoint of `rhs`.
          name: name scope.

        Returns:
          A tensor of shape [..., columns, k], or a LinearOperator.

        Raises:
          NotImplementedError: the operator is not square, or known to be singular.
          ValueError: the sizes do not fit.
          TypeError: `rhs` is of another dtype.
        """
        self._check_solvable()
        if isinstance(rhs, LinearOperator):
            left = self.adjoint() if adjoint else self
            right = rhs.adjoint() if adjoint_arg else rhs
            _check_fitting(left, right)
            with self._scope(name):
                return algebra.solve(left, right)
        with self._scope(name):
            rhs = self._checked(rhs, "rhs", -1 if adjoint else -2, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Tensor:
        return squeeze(self.solve(expand_dims(rhs, axis=-1), adjoint=adjoint), axis=-1)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Tensor:
        """The solutions `x` of `operator @ x = rhs` for vectors.

        Args:
          rhs: a tensor of shape [..., rows].
          adjoint: whether to solve with the adjoint of the operator.
          name: name scope.

        Returns:
          A tensor of shape [..., columns].

        Raises:
          NotImplementedError: the operator is not square, or known to be singular.
        """
        with self._scope(name):
            return self._solvevec(self._checked(rhs, "rhs", -1 if adjoint else -2, -1), adjoint=adjoint)

    # -- other operators --------------------------------------------------------------------------

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The operator of the adjoint matrices; itself where it is known to be self-adjoint."""
        if self.is_self_adjoint is True:
            return self
        with self._scope(name):
            return algebra.adjoint(self)

    H = property(adjoint, None)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The operator of the inverse matrices.

        Raises:
          ValueError: the operator is not square, or known to be singular.
        """
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._scope(name):
            return algebra.inverse(self)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The operator of the Cholesky factors.

        Raises:
          ValueError: the operator is not known to be self-adjoint and positive definite.
        """
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._scope(name):
            return algebra.cholesky(self)

    # -- dense ------------------------------------------------------------------------------------

    def _to_dense(self) -> Tensor:
        batch: Any = self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        columns: Any = self.domain_dimension.value
        if columns is None:
            columns = self.domain_dimension_tensor()
        return self.matmul(eye(num_rows=columns, batch_shape=batch, dtype=self.dtype))

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """The matrices, a tensor of shape [..., rows, columns]."""
        with self._scope(name):
            return self._to_dense()

    def _diag_part(self) -> Tensor:
        return matrix_diag_part(self.to_dense())

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """The diagonals of the matrices, of shape [..., min(rows, columns)]."""
        with self._scope(name):
            return self._diag_part()

    def _trace(self) -> Tensor:
        return reduce_sum(self.diag_part(), axis=-1)

    def trace(self, name: str = "trace") -> Tensor:
        """The sums of the diagonals, of shape [...]."""
        with self._scope(name):
            return self._trace()

    def _add_to_tensor(self, x: Any) -> Tensor:
        return self.to_dense() + x

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """The sum of the matrices and a tensor of their dtype and a shape that broadcasts with theirs."""
        with self._scope(name):
            x = convert_to_tensor(x, name="x")
            self._check_input_dtype(x)
            return self._add_to_tensor(x)

    @classmethod
    def _dispatch(cls, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        from ossia_linear_operators.functions import HANDLERS
        handler = HANDLERS.get(function)
        return NotImplemented if handler is None else handler(*args, **kwargs)


def _check_fitting(left: LinearOperator, right: LinearOperator) -> None:
    if right.range_dimension != left.domain_dimension and None not in (
            right.range_dimension.value, left.domain_dimension.value):
        raise ValueError(f"Operators are incompatible. Expected `x` to have dimension {left.domain_dimension} but got "
                         f"{right.range_dimension}.")
