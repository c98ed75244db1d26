"""Powers, and the exponential function as their limit."""

from __future__ import annotations

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_non_negative, assert_positive
from ossia_distributions.bijectors.bijector import Bijector
from ossia_ops.math.exponential import exp, expm1, log, log1p


@public("contrib.distributions.bijectors.PowerTransform")
class PowerTransform(Bijector):
    """`y = (1 + x c)^(1 / c)`, and `exp(x)` for the power `c = 0`.

    Args:
      power: `c`, a number that is not negative and known.
      validate_args: whether runs check arguments.
      name: scope of its methods.

    Raises:
      ValueError: the power is negative, or not known before a run.
    """

    def __init__(self, power: float = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[power]):
            known = constant(convert_to_tensor(power, name="power"))
        if known is None or known < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = known
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def power(self) -> float:
        """The `c` in `(1 + x c)^(1 / c)`."""
        return self._power

    def _forward(self, x: Tensor) -> Tensor:
        x = self._checked_x(x)
        if self.power == 0.0:
            return exp(x)
        return exp(log1p(x * self.power) / self.power)

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._checked_y(y)
        if self.power == 0.0:
            return log(y)
        return expm1(log(y) * self.power) / self.power

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._checked_y(y)
        return (self.power - 1.0) * log(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._checked_x(x)
        if self.power == 0.0:
            return x
        return (1.0 / self.power - 1.0) * log1p(x * self.power)

    def _checked_x(self, x: Tensor) -> Tensor:
        if not self.validate_args or self.power == 0.0:
            return x
        valid = assert_non_negative(
            1.0 + self.power * x, message=f"Forward transformation input must be at least {-1.0 / self.power}."
        )
        return with_dependencies([valid], x)

    def _checked_y(self, y: Tensor) -> Tensor:
        if not self.validate_args:
            return y
        valid = assert_positive(y, message="Inverse transformation input must be greater than 0.")
        return with_dependencies([valid], y)


@public("contrib.distributions.bijectors.Exp")
class Exp(PowerTransform):
    """`y = exp(x)`.

    Args:
      validate_args: whether runs check that what is inverted is positive.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)
