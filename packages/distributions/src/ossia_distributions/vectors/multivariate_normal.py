"""Multivariate normal distributions, by how their covariances are given."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_near
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.normal import Normal
from ossia_distributions.scale_operators import (
    diag_scale,
    dimension_size,
    is_diagonal,
)
from ossia_distributions.vectors.scaled import ScaledVector
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.low_rank_update import LinearOperatorLowRankUpdate
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.transposition import matrix_transpose
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.math.broadcast import broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import square
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.nn.activation import softplus


class MultivariateNormalLinearOperator(ScaledVector):
    """The normal distribution of vectors with mean `loc` and covariance `scale @ scale^T`.

    Args:
      loc: means, of shape [..., k]; zero if None.
      scale: a LinearOperator.
      validate_args: whether runs check that `scale` can be inverted.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: `scale` is None.
      TypeError: it is not of floats.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = given(locals())
        super().__init__(
            lambda dtype: Normal(loc=zeros([], dtype=dtype), scale=ones([], dtype=dtype)),
            loc,
            scale,
            validate_args,
            name,
            parts_in_scope=False,
        )
        self._parameters = parameters

    def _mean(self) -> Tensor:
        return self._spread_loc()

    def _mode(self) -> Tensor:
        return self._mean()


@public("contrib.distributions.MultivariateNormalDiag")
class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The normal distribution of vectors whose components are independent.

    Args:
      loc: means, of shape [..., k]; zero if None.
      scale_diag: standard deviations, of shape [..., k].
      scale_identity_multiplier: what is added to each, of shape [...].
      validate_args: whether runs check that none is zero.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: the size of the vectors follows from nothing that is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
                scale = diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(
            loc=loc, scale=scale, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name
        )
        self._parameters = parameters


@public("contrib.distributions.MultivariateNormalDiagWithSoftplusScale")
class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """MultivariateNormalDiag with `softplus(scale_diag)`."""

    def __init__(
        self,
        loc: Any,
        scale_diag: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[scale_diag]) as name:
            super().__init__(
                loc=loc,
                scale_diag=softplus(scale_diag),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.MultivariateNormalTriL")
class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """The normal distribution of vectors whose covariance has the factor `scale_tril`.

    Args:
      loc: means, of shape [..., k]; zero if None.
      scale_tril: lower triangular matrices, of shape [..., k, k]; the identity if None.
      validate_args: whether runs check that no diagonal element is zero.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: neither `loc` nor `scale_tril` is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        parameters = given(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_tril]):
                loc = None if loc is None else convert_to_tensor(loc, name="loc")
                if scale_tril is None:
                    scale: Any = LinearOperatorIdentity(
                        num_rows=dimension_size(loc, -1),
                        dtype=loc.dtype,
                        is_self_adjoint=True,
                        is_positive_definite=True,
                        assert_proper_shapes=validate_args,
                    )
                else:
                    scale = LinearOperatorLowerTriangular(
                        convert_to_tensor(scale_tril, name="scale_tril"),
                        is_non_singular=True,
                        is_self_adjoint=False,
                        is_positive_definite=False,
                    )
        super().__init__(
            loc=loc, scale=scale, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name
        )
        self._parameters = parameters


@public("contrib.distributions.MultivariateNormalFullCovariance")
class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The normal distribution of vectors with a covariance.

    Args:
      loc: means, of shape [..., k]; zero if None.
      covariance_matrix: covariances, of shape [..., k, k]; the identity if None.
      validate_args: whether runs check that it is symmetric.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: neither `loc` nor `covariance_matrix` is given.
    """

    def __init__(
        self,
        loc: Any = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            with name_scope("init", values=[loc, covariance_matrix]):
                scale_tril = None
                if covariance_matrix is not None:
                    covariance_matrix = convert_to_tensor(covariance_matrix, name="covariance_matrix")
                    if validate_args:
                        symmetric = assert_near(
                            covariance_matrix,
                            matrix_transpose(covariance_matrix),
                            message="Matrix was not symmetric",
                        )
                        covariance_matrix = with_dependencies([symmetric], covariance_matrix)
                    scale_tril = cholesky(covariance_matrix)
                super().__init__(
                    loc=loc,
                    scale_tril=scale_tril,
                    validate_args=validate_args,
                    allow_nan_stats=allow_nan_stats,
                    name=name,
                )
        self._parameters = parameters


@public("contrib.distributions.MultivariateNormalDiagPlusLowRank")
class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """The normal distribution of vectors, scaled by a diagonal matrix plus one of low rank.

    Args:
      loc: means, of shape [..., k]; zero if None.
      scale_diag: the diagonal, of shape [..., k].
      scale_identity_multiplier: what is added to it, of shape [...].
      scale_perturb_factor: a matrix `V` of shape [..., k, r]: `V D V^T` is added to the scale.
      scale_perturb_diag: the diagonal of `D`, of shape [..., r]; ones if None.
      validate_args: whether runs check parameters.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: the size of the vectors follows from nothing that is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        parameters = given(locals())
        parts = [loc, scale_diag, scale_identity_multiplier, scale_perturb_factor, scale_perturb_diag]
        with name_scope(name) as name:
            with name_scope("init", values=parts):
                has_low_rank = scale_perturb_factor is not None or scale_perturb_diag is not None
                scale = diag_scale(
                    loc,
                    scale_diag,
                    scale_identity_multiplier,
                    validate_args=validate_args,
                    assert_positive=has_low_rank,
                )
                if scale_perturb_factor is not None:
                    scale_perturb_factor = convert_to_tensor(scale_perturb_factor, name="scale_perturb_factor")
                if scale_perturb_diag is not None:
                    scale_perturb_diag = convert_to_tensor(scale_perturb_diag, name="scale_perturb_diag")
                if has_low_rank:
                    scale = LinearOperatorLowRankUpdate(
                        scale,
                        u=scale_perturb_factor,
                        diag_update=scale_perturb_diag,
                        is_diag_update_positive=scale_perturb_diag is None,
                        is_non_singular=True,
                        is_self_adjoint=True,
                        is_positive_definite=True,
                        is_square=True,
                    )
        super().__init__(
            loc=loc, scale=scale, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name
        )
        self._parameters = parameters


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _kl_multivariate_normal(
    a: MultivariateNormalLinearOperator, b: MultivariateNormalLinearOperator, name: str | None = None
) -> Tensor:
    def squared_norm(x: Tensor) -> Tensor:
        return reduce_sum(square(x), axis=[-2, -1])

    values = [a.loc, b.loc, *a.scale.graph_parents, *b.scale.graph_parents]
    with name_scope(name, "kl_mvn", values=values):
        if is_diagonal(a.scale) and is_diagonal(b.scale):
            b_inv_a = (a.stddev() / b.stddev())[..., None]
        else:
            b_inv_a = b.scale.solve(a.scale.to_dense())
        divergence = (
            b.scale.log_abs_determinant()
            - a.scale.log_abs_determinant()
            + 0.5
            * (
                -cast(a.scale.domain_dimension_tensor(), a.dtype)
                + squared_norm(b_inv_a)
                + squared_norm(b.scale.solve((b.mean() - a.mean())[..., None]))
            )
        )
        divergence.set_shape(broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence
