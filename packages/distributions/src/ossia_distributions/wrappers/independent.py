"""Batches of independent distributions as one of more event axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_debugging.comparisons import assert_equal, assert_less_equal
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.divergence import RegisterKL, kl_divergence
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import shape, size
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sequence import range as range_op


@public("contrib.distributions.Independent")
class Independent(Distribution):
    """A distribution whose last batch axes count as event axes.

    Args:
      distribution: the distribution.
      reinterpreted_batch_ndims: how many axes; all but the first if None.
      validate_args: whether runs check that there are so many.
      name: scope of its tensors; "Independent" and the name of the distribution, if None.

    Raises:
      ValueError: there are fewer batch axes.
    """

    def __init__(
        self,
        distribution: Distribution,
        reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        name = name or "Independent" + distribution.name
        self._distribution = distribution
        with name_scope(name) as name:
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = _all_but_first(distribution)
            ndims = convert_to_tensor(
                reinterpreted_batch_ndims, dtype=int32, name="reinterpreted_batch_ndims"
            )
            self._known_ndims = constant(ndims)
            self._reinterpreted_batch_ndims = ndims if self._known_ndims is None else self._known_ndims
            super().__init__(
                dtype=distribution.dtype,
                reparameterization_type=distribution.reparameterization_type,
                validate_args=validate_args,
                allow_nan_stats=distribution.allow_nan_stats,
                parameters=parameters,
                graph_parents=[ndims, *distribution._graph_parents],
                name=name,
            )
            self._runtime_assertions: list = []
            batch_ndims = distribution.batch_shape.ndims
            if self._known_ndims is not None and batch_ndims is not None:
                if self._known_ndims > batch_ndims:
                    raise ValueError(
                        f"reinterpreted_batch_ndims({self._known_ndims}) cannot exceed "
                        f"distribution.batch_ndims({batch_ndims})"
                    )
            elif validate_args:
                found = shape(distribution.batch_shape_tensor())[0] if batch_ndims is None else batch_ndims
                self._runtime_assertions.append(
                    assert_less_equal(
                        ndims,
                        found,
                        message="reinterpreted_batch_ndims cannot exceed distribution.batch_ndims",
                    )
                )

    @property
    def distribution(self) -> Distribution:
        """The distribution."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> Any:
        """How many of its batch axes count as event axes."""
        return self._reinterpreted_batch_ndims

    def _batch_sizes(self) -> tuple[Tensor, Any]:
        sizes = self.distribution.batch_shape_tensor()
        known = sizes.shape.as_list()[0]
        return sizes, (shape(sizes)[0] if known is None else known) - self.reinterpreted_batch_ndims

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            sizes, split = self._batch_sizes()
            return sizes[:split]

    def _batch_shape(self) -> TensorShape:
        known = self.distribution.batch_shape
        if self._known_ndims is None or known.ndims is None:
            return TensorShape(None)
        return known[:known.ndims - int(self._known_ndims)]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            sizes, split = self._batch_sizes()
            return concat([sizes[split:], self.distribution.event_shape_tensor()], axis=0)

    def _event_shape(self) -> TensorShape:
        known = self.distribution.batch_shape
        if self._known_ndims is None or known.ndims is None:
            return TensorShape(None)
        return known[known.ndims - int(self._known_ndims):].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self._summed(self.distribution.log_prob(x))

    def _entropy(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self._summed(self.distribution.entropy())

    def _mean(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mean()

    def _variance(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.variance()

    def _stddev(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.stddev()

    def _mode(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mode()

    def _summed(self, statistic: Tensor) -> Tensor:
        if self._known_ndims is None:
            axes: Any = range_op(self._reinterpreted_batch_ndims)
        else:
            axes = np.arange(self._known_ndims)
        return reduce_sum(statistic, axis=-1 - axes)


def _all_but_first(distribution: Distribution) -> Any:
    ndims = distribution.batch_shape.ndims
    if ndims is None:
        return maximum(0, shape(distribution.batch_shape_tensor())[0] - 1)
    return np.maximum(0, ndims - 1)


@RegisterKL(Independent, Independent)
def _kl_independent(a: Independent, b: Independent, name: str = "kl_independent") -> Tensor:
    p, q = a.distribution, b.distribution
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError("KL between Independents with different event shapes not supported.")
        axes: Any = [-axis - 1 for axis in range(a.event_shape.ndims - p.event_shape.ndims)]
        return reduce_sum(kl_divergence(p, q, name=name), axis=axes)
    asserted = [
        assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with control_dependencies(asserted):
        ndims = size(a.event_shape_tensor()) - size(p.event_shape_tensor())
        return reduce_sum(kl_divergence(p, q, name=name), axis=range_op(-ndims, 0, 1))
