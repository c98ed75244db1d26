"""Distributions rounded up to whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_less
from ossia_debugging.kinds import assert_same_float_dtype
from ossia_distributions.checks import assert_integer_form
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.math.elementwise import ceil, floor
from ossia_ops.math.exponential import exp, log


@public("contrib.distributions.QuantizedDistribution")
class QuantizedDistribution(Distribution):
    """The distribution of `ceil(x)`, cut off at `low` and `high`.

    Args:
      distribution: the distribution of `x`, which has a cumulative distribution.
      low: the least value, a whole number; none if None.
      high: the largest value, a whole number; none if None.
      validate_args: whether runs check that bounds and values are whole, and `low` below `high`.
      name: scope of its tensors.

    Raises:
      TypeError: `distribution` is none.
    """

    def __init__(
        self,
        distribution: Distribution,
        low: Any = None,
        high: Any = None,
        validate_args: bool = False,
        name: str = "QuantizedDistribution",
    ) -> None:
        parameters = given(locals())
        values = [*(distribution.parameters.values() if isinstance(distribution, Distribution) else []), low, high]
        with name_scope(name, values=[value for value in values if isinstance(value, Tensor)]) as name:
            self._dist = distribution
            if low is not None:
                low = convert_to_tensor(low, name="low")
            if high is not None:
                high = convert_to_tensor(high, name="high")
            assert_same_float_dtype(
                tensors=[part for part in (distribution, low, high) if part is not None]
            )
            graph_parents = list(distribution._graph_parents)
            checks = []
            if validate_args and low is not None and high is not None:
                checks.append(assert_less(low, high, message="low must be strictly less than high."))
            self._validate_args = validate_args
            with control_dependencies(checks):
                self._low = None if low is None else self._whole(low)
                self._high = None if high is None else self._whole(high)
            graph_parents += [bound for bound in (self._low, self._high) if bound is not None]
        super().__init__(
            dtype=distribution.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=graph_parents,
            name=name,
        )

    @property
    def distribution(self) -> Distribution:
        """The distribution of what is rounded."""
        return self._dist

    @property
    def low(self) -> Tensor | None:
        """The least value."""
        return self._low

    @property
    def high(self) -> Tensor | None:
        """The largest value."""
        return self._high

    def _batch_shape_tensor(self) -> Tensor:
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.distribution.batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self.distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with name_scope("transform"):
            n = convert_to_tensor(n, name="n")
            x = self.distribution.sample(n, seed=seed)
            ones = ones_like(x)
            rounded = ceil(x)
            if self._low is not None:
                rounded = where(rounded < self._low, self._low * ones, rounded)
            if self._high is not None:
                rounded = where(rounded > self._high, self._high * ones, rounded)
            return rounded

    def _log_prob(self, y: Tensor) -> Tensor:
        y = self._whole(y)
        try:
            return self._log_prob_of_both_tails(y)
        except NotImplementedError:
            return _log_difference(self.log_cdf(y), self.log_cdf(y - 1))

    def _log_prob_of_both_tails(self, y: Tensor) -> Tensor:
        above, above_before = self.log_survival_function(y), self.log_survival_function(y - 1)
        below, below_before = self.log_cdf(y), self.log_cdf(y - 1)
        # The smaller tail has the more exact numbers; gradients of what is not chosen must be finite.
        big = where(above < below, above_before, below)
        small = where(above < below, above, below_before)
        return _log_difference(big, small)

    def _prob(self, y: Tensor) -> Tensor:
        y = self._whole(y)
        try:
            above, above_before = self.survival_function(y), self.survival_function(y - 1)
            below, below_before = self.cdf(y), self.cdf(y - 1)
            return where(above < below, above_before - above, below - below_before)
        except NotImplementedError:
            return self.cdf(y) - self.cdf(y - 1)

    def _log_cdf(self, y: Tensor) -> Tensor:
        return self._bounded(floor(y), self.distribution.log_cdf, _minus_infinity, zeros_like)

    def _cdf(self, y: Tensor) -> Tensor:
        return self._bounded(floor(y), self.distribution.cdf, zeros_like, ones_like)

    def _log_survival_function(self, y: Tensor) -> Tensor:
        return self._bounded(ceil(y), self.distribution.log_survival_function, zeros_like, _minus_infinity)

    def _survival_function(self, y: Tensor) -> Tensor:
        return self._bounded(ceil(y), self.distribution.survival_function, ones_like, zeros_like)

    def _bounded(self, j: Tensor, function: Callable, below: Callable, above: Callable) -> Tensor:
        """`function(j)`, and what there is below `low` and from `high` up."""
        found = function(j)
        j += zeros_like(found)
        if self._low is not None:
            edge = below(found) if below is _minus_infinity else None
            found = where(j < self._low, below(found) if edge is None else edge, found)
        if self._high is not None:
            edge = above(found) if above is _minus_infinity else None
            found = where(j >= self._high, above(found) if edge is None else edge, found)
        return found

    def _whole(self, value: Any) -> Tensor:
        with name_scope("check_integer", values=[value]):
            value = convert_to_tensor(value, name="value")
            if not self.validate_args:
                return value
            whole = assert_integer_form(value, message="value has non-integer components.")
            return with_dependencies([whole], value)


def _minus_infinity(x: Tensor) -> Tensor:
    return -np.inf * ones_like(x)


def _log_difference(big: Tensor, small: Tensor) -> Tensor:
    """`log(exp(big) - exp(small))`."""
    with name_scope("logsum_expbig_minus_expsmall", values=[small, big]):
        return log(1.0 - exp(small - big)) + big
