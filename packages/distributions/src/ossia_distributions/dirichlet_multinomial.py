"""The Dirichlet-multinomial distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_distributions.categories import ConcentratedDistribution
from ossia_distributions.checks import at_least_two_events, checked, counts
from ossia_distributions.distribution import given
from ossia_distributions.multinomial import checked_counts, log_combinations
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_ops.array.concat import concat
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.shape import reshape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.special import lbeta
from ossia_ops.random.choice import multinomial
from ossia_ops.random.rejection import random_gamma


@public("distributions.DirichletMultinomial", "contrib.distributions.DirichletMultinomial")
class DirichletMultinomial(ConcentratedDistribution):
    """The multinomial distribution whose probabilities come from a Dirichlet distribution.

    Args:
      total_count: numbers of draws, floats without a fraction.
      concentration: parameters of the Dirichlet distribution, along the last axis one per category.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[total_count, concentration]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = counts(self._total_count)
            self._concentration = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                self._concentration = at_least_two_events(self._concentration)
                positive = checked(
                    "assert_positive", self._concentration, message="Concentration parameter must be positive."
                )
                self._concentration = with_dependencies([positive], self._concentration)
            self._total_concentration = reduce_sum(self._concentration, -1)
        super().__init__(
            dtype=self._concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=NOT_REPARAMETERIZED,
            parameters=parameters,
            name=name,
            graph_parents=[self._total_count, self._concentration],
        )

    @property
    def total_count(self) -> Tensor:
        """The numbers of draws."""
        return self._total_count

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        draws = cast(self.total_count, dtypes.int32)
        categories = self.event_shape_tensor()[0]
        logits = log(random_gamma([n], self.concentration, dtype=self.dtype, seed=seed))
        found = multinomial(reshape(logits, [-1, categories]), draws, seed=further_seed(seed, "dirichlet_multinomial"))
        x = reduce_sum(one_hot(found, depth=categories), -2)
        return cast(reshape(x, concat([[n], self.batch_shape_tensor(), [categories]], 0)), self.dtype)

    def _log_prob(self, counts: Tensor) -> Tensor:
        counts = self._checked_value(counts)
        ordered = lbeta(self.concentration + counts) - lbeta(self.concentration)
        return ordered + log_combinations(self.total_count, counts)

    def _mean(self) -> Tensor:
        return self.total_count * (self.concentration / self.total_concentration[..., None])

    def _variance(self) -> Tensor:
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _variance_scale_term(self) -> Tensor:
        total = self.total_concentration[..., None]
        return sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _checked_value(self, value: Tensor) -> Tensor:
        if not self.validate_args:
            return value
        return checked_counts(value, self.total_count, "counts last-dimension must sum to `self.total_count`")
