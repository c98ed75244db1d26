"""Distributions of what bijectors make of samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import constant as constant_op
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_equal, assert_positive
from ossia_debugging.ranks import assert_rank
from ossia_distributions.bijectors.bijector import Bijector
from ossia_distributions.bijectors.elementwise import Identity
from ossia_distributions.choice import pick_vector
from ossia_distributions.conditional import ConditionalDistribution
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.sample_shapes import as_vector
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, ones_like, zeros
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.shape import size as size_op
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import transpose
from ossia_ops.math.broadcast import broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.exponential import exp
from ossia_ops.math.logical import logical_and, logical_not
from ossia_ops.math.reduction import reduce_all, reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as range_op
from ossia_ops.math.statistics import reduce_logsumexp


@public("contrib.distributions.TransformedDistribution")
class TransformedDistribution(Distribution):
    """The distribution of `bijector.forward(x)`, where `x` comes from another distribution.

    Args:
      distribution: the distribution of `x`.
      bijector: the map; the identity if None.
      batch_shape: a batch shape for a distribution that has none.
      event_shape: an event shape for a distribution of single numbers: its components are drawn independently.
      validate_args: whether runs check arguments.
      name: scope of its tensors; the names of bijector and distribution together, if None.

    Raises:
      ValueError: a shape is given to a distribution that has one, or it is no vector of positive numbers.
    """

    def __init__(
        self,
        distribution: Distribution,
        bijector: Bijector | None = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        name = name or (("" if bijector is None else bijector.name) + distribution.name)
        with name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = constant_op(0, dtype=int32, name="zero")
            self._empty = constant_op([], dtype=int32, name="empty")
            if bijector is None:
                bijector = Identity(validate_args=validate_args)
            self._override_batch_shape = self._override(
                batch_shape, distribution.is_scalar_batch(), validate_args, "batch_shape"
            )
            self._is_batch_override = _not(_same(_length(self._override_batch_shape), self._zero))
            self._is_maybe_batch_override = _maybe_not_empty(self._override_batch_shape)
            self._override_event_shape = self._override(
                event_shape, distribution.is_scalar_event(), validate_args, "event_shape"
            )
            self._is_event_override = _not(_same(_length(self._override_event_shape), self._zero))
            self._is_maybe_event_override = _maybe_not_empty(self._override_event_shape)
            # Components come from sample axes; beside a batch these stand on its left, and have to go to its right.
            self._needs_rotation = _and(
                self._is_event_override, _not(self._is_batch_override), _not(distribution.is_scalar_batch())
            )
            event_ndims = _length(self._override_event_shape)
            self._rotate_ndims = _pick(self._needs_rotation, event_ndims, 0)
            self._reduce_event_indices = range_op(self._rotate_ndims - event_ndims, self._rotate_ndims)
        self._distribution = distribution
        self._bijector = bijector
        super().__init__(
            dtype=distribution.dtype,
            reparameterization_type=distribution.reparameterization_type,
            validate_args=validate_args,
            allow_nan_stats=distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=[*distribution._graph_parents, *bijector.graph_parents],
            name=name,
        )

    @property
    def distribution(self) -> Distribution:
        """The distribution of what is mapped."""
        return self._distribution

    @property
    def bijector(self) -> Any:
        """The map."""
        return self._bijector

    # -- shapes -----------------------------------------------------------------------------------

    def _event_shape_tensor(self) -> Tensor:
        return self.bijector.forward_event_shape_tensor(
            pick_vector(
                self._is_event_override,
                self._override_event_shape,
                self.distribution.event_shape_tensor(),
                as_given=True,
            )
        )

    def _event_shape(self) -> TensorShape:
        return self.bijector.forward_event_shape(
            _known_shape(self._override_event_shape)
            if self._is_maybe_event_override
            else self.distribution.event_shape
        )

    def _batch_shape_tensor(self) -> Tensor:
        return pick_vector(
            self._is_batch_override,
            self._override_batch_shape,
            self.distribution.batch_shape_tensor(),
            as_given=True,
        )

    def _batch_shape(self) -> TensorShape:
        return (
            _known_shape(self._override_batch_shape)
            if self._is_maybe_batch_override
            else self.distribution.batch_shape
        )

    def _known_event_ndims(self) -> Any:
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        ndims = size_op(self.event_shape_tensor())
        known = constant(ndims)
        return ndims if known is None else int(known)

    # -- draws ------------------------------------------------------------------------------------

    def _sample_n(self, n: Any, seed: int | None = None, **kwargs: Any) -> Tensor:
        sample_shape = _joined(
            pick_vector(self._needs_rotation, self._empty, [n], as_given=True),
            self._override_batch_shape,
            self._override_event_shape,
            pick_vector(self._needs_rotation, [n], self._empty, as_given=True),
        )
        x = self.distribution.sample(sample_shape=sample_shape, seed=seed, **kwargs)
        return self._rotated(x)

    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **kwargs: Any) -> Tensor:
        distribution_kwargs, bijector_kwargs = self._divided(kwargs)
        with self._name_scope(name, [sample_shape]):
            sample_shape = convert_to_tensor(sample_shape, dtype=int32, name="sample_shape")
            sample_shape, n = as_vector(sample_shape)
            x = self._sample_n(n, seed, **distribution_kwargs)
            x = reshape(x, concat([sample_shape, shape(x)[1:]], 0))
            # The map comes last, so that the bijector knows the samples again.
            y = self.bijector.forward(x, **bijector_kwargs)
            return self._with_static_shape(y, sample_shape)

    def _rotated(self, x: Tensor, rotate_right: bool = False) -> Tensor:
        needed = constant(self._needs_rotation)
        if needed is not None and not needed:
            return x
        ndims = rank(x)
        n = (ndims - self._rotate_ndims) if rotate_right else self._rotate_ndims
        return transpose(x, _joined(range_op(n, ndims), range_op(0, n)))

    def _divided(self, kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Further arguments of the distribution, and of the bijector."""
        return {}, {}

    # -- densities --------------------------------------------------------------------------------

    def _log_prob(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._density(y, kwargs, "log_prob", reduce_sum, self._plus, _log_sum)

    def _prob(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._density(y, kwargs, "prob", reduce_prod, self._times, sum)

    @staticmethod
    def _plus(log_prob: Tensor, ildj: Tensor) -> Tensor:
        return log_prob + ildj

    @staticmethod
    def _times(prob: Tensor, ildj: Tensor) -> Tensor:
        return prob * exp(ildj)

    def _density(
        self, y: Tensor, kwargs: dict, method: str, reduced: Callable, scaled: Callable, of_all: Callable
    ) -> Tensor:
        distribution_kwargs, bijector_kwargs = self._divided(kwargs)
        # The bijector has to be the first to see `y`, if it is to know it again.
        x = self.bijector.inverse(y, **bijector_kwargs)
        event_ndims = self._known_event_ndims()
        ildj = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims, **bijector_kwargs)

        def on_fiber(x: Tensor, ildj: Tensor) -> Tensor:
            x = self._rotated(x, rotate_right=True)
            density = getattr(self.distribution, method)(x, **distribution_kwargs)
            if self._is_maybe_event_override:
                density = reduced(density, self._reduce_event_indices)
            density = scaled(density, cast(ildj, density.dtype))
            if self._is_maybe_event_override and isinstance(event_ndims, int):
                sizes = y.shape.with_rank_at_least(1)[:-event_ndims]
                density.set_shape(broadcast_static_shape(sizes, self.batch_shape))
            return density

        if self.bijector._is_injective:
            return on_fiber(x, ildj)
        return of_all([on_fiber(x_i, ildj_i) for x_i, ildj_i in zip(x, ildj)])

    def _log_cdf(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._of_inverse("log_cdf", y, kwargs)

    def _cdf(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._of_inverse("cdf", y, kwargs)

    def _log_survival_function(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._of_inverse("log_survival_function", y, kwargs)

    def _survival_function(self, y: Tensor, **kwargs: Any) -> Tensor:  # type: ignore[override]
        return self._of_inverse("survival_function", y, kwargs)

    def _of_inverse(self, method: str, y: Tensor, kwargs: dict) -> Tensor:
        self._refuse_overrides(method)
        distribution_kwargs, bijector_kwargs = self._divided(kwargs)
        x = self.bijector.inverse(y, **bijector_kwargs)
        return getattr(self.distribution, method)(x, **distribution_kwargs)

    def _quantile(self, value: Tensor, **kwargs: Any) -> Tensor:
        self._refuse_overrides("quantile")
        distribution_kwargs, bijector_kwargs = self._divided(kwargs)
        return self.bijector.forward(self.distribution.quantile(value, **distribution_kwargs), **bijector_kwargs)

    def _refuse_overrides(self, method: str) -> None:
        if self._is_maybe_event_override:
            raise NotImplementedError(f"{method} is not implemented when overriding event_shape")
        if not self.bijector._is_injective:
            raise NotImplementedError(f"{method} is not implemented when bijector is not injective.")

    # -- statistics -------------------------------------------------------------------------------

    def _entropy(self, **kwargs: Any) -> Tensor:
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        if not self.bijector._is_injective:
            raise NotImplementedError("entropy is not implemented when bijector is not injective.")
        distribution_kwargs, bijector_kwargs = self._divided(kwargs)
        entropy = self.distribution.entropy(**distribution_kwargs)
        if self._is_maybe_event_override:
            # Components are independent: their entropies add up.
            entropy *= cast(reduce_prod(self._override_event_shape), dtype=entropy.dtype.base_dtype)
        if self._is_maybe_batch_override:
            sizes = concat([_ones(self._override_batch_shape), self.distribution.batch_shape_tensor()], 0)
            entropy = reshape(entropy, sizes)
            multiples = concat(
                [self._override_batch_shape, _ones(self.distribution.batch_shape_tensor())], 0
            )
            entropy = tile(entropy, multiples)
        dummy = zeros(
            shape=concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), dtype=self.dtype
        )
        event_ndims = (
            self.event_shape.ndims if self.event_shape.ndims is not None else size_op(self.event_shape_tensor())
        )
        ildj = self.bijector.inverse_log_det_jacobian(dummy, event_ndims=event_ndims, **bijector_kwargs)
        entropy -= cast(ildj, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy

    def _override(self, sizes: Any, base_is_scalar: Tensor, validate_args: bool, name: str) -> Tensor:
        sizes = convert_to_tensor([] if sizes is None else sizes, dtype=int32, name=name)
        is_scalar = _same(_length(sizes), 0)
        if constant(is_scalar):
            return self._empty
        asserted = []
        if sizes.shape.ndims is not None:
            if sizes.shape.ndims != 1:
                raise ValueError("shape override must be a vector")
        elif validate_args:
            asserted.append(assert_rank(sizes, 1, message="shape override must be a vector"))
        known = constant(sizes)
        if known is not None:
            if any(size <= 0 for size in known):
                raise ValueError("shape override must have positive elements")
        elif validate_args:
            asserted.append(assert_positive(sizes, message="shape override must have positive elements"))
        both = _and(_not(base_is_scalar), _not(is_scalar))
        if constant(both) is not None:
            if constant(both):
                raise ValueError("base distribution not scalar")
        elif validate_args:
            asserted.append(assert_equal(both, False, message="base distribution not scalar"))
        return with_dependencies(asserted, sizes) if asserted else sizes


@public("contrib.distributions.ConditionalTransformedDistribution")
class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """The same of a distribution and a bijector that take further arguments.

    Methods pass on `distribution_kwargs` and `bijector_kwargs`, two dictionaries.
    """

    @staticmethod
    def _plus(log_prob: Tensor, ildj: Tensor) -> Tensor:
        return ildj + log_prob

    @staticmethod
    def _times(prob: Tensor, ildj: Tensor) -> Tensor:
        return exp(ildj) * prob

    def _divided(self, kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        return kwargs.get("distribution_kwargs") or {}, kwargs.get("bijector_kwargs") or {}


def _log_sum(densities: list[Tensor]) -> Tensor:
    return reduce_logsumexp(stack(densities), axis=0)


def _static(x: Any) -> Any:
    return constant(convert_to_tensor(x))


def _and(*conditions: Any) -> Tensor:
    known = [_static(condition) for condition in conditions]
    if any(value is not None and not bool(value) for value in known):
        return constant_op(False)
    if all(value is not None and bool(value) for value in known):
        return constant_op(True)
    return logical_and(*conditions) if len(conditions) == 2 else reduce_all(conditions)


def _same(x: Any, y: Any) -> Tensor:
    known_x, known_y = _static(x), _static(y)
    if known_x is None or known_y is None:
        return equal(x, y)
    return constant_op(np.array_equal(known_x, known_y))


def _not(x: Any) -> Tensor:
    known = _static(x)
    return logical_not(x) if known is None else constant_op(np.logical_not(known))


def _joined(*vectors: Any) -> Tensor:
    known = [_static(vector) for vector in vectors]
    if any(values is None for values in known):
        return concat(vectors, 0)
    return constant_op([value for values in known for value in values])


def _pick(condition: Tensor, if_true: Any, if_false: Any) -> Any:
    known = _static(condition)
    if known is None:
        return where_v2(condition, if_true, if_false)
    return if_true if known else if_false


def _ones(sizes: Tensor) -> Tensor:
    if sizes.shape.is_fully_defined():
        return ones(sizes.shape.as_list(), dtype=sizes.dtype)
    return ones_like(sizes)


def _length(sizes: Tensor) -> Tensor:
    if sizes.shape.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if sizes.shape.is_fully_defined():
        return constant_op(sizes.shape.as_list()[0])
    return shape(sizes)[0]


def _maybe_not_empty(sizes: Tensor) -> bool:
    known = constant(sizes)
    return known is None or known.size != 0


def _known_shape(sizes: Tensor) -> TensorShape:
    known = constant(sizes)
    if known is not None:
        return TensorShape(list(map(int, known)))
    return TensorShape(None) if sizes.shape.as_list()[0] is None else TensorShape([None] * sizes.shape.as_list()[0])
