"""`distributions.transformed_distribution`: what a bijector makes of the values of a distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_distributions.distribution import Distribution, given
from ossia_tensorflow_paths.python.ops.distributions.bijector_impl import Identity


class TransformedDistribution(Distribution):
    """The distribution of `bijector.forward(x)`, where `x` is drawn from another distribution.

    A base distribution of single numbers, and without a batch, may be repeated for other shapes.

    Args:
        distribution: The base distribution.
        bijector: The map; none if None.
        batch_shape: The batch shape instead of the base distribution's, which must be a scalar.
        event_shape: The event shape instead of the base distribution's, which must be a scalar.
        validate_args: Whether runs check what is not known while the graph is built.
        name: The scope of its tensors.

    Raises:
        TypeError: A shape is not made of integers.
        ValueError: A shape is no vector or negative, or the base distribution has a shape already.
    """

    def __init__(
        self, distribution: Any, bijector: Any = None, batch_shape: Any = None, event_shape: Any = None,
        validate_args: bool = False, name: str | None = None,
    ) -> None:
        parameters = given(locals())
        name = name or ("" if bijector is None else bijector.name) + distribution.name
        self._distribution = distribution
        with tf.name_scope(name, values=[event_shape, batch_shape]) as name:
            self._bijector = Identity(validate_args=validate_args) if bijector is None else bijector
            self._override_batch_shape = _override(
                batch_shape, distribution.is_scalar_batch(), "batch_shape", validate_args)
            self._override_event_shape = _override(
                event_shape, distribution.is_scalar_event(), "event_shape", validate_args)
        parents = list(distribution._graph_parents) + list(self._bijector.graph_parents)
        parents += [shape for shape in (self._override_batch_shape, self._override_event_shape) if tf.is_tensor(shape)]
        super().__init__(
            dtype=distribution.dtype, reparameterization_type=distribution.reparameterization_type,
            validate_args=validate_args, allow_nan_stats=distribution.allow_nan_stats, parameters=parameters,
            graph_parents=parents, name=name,
        )

    @property
    def distribution(self) -> Any:
        """The base distribution."""
        return self._distribution

    @property
    def bijector(self) -> Any:
        """The map."""
        return self._bijector

    # -- shapes -------------------------------------------------------------------------------------------

    def _event_shape_tensor(self) -> Any:
        base = self._override_event_shape
        return self.bijector.forward_event_shape_tensor(
            self.distribution.event_shape_tensor() if base is None else base)

    def _event_shape(self) -> Any:
        base = self._override_event_shape
        return self.bijector.forward_event_shape(
            self.distribution.event_shape if base is None else _static_shape(base))

    def _batch_shape_tensor(self) -> Any:
        override = self._override_batch_shape
        return self.distribution.batch_shape_tensor() if override is None else tf.convert_to_tensor(override)

    def _batch_shape(self) -> Any:
        override = self._override_batch_shape
        return self.distribution.batch_shape if override is None else _static_shape(override)

    def _rotation(self) -> Any:
        """How many dimensions of events come before those of the base distribution's batch in what it draws."""
        if self._override_event_shape is None or self._override_batch_shape is not None:
            return 0
        ndims = _length(self._override_event_shape)
        scalar = self.distribution.is_scalar_batch()
        known = tf.get_static_value(scalar)
        if known is None:
            return tf.where(scalar, 0, ndims)
        return 0 if known else ndims

    def _rotated(self, x: Any, right: bool = False) -> Any:
        count = self._rotation()
        if isinstance(count, int) and count == 0:
            return x
        order = tf.range(tf.rank(x))
        shift = tf.rank(x) - count if right else count
        return tf.transpose(x, tf.concat([order[shift:], order[:shift]], 0))

    def _event_ndims(self) -> Any:
        ndims = self.event_shape.ndims
        return tf.size(self.event_shape_tensor()) if ndims is None else ndims

    # -- draws and densities ------------------------------------------------------------------------------

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Any:
        """Draws values; see `Distribution.sample`. They go back through the bijector without an op."""
        with self._name_scope(name, [sample_shape]):
            wanted = tf.reshape(tf.convert_to_tensor(sample_shape, tf.int32, name="sample_shape"), [-1])
            x = self._sample_n(tf.reduce_prod(wanted), seed)
            x = tf.reshape(x, tf.concat([wanted, tf.shape(x)[1:]], 0))
            return self._with_static_shape(self.bijector.forward(x), wanted)

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        parts = [] if self._override_batch_shape is None else [self._override_batch_shape]
        if self._override_event_shape is not None:
            parts.append(self._override_event_shape)
        rotation = self._rotation()
        count = tf.reshape(n, [1])
        if isinstance(rotation, int):
            parts = [count, *parts] if rotation == 0 else [*parts, count]
        else:
            empty, last = tf.zeros([0], tf.int32), rotation > 0
            parts = [
                tf.cond(last, lambda: empty, lambda: count), *parts, tf.cond(last, lambda: count, lambda: empty),
            ]
        return self._rotated(self.distribution.sample(sample_shape=tf.concat(parts, 0), seed=seed))

    def _log_prob(self, y: Any) -> Any:
        return self._density(y, self.distribution.log_prob, tf.reduce_sum, lambda base, ildj: ildj + base)

    def _prob(self, y: Any) -> Any:
        return self._density(y, self.distribution.prob, tf.reduce_prod, lambda base, ildj: base * tf.exp(ildj))

    def _density(self, y: Any, density: Any, reduce: Any, with_jacobian: Any) -> Any:
        x = self.bijector.inverse(y)
        event_ndims = self._event_ndims()
        ildj = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims)
        found = density(self._rotated(x, right=True))
        if self._override_event_shape is not None:
            rotation = self._rotation()
            ndims = _length(self._override_event_shape)
            found = reduce(found, axis=tf.range(rotation - ndims, rotation))
        found = with_jacobian(found, ildj)
        if self._override_event_shape is not None and isinstance(event_ndims, int) and y.shape.ndims is not None:
            found.set_shape(tf.broadcast_static_shape(y.shape[: y.shape.ndims - event_ndims], self.batch_shape))
        return found

    def _before(self, y: Any, what: str) -> Any:
        if self._override_event_shape is not None:
            raise NotImplementedError(f"{what} is not implemented when overriding event_shape")
        return self.bijector.inverse(y)

    def _cdf(self, y: Any) -> Any:
        return self.distribution.cdf(self._before(y, "cdf"))

    def _log_cdf(self, y: Any) -> Any:
        return self.distribution.log_cdf(self._before(y, "log_cdf"))

    def _survival_function(self, y: Any) -> Any:
        return self.distribution.survival_function(self._before(y, "survival_function"))

    def _log_survival_function(self, y: Any) -> Any:
        return self.distribution.log_survival_function(self._before(y, "log_survival_function"))

    def _quantile(self, value: Any) -> Any:
        if self._override_event_shape is not None:
            raise NotImplementedError("quantile is not implemented when overriding event_shape")
        return self.bijector.forward(self.distribution.quantile(value))

    def _entropy(self) -> Any:
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        entropy = self.distribution.entropy()
        if self._override_event_shape is not None:
            entropy *= tf.cast(tf.reduce_prod(self._override_event_shape), entropy.dtype.base_dtype)
        if self._override_batch_shape is not None:
            own = self.distribution.batch_shape_tensor()
            override = tf.convert_to_tensor(self._override_batch_shape)
            entropy = tf.reshape(entropy, tf.concat([tf.ones_like(override), own], 0))
            entropy = tf.tile(entropy, tf.concat([override, tf.ones_like(own)], 0))
        anywhere = tf.zeros(
            tf.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), self.dtype.base_dtype)
        entropy -= self.bijector.inverse_log_det_jacobian(anywhere, event_ndims=self._event_ndims())
        entropy.set_shape(self.batch_shape)
        return entropy


def _override(shape: Any, base_is_scalar: Any, name: str, validate_args: bool) -> Any:
    """A shape as a tensor, after checks; None if there is none, or if it is known to be that of a scalar."""
    if shape is None:
        return None
    shape = tf.convert_to_tensor(shape, dtype=tf.int32, name=name)
    if shape.shape.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    checks = []
    value = tf.get_static_value(shape)
    if value is not None:
        if (value < 0).any():
            raise ValueError("shape override must have positive elements")
    elif validate_args:
        checks += [tf.debugging.assert_rank(shape, 1, message="shape override must be a vector"),
                   tf.debugging.assert_non_negative(shape, message="shape override must have positive elements")]
    scalar = tf.get_static_value(base_is_scalar)
    if scalar is not None and value is not None:
        if not scalar and value.size:
            raise ValueError("base distribution not scalar")
    elif validate_args:
        fits = tf.logical_or(base_is_scalar, tf.equal(tf.shape(shape)[0], 0))
        checks.append(tf.debugging.assert_equal(fits, True, message="base distribution not scalar"))
    if value is not None and not value.size:
        return None
    with tf.control_dependencies(checks):
        return tf.identity(shape) if checks else shape


def _static_shape(shape: Any) -> Any:
    value = tf.get_static_value(shape)
    if value is not None:
        return tf.TensorShape(np.asarray(value).tolist())
    return tf.TensorShape(None if shape.shape.ndims is None else [None] * shape.shape.as_list()[0]
                          if shape.shape.as_list()[0] is not None else None)


def _length(shape: Any) -> Any:
    """The number of dimensions of a shape: a number, if it is known."""
    known = shape.shape.as_list()[0] if shape.shape.ndims is not None else None
    return tf.size(shape) if known is None else known
