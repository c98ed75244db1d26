"""Bijectors of single numbers with parameters: quantiles of distributions, softplus, the hyperbolic sine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_less_equal, assert_non_negative, assert_none_equal, assert_positive
from ossia_debugging.kinds import assert_same_float_dtype
from ossia_distributions.bijectors.bijector import Bijector
from ossia_distributions.softplus import softplus_inverse
from ossia_ops.array.fill import ones
from ossia_ops.array.selection import where_v2
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.exponential import exp, expm1, log, log1p
from ossia_ops.math.trigonometry import asinh, cosh, sinh
from ossia_ops.nn.activation import softplus


@public("contrib.distributions.bijectors.Gumbel")
class Gumbel(Bijector):
    """`y = exp(-exp(-(x - loc) / scale))`, the cumulative distribution of Gumbel's distribution.

    Args:
      loc: location.
      scale: scale, of a shape that broadcasts with that of `loc`.
      validate_args: whether runs check that `scale` is positive, and arguments.
      name: scope of its methods.
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel") -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[loc, scale]):
            self._loc = convert_to_tensor(loc, name="loc")
            self._scale = convert_to_tensor(scale, name="scale")
            assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                self._scale = with_dependencies(
                    [assert_positive(self._scale, message="Argument scale was not positive")], self._scale
                )
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def loc(self) -> Tensor:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        z = (x - self.loc) / self.scale
        return exp(-exp(-z))

    def _inverse(self, y: Tensor) -> Tensor:
        y = _within_unit_interval(y, self.validate_args)
        return self.loc - self.scale * log(-log(y))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = _within_unit_interval(y, self.validate_args)
        return log(self.scale / (-log(y) * y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        z = (x - self.loc) / self.scale
        return -z - exp(-z) - log(self.scale)


@public("contrib.distributions.bijectors.Kumaraswamy")
class Kumaraswamy(Bijector):
    """`y = (1 - (1 - x)^(1 / b))^(1 / a)`, the quantiles of Kumaraswamy's distribution.

    Args:
      concentration1: `a`.
      concentration0: `b`.
      validate_args: whether runs check that both are positive, and arguments.
      name: scope of its methods.
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[concentration1, concentration0]):
            concentration1 = self._checked(convert_to_tensor(concentration1, name="concentration1"))
            concentration0 = self._checked(convert_to_tensor(concentration0, name="concentration0"))
        self._concentration1, self._concentration0 = concentration1, concentration0
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def concentration1(self) -> Tensor:
        """The `a` of the power of `x`."""
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        """The `b` of the power of `1 - x^a`."""
        return self._concentration0

    def _forward(self, x: Tensor) -> Tensor:
        x = _share(x, self.validate_args)
        return exp(log1p(-exp(log1p(-x) / self.concentration0)) / self.concentration1)

    def _inverse(self, y: Tensor) -> Tensor:
        y = _share(y, self.validate_args)
        return exp(log1p(-((1 - y**self.concentration1) ** self.concentration0)))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = _share(y, self.validate_args)
        return (
            log(self.concentration1)
            + log(self.concentration0)
            + (self.concentration1 - 1) * log(y)
            + (self.concentration0 - 1) * log1p(-(y**self.concentration1))
        )

    def _checked(self, concentration: Tensor) -> Tensor:
        if not self.validate_args:
            return concentration
        positive = assert_positive(concentration, message="Concentration parameter must be positive.")
        return with_dependencies([positive], concentration)


def _share(x: Tensor, validate_args: bool) -> Tensor:
    if not validate_args:
        return x
    above = assert_non_negative(x, message="sample must be non-negative")
    below = assert_less_equal(x, ones([], x.dtype.base_dtype), message="sample must be no larger than `1`.")
    return with_dependencies([above, below], x)


def _within_unit_interval(x: Tensor, validate_args: bool) -> Tensor:
    if not validate_args:
        return x
    above = assert_non_negative(x, message="Inverse transformation input must be greater than 0.")
    one = constant(1.0, x.dtype)
    below = assert_less_equal(x, one, message="Inverse transformation input must be less than or equal to 1.")
    return with_dependencies([above, below], x)


@public("contrib.distributions.bijectors.Softplus")
class Softplus(Bijector):
    """`y = c log(1 + exp(x / c))`, with values above 0.

    Args:
      hinge_softness: `c`, not zero; 1 if None.
      validate_args: whether runs check that it is not zero.
      name: scope of its methods.
    """

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        with name_scope(name, values=[hinge_softness]):
            self._hinge_softness = None if hinge_softness is None else convert_to_tensor(
                hinge_softness, name="hinge_softness"
            )
            if validate_args and self._hinge_softness is not None:
                zero = convert_to_tensor(0, dtype=self._hinge_softness.dtype)
                nonzero = assert_none_equal(zero, self._hinge_softness, message="hinge_softness must be non-zero")
                self._hinge_softness = with_dependencies([nonzero], self._hinge_softness)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def hinge_softness(self) -> Tensor | None:
        """How soft the bend at 0 is."""
        return self._hinge_softness

    def _forward(self, x: Tensor) -> Tensor:
        if self.hinge_softness is None:
            return softplus(x)
        softness = cast(self.hinge_softness, x.dtype)
        return softness * softplus(x / softness)

    def _inverse(self, y: Tensor) -> Tensor:
        if self.hinge_softness is None:
            return softplus_inverse(y)
        softness = cast(self.hinge_softness, y.dtype)
        return softness * softplus_inverse(y / softness)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        if self.hinge_softness is not None:
            y /= cast(self.hinge_softness, y.dtype)
        return -log(-expm1(-y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.hinge_softness is not None:
            x /= cast(self.hinge_softness, x.dtype)
        return -softplus(-x)


@public("contrib.distributions.bijectors.SinhArcsinh")
class SinhArcsinh(Bijector):
    """`y = sinh((arcsinh(x) + skewness) tailweight)` (Jones and Pewsey, 2009).

    Args:
      skewness: where the bulk lies; 0 if None.
      tailweight: how heavy tails become, positive; 1 if None.
      validate_args: whether runs check that `tailweight` is positive.
      name: scope of its methods.
    """

    def __init__(
        self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False, name: str = "SinhArcsinh"
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[skewness, tailweight]):
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            self._skewness = convert_to_tensor(skewness, name="skewness")
            self._tailweight = convert_to_tensor(tailweight, name="tailweight", dtype=self._skewness.dtype)
            assert_same_float_dtype([self._skewness, self._tailweight])
            if validate_args:
                self._tailweight = with_dependencies(
                    [assert_positive(self._tailweight, message="Argument tailweight was not positive")],
                    self._tailweight,
                )
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def skewness(self) -> Tensor:
        """Where the bulk lies."""
        return self._skewness

    @property
    def tailweight(self) -> Tensor:
        """How heavy tails become."""
        return self._tailweight

    def _forward(self, x: Tensor) -> Tensor:
        return sinh((asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: Tensor) -> Tensor:
        return sinh(asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return log(cosh(asinh(y) / self.tailweight - self.skewness) / _sqrtx2p1(y)) - log(self.tailweight)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        stretched = cosh((asinh(x) + self.skewness) * self.tailweight)
        return log(stretched / _sqrtx2p1(x)) + log(self.tailweight)


def _sqrtx2p1(x: Tensor) -> Tensor:
    """The root of `x^2 + 1`, without an overflow of the square."""
    epsilon = np.finfo(x.dtype.base_dtype.as_numpy_dtype).eps
    return where_v2(abs_op(x) * np.sqrt(epsilon) <= 1.0, sqrt(x**2.0 + 1.0), abs_op(x))
