"""Mixtures whose components are a batch of distributions of one kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import as_dtype
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_debugging.comparisons import assert_equal
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.mixtures.padding import for_events, with_component_axis
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.shape import shape
from ossia_ops.math.arithmetic import squared_difference
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.statistics import reduce_logsumexp
from ossia_ops.nn.softmax import log_softmax


@public("contrib.distributions.MixtureSameFamily")
class MixtureSameFamily(Distribution):
    """A mixture of the distributions along the last batch axis of `components_distribution`.

    Args:
      mixture_distribution: a distribution over the numbers of components, e.g. Categorical.
      components_distribution: the components.
      validate_args: whether runs check that shapes fit.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: `mixture_distribution` is not over integers, or the shapes do not fit.
    """

    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Distribution,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            self._mixture_distribution = mixture_distribution
            self._components_distribution = components_distribution
            self._runtime_assertions: list = []
            sizes = components_distribution.event_shape_tensor()
            known = sizes.shape.as_list()[0]
            self._event_ndims = shape(sizes)[0] if known is None else known
            if not as_dtype(mixture_distribution.dtype).is_integer:
                kind = as_dtype(mixture_distribution.dtype).name
                raise ValueError(f"`mixture_distribution.dtype` ({kind}) is not over integers")
            if mixture_distribution.event_shape.ndims not in (None, 0):
                raise ValueError("`mixture_distribution` must have scalar `event_dim`s")
            mixed = mixture_distribution.batch_shape
            outer = components_distribution.batch_shape.with_rank_at_least(1)[:-1]
            if mixed.is_fully_defined() and outer.is_fully_defined():
                if mixed.ndims != 0 and mixed != outer:
                    raise ValueError(
                        f"`mixture_distribution.batch_shape` (`{mixed.as_list()}`) is not compatible with "
                        f"`components_distribution.batch_shape` (`{outer.as_list()}`)"
                    )
            elif validate_args:
                self._runtime_assertions.append(
                    assert_equal(
                        mixture_distribution.batch_shape_tensor(),
                        components_distribution.batch_shape_tensor()[:-1],
                        message="`mixture_distribution.batch_shape` is not compatible with "
                        "`components_distribution.batch_shape`",
                    )
                )
            weights = mixture_distribution.logits.shape.with_rank_at_least(1).dims
            members = components_distribution.batch_shape.with_rank_at_least(1).dims
            km = None if weights is None else weights[-1].value
            kc = None if members is None else members[-1].value
            if km is not None and kc is not None and km != kc:
                raise ValueError(
                    f"`mixture_distribution components` ({km}) does not equal "
                    f"`components_distribution.batch_shape[-1]` ({kc})"
                )
            if km is None:
                km = shape(mixture_distribution.logits)[-1]
                if validate_args:
                    self._runtime_assertions.append(
                        assert_equal(
                            km,
                            components_distribution.batch_shape_tensor()[-1],
                            message="`mixture_distribution components` does not equal "
                            "`components_distribution.batch_shape[-1]`",
                        )
                    )
            self._num_components = km
            super().__init__(
                dtype=components_distribution.dtype,
                reparameterization_type=NOT_REPARAMETERIZED,
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                parameters=parameters,
                graph_parents=[*mixture_distribution._graph_parents, *components_distribution._graph_parents],
                name=name,
            )

    @property
    def mixture_distribution(self) -> Any:
        """The distribution over the numbers of components."""
        return self._mixture_distribution

    @property
    def components_distribution(self) -> Distribution:
        """The components."""
        return self._components_distribution

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.components_distribution.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.components_distribution.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            # The draws have seeds of their own, whatever the seed of the sample is.
            x = self.components_distribution.sample(n)
            kind = x.dtype.as_numpy_dtype
            mask = one_hot(
                indices=self.mixture_distribution.sample(n),
                depth=self._num_components,
                on_value=np.ones([], dtype=kind),
                off_value=np.zeros([], dtype=kind),
            )
            mask = for_events(mask, self, self.mixture_distribution, self._event_shape().ndims)
            return reduce_sum(x * mask, axis=-1 - self._event_ndims)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._mixed_logarithms(x, self.components_distribution.log_prob)

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._mixed_logarithms(x, self.components_distribution.log_cdf)

    def _mixed_logarithms(self, x: Tensor, of_components: Any) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            x = with_component_axis(x, self._event_ndims)
            logarithms = of_components(x)
            weights = log_softmax(self.mixture_distribution.logits, axis=-1)
            return reduce_logsumexp(logarithms + weights, axis=-1)

    def _mean(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return reduce_sum(self._weights() * self.components_distribution.mean(), axis=-1 - self._event_ndims)

    def _variance(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            # The mean of the variances, plus the variance of the means.
            weights = self._weights()
            within = reduce_sum(weights * self.components_distribution.variance(), axis=-1 - self._event_ndims)
            distances = squared_difference(
                self.components_distribution.mean(), with_component_axis(self._mean(), self._event_ndims)
            )
            between = reduce_sum(weights * distances, axis=-1 - self._event_ndims)
            return within + between

    def _covariance(self) -> Tensor:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with control_dependencies(self._runtime_assertions):
            weights = for_events(self._weights(), self, self.mixture_distribution, self._event_shape().ndims)
            within = reduce_sum(weights * self.components_distribution.covariance(), axis=-3)
            distance = self.components_distribution.mean() - with_component_axis(self._mean(), self._event_ndims)
            products = distance[..., None, :] * distance[..., None]
            return within + reduce_sum(weights * products, axis=-3)

    def _weights(self) -> Tensor:
        return for_events(
            self.mixture_distribution.probs, self, self.mixture_distribution, self._event_shape().ndims
        )
