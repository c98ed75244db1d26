"""Linear operators plus matrices of low rank, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_linear_operators.batches import as_parameter, cholesky_solve_broadcast, solve_broadcast
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part
from ossia_ops.array.shape import shape
from ossia_ops.linalg.determinant import matrix_determinant
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.reduction import reduce_sum


@public("linalg.LinearOperatorLowRankUpdate", "compat.v2.linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """The sum `L + U D V^H` of a linear operator `L` and a product of a tall, a diagonal and a wide matrix.

    With `k` columns in `U`, solving takes solutions of `L` and of systems of `k` equations (the Woodbury identity), and
    the determinant is that of `L` times those of `k` by `k` matrices (the matrix determinant lemma).

    Args:
      base_operator: the LinearOperator `L`, square.
      u: a tensor of shape [..., n, k].
      diag_update: the diagonal of `D`, of shape [..., k]; ones if None.
      v: a tensor of the shape of `u`; `u` if None.
      is_diag_update_positive: whether `diag_update` is positive.
      is_non_singular: whether the matrices are invertible.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether they are positive definite.
      is_square: whether they are square.
      name: the operator's name.

    Raises:
      ValueError: sizes do not fit, or hints contradict one another.
    """

    def __init__(self, base_operator: LinearOperator, u: Any, diag_update: Any = None, v: Any = None,
                 is_diag_update_positive: bool | None = None, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorLowRankUpdate") -> None:
        dtype = base_operator.dtype
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Without diag_update the diagonal is one of ones, and so positive; "
                                 "is_diag_update_positive is False.")
            is_diag_update_positive = True
        values = [*base_operator.graph_parents, u, diag_update, v]
        with name_scope(name, values=values):
            self._u = as_parameter(u, "u", dtype)
            self._v = self._u if v is None else as_parameter(v, "v", dtype)
            self._diag_update = as_parameter(diag_update, "diag_update", dtype)
            if v is None and base_operator.is_self_adjoint:
                if self._diag_update is None or not self._diag_update.dtype.is_complex:
                    if is_self_adjoint is False:
                        raise ValueError("A = L + UDU^H, with L self-adjoint and D real diagonal, is self-adjoint.")
                    is_self_adjoint = True
                if is_diag_update_positive and base_operator.is_positive_definite:
                    if is_positive_definite is False or is_non_singular is False:
                        raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
                    is_self_adjoint = is_positive_definite = is_non_singular = True
            self._base_operator = base_operator
            parameters = [self._u, self._diag_update, self._v]
            tensors = [*base_operator.graph_parents, *(x for x in parameters if x is not None)]
            super().__init__(dtype=dtype, graph_parents=tensors, is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=is_square, name=name)
            self._diag_operator = self._as_operator(is_diag_update_positive)
            self._is_diag_update_positive = is_diag_update_positive
            self._check_sizes()

    def _as_operator(self, is_positive: bool | None) -> LinearOperator:
        """`D` as an operator."""
        if self._diag_update is not None:
            return LinearOperatorDiag(self._diag_update, is_positive_definite=is_positive)
        known = self._u.shape[-1].value
        return LinearOperatorIdentity(num_rows=shape(self._u)[-1] if known is None else known, dtype=self.dtype)

    def _check_sizes(self) -> None:
        both = broadcast_static_shape(self._u.shape, self._v.shape)
        batch = broadcast_static_shape(self._base_operator.batch_shape, both[:-2])
        self._base_operator.domain_dimension.assert_is_compatible_with(both[-2])
        if self._diag_update is not None:
            both[-1].assert_is_compatible_with(self._diag_update.shape[-1])
            broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def u(self) -> Any:
        """The tall matrices, of shape [..., n, k]."""
        return self._u

    @property
    def v(self) -> Any:
        """The other tall matrices, of the shape of `u`."""
        return self._v

    @property
    def is_diag_update_positive(self) -> bool | None:
        """Whether the diagonal is positive, None if that is not known."""
        return self._is_diag_update_positive

    @property
    def diag_update(self) -> Any:
        """The diagonal, of shape [..., k]; None if it is one of ones."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """The diagonal matrices as an operator."""
        return self._diag_operator

    @property
    def base_operator(self) -> LinearOperator:
        """The operator that is updated."""
        return self._base_operator

    def _shape(self):
        both = broadcast_static_shape(self.u.shape, self.v.shape)
        batch = broadcast_static_shape(self.base_operator.batch_shape, both[:-2])
        return batch.concatenate(self.base_operator.shape[-2:])

    def _shape_tensor(self):
        batch = broadcast_dynamic_shape(self.base_operator.batch_shape_tensor(), shape(self.u)[:-2])
        return concat([batch, self.base_operator.shape_tensor()[-2:]], axis=0)

    def _uses_cholesky(self) -> bool:
        return bool(self._can_use_cholesky()) and self._v is self._u

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        base = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = matmul(v, x, adjoint_a=True, adjoint_b=adjoint_arg)
        inner = self._diag_operator.matmul(inner, adjoint=adjoint)
        return base + matmul(u, inner)

    def _determinant(self):
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        small = matrix_determinant(self._capacitance())
        diagonal = self._diag_operator.determinant()
        base = self.base_operator.determinant()
        return small * diagonal * base

    def _log_abs_determinant(self):
        diagonal = self._diag_operator.log_abs_determinant()
        base = self.base_operator.log_abs_determinant()
        if self._uses_cholesky():
            factor = cholesky(self._capacitance())
            small = 2 * reduce_sum(log(matrix_diag_part(factor)), axis=[-1])
        else:
            small = log(absolute(matrix_determinant(self._capacitance())))
            if self.dtype.is_complex:
                small = cast(small, dtype=self.dtype)
        return small + diagonal + base

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        base = self.base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = matmul(v, base, adjoint_a=True)
        if self._uses_cholesky():
            inner = cholesky_solve_broadcast(cholesky(self._capacitance()), inner)
        else:
            inner = solve_broadcast(self._capacitance(), inner, adjoint=adjoint)
        return base - self.base_operator.solve(matmul(u, inner), adjoint=adjoint)

    def _capacitance(self) -> Tensor:
        """The `k` by `k` matrices `D^-1 + V^H L^-1 U`."""
        inner = matmul(self.v, self.base_operator.solve(self.u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)
