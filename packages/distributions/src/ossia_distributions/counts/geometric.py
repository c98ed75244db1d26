"""The geometric distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_less, assert_positive
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import counts, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import shape
from ossia_ops.math.comparison import equal
from ossia_ops.math.elementwise import floor
from ossia_ops.math.exponential import exp, expm1, log, log1p
from ossia_ops.nn.activation import softplus
from ossia_ops.random.uniform import random_uniform


@public("contrib.distributions.Geometric")
class Geometric(ProbabilitiesDistribution, NumberDistribution):
    """The number of failures before the first success.

    Args:
      logits: log odds of success, floats; or
      probs: probabilities of success, above 0.
      validate_args: whether runs check probabilities, and values to be counts.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    parameter_names = ("probs",)

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with control_dependencies([assert_positive(self._probs)] if validate_args else []):
                self._probs = identity(self._probs, name="probs")
        super().__init__(
            dtype=self._probs.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._probs, self._logits],
            name=name,
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # The logarithm of 0 would be infinite.
        sampled = random_uniform(
            concat([[n], shape(self._probs)], 0),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            seed=seed,
            dtype=self.dtype,
        )
        return floor(log(sampled) / log1p(-self.probs))

    def _cdf(self, x: Tensor) -> Tensor:
        # Between counts, the probability up to the one below.
        x = counts(x) if self.validate_args else floor(x)
        x *= ones_like(self.probs)
        return where(x < 0.0, zeros_like(x), -expm1((1.0 + x) * log1p(-self.probs)))

    def _log_prob(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else floor(x)
        x *= ones_like(self.probs)
        probs = self.probs * ones_like(x)
        # No failures are certain if success is, where the logarithm is infinite.
        safe_domain = where(equal(x, 0.0), zeros_like(probs), probs)
        return x * log1p(-safe_domain) + log(probs)

    def _entropy(self) -> Tensor:
        probs = self._probs
        if self.validate_args:
            below = assert_less(
                probs,
                constant(1.0, probs.dtype),
                message="Entropy is undefined when logits = inf or probs = 1.",
            )
            probs = with_dependencies([below], probs)
        return softplus(self.logits) / probs - self.logits

    def _mean(self) -> Tensor:
        return exp(-self.logits)

    def _variance(self) -> Tensor:
        return self._mean() / self.probs

    def _mode(self) -> Tensor:
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)
