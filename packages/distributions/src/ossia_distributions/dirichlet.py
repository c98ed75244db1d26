"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_distributions.categories import ConcentratedDistribution
from ossia_distributions.checks import checked, or_nan
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater
from ossia_ops.math.elementwise import rsqrt
from ossia_ops.math.exponential import xlogy
from ossia_ops.math.reduction import reduce_all, reduce_sum
from ossia_ops.math.special import digamma, lbeta
from ossia_ops.random.rejection import random_gamma


@public("distributions.Dirichlet", "contrib.distributions.Dirichlet")
class Dirichlet(ConcentratedDistribution):
    """The Dirichlet distribution over vectors of positive numbers that sum to 1.

    Args:
      concentration: positive floats, along the last axis one per component, of which there are at least two.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    def __init__(
        self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Dirichlet"
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration]) as name:
            self._concentration = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                self._concentration = _checked(self._concentration)
            self._total_concentration = reduce_sum(self._concentration, -1)
        super().__init__(
            dtype=self._concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
            parameters=parameters,
            name=name,
            graph_parents=[self._concentration, self._total_concentration],
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        parts = random_gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        return parts / reduce_sum(parts, -1, keepdims=True)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return reduce_sum(xlogy(self.concentration - 1.0, x), -1)

    def _log_normalization(self) -> Tensor:
        return lbeta(self.concentration)

    def _entropy(self) -> Tensor:
        components = cast(self.event_shape_tensor()[0], self.dtype)
        return (
            self._log_normalization()
            + (self.total_concentration - components) * digamma(self.total_concentration)
            - reduce_sum((self.concentration - 1.0) * digamma(self.concentration), axis=-1)
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.total_concentration[..., None]

    def _variance(self) -> Tensor:
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _variance_scale_term(self) -> Tensor:
        return rsqrt(1.0 + self.total_concentration[..., None])

    def _mode(self) -> Tensor:
        """`(concentration - 1) / (total - components)`, which is defined where all are above 1."""
        components = cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., None] - components)
        if self.allow_nan_stats:

            def defined() -> Tensor:
                return reduce_all(greater(self.concentration, 1.0), axis=-1)

            return or_nan(mode, defined, shape(mode), self.dtype)
        above = checked(
            "assert_less",
            ones([], self.dtype),
            self.concentration,
            message="Mode undefined when any concentration <= 1",
        )
        return with_dependencies([above], mode)

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        return with_dependencies(
            [
                checked("assert_positive", x, message="samples must be positive"),
                checked(
                    "assert_near",
                    ones([], dtype=self.dtype),
                    reduce_sum(x, -1),
                    message="sample last-dimension must sum to `1`",
                ),
            ],
            x,
        )


def _checked(concentration: Tensor) -> Tensor:
    return with_dependencies(
        [
            checked("assert_positive", concentration, message="Concentration parameter must be positive."),
            checked(
                "assert_rank_at_least", concentration, 1, message="Concentration parameter must have >=1 dimensions."
            ),
            checked(
                "assert_less", 1, shape(concentration)[-1], message="Concentration parameter must have event_size >= 2."
            ),
        ],
        concentration,
    )


@RegisterKL(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(a: Dirichlet, b: Dirichlet, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_dirichlet_dirichlet", values=[a.concentration, b.concentration]):
        total = digamma(reduce_sum(a.concentration, axis=-1, keepdims=True))
        mean_logs = digamma(a.concentration) - total
        return (
            reduce_sum((a.concentration - b.concentration) * mean_logs, -1)
            - lbeta(a.concentration)
            + lbeta(b.concentration)
        )
