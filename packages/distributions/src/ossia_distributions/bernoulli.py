"""The Bernoulli distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import category_numbers, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater, less
from ossia_ops.math.exponential import sigmoid
from ossia_ops.nn.activation import softplus
from ossia_ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from ossia_ops.random.uniform import random_uniform


@public("distributions.Bernoulli", "contrib.distributions.Bernoulli")
class Bernoulli(ProbabilitiesDistribution, NumberDistribution):
    """The Bernoulli distribution: 1 with a probability, else 0.

    Args:
      logits: log odds of 1, floats; or
      probs: probabilities of 1.
      dtype: dtype of the values.
      validate_args: whether runs check that `probs` are probabilities, and values 0 or 1.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    parameter_names = ("logits",)

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args, name=name)
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        uniform = random_uniform(concat([[n], self.batch_shape_tensor()], 0), seed=seed, dtype=self.probs.dtype)
        return cast(less(uniform, self.probs), self.dtype)

    def _log_prob(self, event: Tensor) -> Tensor:
        if self.validate_args:
            event = category_numbers(event, 1, dtypes.bool)
        event, logits = cast(event, self.logits.dtype), self.logits
        if not _known_to_agree(event, logits):
            logits, event = ones_like(event) * logits, ones_like(logits) * event
        return -sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self) -> Tensor:
        return -self.logits * (sigmoid(self.logits) - 1) + softplus(-self.logits)

    def _mean(self) -> Tensor:
        return identity(self.probs)

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        """1 if its probability is above one half."""
        return cast(greater(self.probs, 0.5), self.dtype)


def _known_to_agree(event: Tensor, logits: Tensor) -> bool:
    sizes, others = event.get_shape(), logits.get_shape()
    return sizes.is_fully_defined() and others.is_fully_defined() and sizes == others


@RegisterKL(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        lost_at_0 = softplus(-b.logits) - softplus(-a.logits)
        lost_at_1 = softplus(b.logits) - softplus(a.logits)
        return sigmoid(a.logits) * lost_at_0 + sigmoid(-a.logits) * lost_at_1
