"""Bijectors of single numbers without parameters."""

from __future__ import annotations

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_greater, assert_less, assert_non_negative
from ossia_distributions.bijectors.bijector import Bijector
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sqrt, square
from ossia_ops.math.exponential import log, log1p, sigmoid
from ossia_ops.nn.activation import softplus


class _NumberBijector(Bijector):
    """A bijector that maps every number by itself."""

    def __init__(self, validate_args: bool, name: str, is_constant_jacobian: bool = False) -> None:
        super().__init__(
            forward_min_event_ndims=0,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )


@public("contrib.distributions.bijectors.Identity")
class Identity(_NumberBijector):
    """`y = x`.

    Args:
      validate_args: without effect.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(validate_args, name, is_constant_jacobian=True)

    def _forward(self, x: Tensor) -> Tensor:
        return x

    def _inverse(self, y: Tensor) -> Tensor:
        return y

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return constant(0.0, dtype=x.dtype)


@public("contrib.distributions.bijectors.AbsoluteValue")
class AbsoluteValue(_NumberBijector):
    """`y = |x|`, which is not injective: `-y` and `y` have the image `y`.

    Args:
      validate_args: whether runs check that what is inverted is not negative.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        self._graph_parents = []
        self._name = name
        with self._name_scope("init"):
            pass
        super().__init__(validate_args, name, is_constant_jacobian=True)

    @property
    def _is_injective(self) -> bool:
        return False

    def _forward(self, x: Tensor) -> Tensor:
        return abs_op(x)

    def _inverse(self, y: Tensor) -> tuple[Tensor, Tensor]:
        if self.validate_args:
            y = with_dependencies([assert_non_negative(y, message="Argument y was negative")], y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Tensor) -> tuple[Tensor, Tensor]:
        zeros = constant(0.0, dtype=y.dtype)
        if self.validate_args:
            zeros = with_dependencies([assert_non_negative(y, message="Argument y was negative")], zeros)
        return zeros, zeros


@public("contrib.distributions.bijectors.Square")
class Square(_NumberBijector):
    """`y = x^2` of numbers that are not negative.

    Args:
      validate_args: whether runs check that they are not.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Tensor) -> Tensor:
        return square(self._checked(x))

    def _inverse(self, y: Tensor) -> Tensor:
        return sqrt(self._checked(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return np.log(2.0) + log(self._checked(x))

    def _checked(self, t: Tensor) -> Tensor:
        if not self.validate_args:
            return t
        return with_dependencies([assert_non_negative(t, message="All elements must be non-negative.")], t)


@public("contrib.distributions.bijectors.Sigmoid")
class Sigmoid(_NumberBijector):
    """`y = 1 / (1 + exp(-x))`.

    Args:
      validate_args: without effect.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Tensor) -> Tensor:
        return sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return log(y) - log1p(-y)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -softplus(-x) - softplus(x)


@public("contrib.distributions.bijectors.Softsign")
class Softsign(_NumberBijector):
    """`y = x / (1 + |x|)`.

    Args:
      validate_args: whether runs check that what is inverted lies between -1 and 1.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: Tensor) -> Tensor:
        return x / (1.0 + abs_op(x))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._checked(y)
        return y / (1.0 - abs_op(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -2.0 * log1p(abs_op(x))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._checked(y)
        return -2.0 * log1p(-abs_op(y))

    def _checked(self, y: Tensor) -> Tensor:
        if not self.validate_args:
            return y
        kind, dtype = y.dtype.as_numpy_dtype, y.dtype.base_dtype
        message = "Inverse transformation input must be greater than -1."
        above = assert_greater(y, cast(kind(-1), dtype=dtype), message=message)
        message = "Inverse transformation input must be less than 1."
        below = assert_less(y, cast(kind(1), dtype=dtype), message=message)
        return with_dependencies([above, below], y)
