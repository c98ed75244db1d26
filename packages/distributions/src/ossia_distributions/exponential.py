"""The exponential distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import given
from ossia_distributions.gamma import Gamma
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import shape
from ossia_ops.math.exponential import log
from ossia_ops.random.uniform import random_uniform


@public("distributions.Exponential", "contrib.distributions.Exponential")
class Exponential(Gamma):
    """The exponential distribution, with density `rate exp(-rate x)`: a gamma distribution of concentration 1.

    Args:
      rate: inverse scales, positive floats.
      validate_args: whether runs check that parameters and values are positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    parameter_names = ("rate",)

    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Exponential"
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[rate]) as name:
            self._rate = convert_to_tensor(rate, name="rate")
        super().__init__(
            concentration=ones([], dtype=self._rate.dtype),
            rate=self._rate,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            name=name,
        )
        self._parameters = parameters
        self._graph_parents += [self._rate]

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return self._log_prob(value) - log(self._rate)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], shape(self._rate)], 0)
        # The logarithm of 0 would be infinite.
        sampled = random_uniform(sizes, np.finfo(self.dtype.as_numpy_dtype).tiny, 1.0, self.dtype, seed)
        return -log(sampled) / self._rate
