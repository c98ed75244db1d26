"""Continuous relaxations of Bernoulli and categorical distributions (Maddison et al., 2016; Jang et al., 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_near, assert_non_positive, assert_positive
from ossia_distributions.bijectors.elementwise import Sigmoid
from ossia_distributions.bijectors.power import Exp
from ossia_distributions.checks import logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.one_hot.categorical import VectorOfProbabilities
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.scalars.logistic import Logistic
from ossia_distributions.transformed import TransformedDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.division import div
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.special import lgamma
from ossia_ops.math.statistics import reduce_logsumexp
from ossia_ops.nn.softmax import log_softmax
from ossia_ops.random.uniform import random_uniform


@public("contrib.distributions.RelaxedBernoulli")
class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1 that approach those of a Bernoulli distribution as the temperature goes to 0.

    Args:
      temperature: how far from it, a positive float.
      logits: log odds of 1, floats; or
      probs: probabilities of 1.
      validate_args: whether runs check parameters.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            with control_dependencies([assert_positive(temperature)] if validate_args else []):
                self._temperature = identity(temperature, name="temperature")
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args)
            super().__init__(
                distribution=Logistic(
                    self._logits / self._temperature,
                    1.0 / self._temperature,
                    validate_args=validate_args,
                    allow_nan_stats=allow_nan_stats,
                    name=name + "/Logistic",
                ),
                bijector=Sigmoid(validate_args=validate_args),
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @property
    def temperature(self) -> Tensor:
        """How far from a Bernoulli distribution."""
        return self._temperature

    @property
    def logits(self) -> Tensor:
        """The log odds of 1."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities of 1."""
        return self._probs


@public("contrib.distributions.ExpRelaxedOneHotCategorical")
class ExpRelaxedOneHotCategorical(VectorOfProbabilities):
    """The logarithms of the values of RelaxedOneHotCategorical.

    Args:
      temperature: how far from a categorical distribution, a positive float.
      logits: unnormalized logarithms of the probabilities, along the last axis; or
      probs: the probabilities.
      dtype: dtype of the values; that of the parameters if None.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, multidimensional=True, validate_args=validate_args, name=name
            )
            if dtype is None:
                dtype = self._logits.dtype
            if not validate_args:
                temperature = cast(temperature, dtype)
            with control_dependencies([assert_positive(temperature)] if validate_args else []):
                self._temperature = identity(temperature, name="temperature")
                self._temperature_2d = reshape(temperature, [-1, 1], name="temperature_2d")
            self._count_categories()
        super().__init__(
            dtype=dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs, self._temperature],
            name=name,
        )

    @property
    def temperature(self) -> Tensor:
        """How far from a categorical distribution."""
        return self._temperature

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], shape(self.logits)], 0)
        logits = self.logits * ones(sizes, dtype=self.dtype)
        rows = reshape(logits, [-1, self.event_size])
        # The logarithm of 0 would be infinite.
        uniform = random_uniform(
            shape=shape(rows),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        gumbel = -log(-log(uniform))
        noisy = div(gumbel + rows, self._temperature_2d)
        return reshape(log_softmax(noisy), sizes)

    def _log_prob(self, x: Tensor) -> Tensor:
        x, logits = self._spread(self._checked_value(x))
        sizes = shape(reduce_sum(logits, axis=[-1]))
        rows = reshape(logits, [-1, self.event_size])
        values = reshape(x, [-1, self.event_size])
        k = cast(self.event_size, x.dtype)
        normalization = lgamma(k) + (k - 1.0) * log(self.temperature)
        unnormalized = reduce_sum(
            log_softmax(rows - values * self._temperature_2d), [-1], keepdims=False
        )
        return reshape(normalization + unnormalized, sizes)

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        asserted = [
            assert_non_positive(x),
            assert_near(zeros([], dtype=self.dtype), reduce_logsumexp(x, axis=[-1])),
        ]
        return with_dependencies(asserted, x)


@public("contrib.distributions.RelaxedOneHotCategorical")
class RelaxedOneHotCategorical(TransformedDistribution):
    """Vectors on the simplex that approach one-hot vectors as the temperature goes to 0.

    Args:
      temperature: how far from a categorical distribution, a positive float.
      logits: unnormalized logarithms of the probabilities, along the last axis; or
      probs: the probabilities.
      dtype: dtype of the values; that of the parameters if None.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        logarithms = ExpRelaxedOneHotCategorical(
            temperature,
            logits=logits,
            probs=probs,
            dtype=dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
        )
        super().__init__(
            distribution=logarithms, bijector=Exp(), validate_args=validate_args, name=name
        )
