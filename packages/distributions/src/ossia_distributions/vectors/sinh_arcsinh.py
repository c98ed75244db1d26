"""Vectors with skewness and heavy tails to choose."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.affine import Affine
from ossia_distributions.bijectors.composition import Chain
from ossia_distributions.bijectors.shaped import SinhArcsinh
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.normal import Normal
from ossia_distributions.scale_operators import diag_scale, shapes_from_loc_and_scale
from ossia_distributions.transformed import TransformedDistribution
from ossia_ops.array.fill import ones, zeros


@public("contrib.distributions.VectorSinhArcsinhDiag")
class VectorSinhArcsinhDiag(TransformedDistribution):
    """Vectors whose components are distributed as SinhArcsinh says.

    Args:
      loc: locations, of shape [..., k]; zero if None.
      scale_diag: scales, of shape [..., k].
      scale_identity_multiplier: what is added to each, of shape [...].
      skewness: where the bulk lies; 0 if None.
      tailweight: how heavy tails are; 1 if None.
      distribution: what components are made of, single numbers without a batch; normal ones if None.
      validate_args: whether runs check parameters.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: the size of the vectors follows from nothing that is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = given(locals())
        values = [loc, scale_diag, scale_identity_multiplier, skewness, tailweight]
        with name_scope(name, values=values) as name:
            loc = convert_to_tensor(loc, name="loc") if loc is not None else loc
            tailweight = 1.0 if tailweight is None else tailweight
            has_default_skewness = skewness is None
            skewness = 0.0 if skewness is None else skewness
            scale = diag_scale(
                loc, scale_diag, scale_identity_multiplier, validate_args=False, assert_positive=False
            )
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
            if distribution is None:
                distribution = Normal(
                    loc=zeros([], dtype=scale.dtype),
                    scale=ones([], dtype=scale.dtype),
                    allow_nan_stats=allow_nan_stats,
                )
            # A batch of skewness or tailweight is not one of the distribution.
            skewness = convert_to_tensor(skewness, dtype=scale.dtype, name="skewness")
            tailweight = convert_to_tensor(tailweight, dtype=scale.dtype, name="tailweight")
            f = SinhArcsinh(skewness=skewness, tailweight=tailweight)
            symmetric = f if has_default_skewness else SinhArcsinh(
                skewness=skewness.dtype.as_numpy_dtype(0.0), tailweight=tailweight
            )
            c = 2 * scale.diag_part() / symmetric.forward(convert_to_tensor(2, dtype=scale.dtype))
            affine = Affine(shift=loc, scale_diag=c, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=Chain([affine, f]),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness

    @property
    def loc(self) -> Tensor | None:
        """The locations."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scales, as a LinearOperator."""
        return self._scale

    @property
    def tailweight(self) -> Tensor:
        """How heavy tails are."""
        return self._tailweight

    @property
    def skewness(self) -> Tensor:
        """Where the bulk lies."""
        return self._skewness
