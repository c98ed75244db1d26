"""Distributions whose components depend on those before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.seeds import further_seed


@public("contrib.distributions.Autoregressive")
class Autoregressive(Distribution):
    """The distribution of vectors in which each component is drawn given those before it.

    Args:
      distribution_fn: from a sample to the distribution of its components given those before each.
      sample0: the sample that the first one follows; if None, `distribution_fn` is called without one.
      num_steps: how often a sample is drawn anew; the number of components if None.
      validate_args: whether runs check arguments.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: `num_steps` is known and below 1.
    """

    def __init__(
        self,
        distribution_fn: Callable[..., Distribution],
        sample0: Any = None,
        num_steps: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Autoregressive",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            self._distribution_fn, self._sample0 = distribution_fn, sample0
            self._distribution0 = distribution_fn() if sample0 is None else distribution_fn(sample0)
            if num_steps is None:
                num_steps = self._distribution0.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError("distribution_fn must generate a distribution with fully known `event_shape`.")
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._num_steps = num_steps
        super().__init__(
            dtype=self._distribution0.dtype,
            reparameterization_type=self._distribution0.reparameterization_type,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=self._distribution0._graph_parents,
            name=name,
        )

    @property
    def distribution_fn(self) -> Callable[..., Distribution]:
        """From a sample to the distribution of its components."""
        return self._distribution_fn

    @property
    def sample0(self) -> Any:
        """The sample that the first one follows."""
        return self._sample0

    @property
    def num_steps(self) -> int:
        """How often a sample is drawn anew."""
        return self._num_steps

    @property
    def distribution0(self) -> Distribution:
        """The distribution of the first sample."""
        return self._distribution0

    def _batch_shape_tensor(self) -> Tensor:
        return self.distribution0.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.distribution0.batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self.distribution0.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.distribution0.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # All steps have to draw the same numbers.
        if seed is None:
            seed = further_seed(int(np.random.randint(2**32 - 1, dtype=np.uint32)), "autoregressive")
        samples = self.distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            samples = self.distribution_fn(samples).sample(seed=seed)
        return samples

    def _log_prob(self, value: Tensor) -> Tensor:
        return self._distribution_fn(value).log_prob(value)

    def _prob(self, value: Tensor) -> Tensor:
        return self._distribution_fn(value).prob(value)
