"""Numbers with skewness and heavy tails to choose."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.affine import AffineScalar
from ossia_distributions.bijectors.composition import Chain
from ossia_distributions.bijectors.shaped import SinhArcsinh as SinhArcsinhBijector
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.normal import Normal
from ossia_distributions.scale_operators import broadcast_shape
from ossia_distributions.transformed import TransformedDistribution
from ossia_ops.array.fill import ones, zeros


@public("contrib.distributions.SinhArcsinh")
class SinhArcsinh(TransformedDistribution):
    """The distribution of `loc + c sinh((arcsinh(z) + skewness) tailweight)` with a standard normal `z`.

    `c` is `2 scale / sinh(arcsinh(2) tailweight)`, so that `scale` means what it means of a normal distribution.

    Args:
      loc: locations, floats.
      scale: scales.
      skewness: where the bulk lies; 0 if None.
      tailweight: how heavy tails are; 1 if None. Shapes of all broadcast.
      distribution: the distribution of `z`, of single numbers and without a batch; the normal one if None.
      validate_args: whether runs check parameters.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "SinhArcsinh",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            loc = convert_to_tensor(loc, name="loc")
            dtype = loc.dtype
            scale = convert_to_tensor(scale, name="scale", dtype=dtype)
            tailweight = 1.0 if tailweight is None else tailweight
            has_default_skewness = skewness is None
            skewness = 0.0 if skewness is None else skewness
            tailweight = convert_to_tensor(tailweight, name="tailweight", dtype=dtype)
            skewness = convert_to_tensor(skewness, name="skewness", dtype=dtype)
            batch_shape = broadcast_shape(loc, scale, tailweight, skewness)
            if distribution is None:
                distribution = Normal(
                    loc=zeros([], dtype=dtype), scale=ones([], dtype=dtype), allow_nan_stats=allow_nan_stats
                )
            else:
                distribution.is_scalar_event()
                distribution.is_scalar_batch()
            f = SinhArcsinhBijector(skewness=skewness, tailweight=tailweight)
            symmetric = f if has_default_skewness else SinhArcsinhBijector(
                skewness=skewness.dtype.as_numpy_dtype(0.0), tailweight=tailweight
            )
            c = 2 * scale / symmetric.forward(convert_to_tensor(2, dtype=dtype))
            affine = AffineScalar(shift=loc, scale=c, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=Chain([affine, f]),
                batch_shape=batch_shape,
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters
        self._loc, self._scale, self._tailweight, self._skewness = loc, scale, tailweight, skewness

    @property
    def loc(self) -> Tensor:
        """The locations."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scales."""
        return self._scale

    @property
    def tailweight(self) -> Tensor:
        """How heavy tails are."""
        return self._tailweight

    @property
    def skewness(self) -> Tensor:
        """Where the bulk lies."""
        return self._skewness
