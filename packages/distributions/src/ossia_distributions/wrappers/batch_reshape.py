"""Batches of distributions in another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_equal
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.divergence import RegisterKL, kl_divergence
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.shape import size as size_op
from ossia_ops.math.comparison import equal
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.reduction import reduce_prod


@public("contrib.distributions.BatchReshape")
class BatchReshape(Distribution):
    """A distribution whose batch has another shape.

    Args:
      distribution: the distribution.
      batch_shape: the new shape of its batch, with at most one -1.
      validate_args: whether runs check shapes.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors; "BatchReshape" and the name of the distribution, if None.

    Raises:
      ValueError: the shapes differ in size, or are no shapes.
    """

    def __init__(
        self,
        distribution: Distribution,
        batch_shape: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        name = name or "BatchReshape" + distribution.name
        with name_scope(name, values=[batch_shape]) as name:
            self._batch_shape_unexpanded = convert_to_tensor(batch_shape, dtype=int32, name="batch_shape")
            _check(distribution, self._batch_shape_unexpanded)
            self._distribution = distribution
            self._new_shape, self._new_static, self._runtime_assertions = _new_shape(
                distribution.batch_shape_tensor(), self._batch_shape_unexpanded, validate_args
            )
            super().__init__(
                dtype=distribution.dtype,
                reparameterization_type=distribution.reparameterization_type,
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                parameters=parameters,
                graph_parents=[self._batch_shape_unexpanded, *distribution._graph_parents],
                name=name,
            )

    @property
    def distribution(self) -> Distribution:
        """The distribution."""
        return self._distribution

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return identity(self._new_shape)

    def _batch_shape(self) -> TensorShape:
        return self._new_static

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return identity(self.distribution.event_shape_tensor())

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            x = self.distribution.sample(sample_shape=n, seed=seed)
            sizes = concat([[n], self._batch_shape_unexpanded, self.event_shape_tensor()], axis=0)
            return reshape(x, sizes)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.log_prob, x)

    def _prob(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.prob, x)

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.log_cdf, x)

    def _cdf(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.cdf, x)

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.log_survival_function, x)

    def _survival_function(self, x: Tensor) -> Tensor:
        return self._of_value_reshaped(self.distribution.survival_function, x)

    def _entropy(self) -> Tensor:
        return self._reshaped(self.distribution.entropy, [], [TensorShape([])])

    def _mean(self) -> Tensor:
        return self._reshaped(self.distribution.mean)

    def _mode(self) -> Tensor:
        return self._reshaped(self.distribution.mode)

    def _stddev(self) -> Tensor:
        return self._reshaped(self.distribution.stddev)

    def _variance(self) -> Tensor:
        return self._reshaped(self.distribution.variance)

    def _covariance(self) -> Tensor:
        return self._reshaped(self.distribution.covariance, [self.event_shape_tensor()] * 2, [self.event_shape] * 2)

    def _sample_shape(self, x: Tensor) -> tuple[Any, TensorShape]:
        x_ndims = rank(x) if x.shape.ndims is None else x.shape.ndims
        event_ndims = (
            size_op(self.event_shape_tensor()) if self.event_shape.ndims is None else self.event_shape.ndims
        )
        batch_ndims = (
            size_op(self._batch_shape_unexpanded) if self.batch_shape.ndims is None else self.batch_shape.ndims
        )
        ndims = x_ndims - batch_ndims - event_ndims
        known = x.shape[:ndims] if isinstance(ndims, int) else TensorShape(None)
        if known.ndims is not None and known.is_fully_defined():
            return np.array(known.as_list(), np.int32), known
        return shape(x)[:ndims], known

    def _of_value_reshaped(self, function: Callable, x: Tensor) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            sample_shape, known = self._sample_shape(x)
            old = concat([sample_shape, self.distribution.batch_shape_tensor(), self.event_shape_tensor()], axis=0)
            result = function(reshape(x, old))
            result = reshape(result, concat([sample_shape, self._batch_shape_unexpanded], axis=0))
            if known.ndims is not None and self.batch_shape.ndims is not None:
                result.set_shape(known.concatenate(self.batch_shape))
            return result

    def _reshaped(self, function: Callable, event_shapes: list | None = None, known: list | None = None) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            if event_shapes is None:
                event_shapes = [self._event_shape_tensor()]
            new_shape = concat([self._batch_shape_unexpanded, *event_shapes], axis=0)
            result = reshape(function(), new_shape)
            static = self.batch_shape
            for part in [self.event_shape] if known is None else known:
                static = static.concatenate(part)
            result.set_shape(static)
            return result


def _check(distribution: Distribution, batch_shape: Tensor) -> None:
    """Refuses what is no shape, or one of another size."""
    if batch_shape.shape.ndims is not None and batch_shape.shape.ndims != 1:
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {batch_shape.shape.ndims}).")
    known = constant(batch_shape)
    if known is None:
        return
    if np.any(known < -1):
        raise ValueError("`batch_shape` elements must be >=-1.")
    if np.sum(known == -1) > 1:
        raise ValueError("`batch_shape` elements can have at most one `-1`.")
    old = distribution.batch_shape
    if old.is_fully_defined():
        size = int(np.prod(old.as_list(), dtype=np.int64))
        rest = int(np.prod(known[known != -1], dtype=np.int64))
        fits = size == rest if -1 not in known else rest != 0 and size % rest == 0
        if not fits:
            raise ValueError(f"`batch_shape` size ({rest}) must match `distribution.batch_shape` size ({size}).")


def _new_shape(original: Tensor, wanted: Tensor, validate: bool) -> tuple[Any, TensorShape, list]:
    """The new shape without its -1, as far as it is known before a run, and what a run has to check."""
    known_original, known = constant(original), constant(wanted)
    if known_original is not None and known is not None:
        rest = int(np.prod(known[known != -1], dtype=np.int64))
        filled = np.where(known == -1, np.prod(known_original, dtype=np.int64) // max(rest, 1), known).astype(np.int32)
        return filled, TensorShape(filled.tolist()), []
    total = reduce_prod(original)
    rest = abs_op(reduce_prod(wanted))
    filled = where_v2(equal(wanted, -1), total // rest * ones_like(wanted), wanted)
    length = None if wanted.shape.ndims is None else wanted.shape.as_list()[0]
    static = TensorShape(None) if length is None else TensorShape([None] * length)
    if known is not None:
        static = TensorShape([None if size == -1 else int(size) for size in known])
    asserted = (
        [assert_equal(total, reduce_prod(filled), message="Shape sizes do not match.")] if validate else []
    )
    return filled, static, asserted


@RegisterKL(BatchReshape, BatchReshape)
def _kl_batch_reshape(a: BatchReshape, b: BatchReshape, name: str | None = None) -> Tensor:
    divergence = kl_divergence(a.distribution, b.distribution, name=name)
    return a._reshaped(lambda: divergence, [], [TensorShape([])])
