"""The batch normalization layer: its statistics of the batch and of the population, fused or not, with
renormalization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import colocate_with, control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign, assign_sub
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_nn import constraints, keras_initializers, regularizers
from ossia_nn.initializers import Ones, Zeros
from ossia_nn.layers.base import Layer
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.layers.regularization import decided, either, learning_phase
from ossia_nn.named_objects import serialized
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.reduction import reduce_mean
from ossia_ops.nn.activation import relu
from ossia_ops.nn.fused_batch_norm import fused_batch_norm
from ossia_ops.nn.normalization import batch_normalization as normalize
from ossia_ops.nn.normalization import moments

_ZEROS, _ONES = Zeros(), Ones()


@public("layers.BatchNormalization")
class BatchNormalization(Layer):
    """Normalizes its inputs to mean 0 and variance 1 per channel, then scales and shifts them (Ioffe & Szegedy 2015).

    In training, by the mean and variance of the batch, whose moving averages it keeps: the ops in `updates`, which also
    join the collection UPDATE_OPS, have to run with every step. Otherwise by the moving averages.

    Args:
      axis: the dimension (or dimensions) of the channels.
      momentum: of the moving averages.
      epsilon: added to the variance.
      center, scale: whether to shift by a learned `beta`, and to scale by a learned `gamma`.
      beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer: initializers.
      beta_regularizer, gamma_regularizer: functions of the variables whose values are losses.
      beta_constraint, gamma_constraint: projections that optimizers apply after updates.
      renorm: correct by the moving averages in training as well (Ioffe 2017).
      renorm_clipping: dict of "rmin", "rmax", "dmax" to bounds of the correction.
      renorm_momentum: of the averages for the correction.
      fused: whether to use one op for all; where that is possible by default.
      trainable: whether the variables are trained.
      virtual_batch_size: normalize groups of so many examples by themselves.
      adjustment: `f(shape)` returning a random scale and bias for training.
      name: name of the layer.
      **kwargs: as for `Layer`.

    Raises:
      ValueError, TypeError: arguments out of range.
    """

    def __init__(
        self, axis: Any = -1, momentum: float = 0.99, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        beta_initializer: Any = _ZEROS, gamma_initializer: Any = _ONES, moving_mean_initializer: Any = _ZEROS,
        moving_variance_initializer: Any = _ONES, beta_regularizer: Callable | None = None,
        gamma_regularizer: Callable | None = None, beta_constraint: Callable | None = None,
        gamma_constraint: Callable | None = None, renorm: bool = False, renorm_clipping: dict | None = None,
        renorm_momentum: float = 0.99, fused: bool | None = None, trainable: bool = True,
        virtual_batch_size: int | None = None, adjustment: Callable | None = None, name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list)):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis: Any = axis if isinstance(axis, int) else list(axis)
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        self.beta_initializer = keras_initializers.get(beta_initializer)
        self.gamma_initializer = keras_initializers.get(gamma_initializer)
        self.moving_mean_initializer = keras_initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = keras_initializers.get(moving_variance_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.supports_masking = True
        self.renorm, self.virtual_batch_size, self.adjustment, self.fused = (
            renorm,
            virtual_batch_size,
            adjustment,
            fused is None or fused,
        )
        if renorm:
            renorm_clipping = renorm_clipping or {}
            keys = ["rmax", "rmin", "dmax"]
            if set(renorm_clipping) - set(keys):
                raise ValueError(f"renorm_clipping {renorm_clipping} contains keys not in {keys}")
            self.renorm_clipping, self.renorm_momentum = renorm_clipping, renorm_momentum

    # -- variables ------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        static = TensorShape(input_shape)
        rank = static.ndims
        if not rank:
            raise ValueError("Input has undefined rank:", static)
        self.axis = self._axes(rank)
        self._check_virtual()
        plain = (
            rank == 4
            and self.axis in ([1], [3])
            and self.virtual_batch_size is None
            and self.adjustment is None
            and not self.renorm
        )
        self.fused = bool(plain and self.fused)
        if self.fused:
            self._data_format = "NCHW" if self.axis == [1] else "NHWC"
        low = self._dtype in ("float16", "bfloat16")
        kind = self._param_dtype = dtypes.float32 if low else dtypes.as_dtype(self._dtype or dtypes.float32)
        sizes = {x: static.as_tuple()[x] for x in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", static)
        self.input_spec = InputSpec(ndim=rank, axes=sizes)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            dims: tuple[int, ...] = tuple(sizes.values())
        else:
            wide = [sizes.get(i, 1) for i in range(rank)]
            if self.virtual_batch_size is not None:
                wide.insert(1, 1)
                self.axis = [x + 1 for x in self.axis]
            dims = tuple(wide)
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma",
                shape=dims,
                dtype=kind,
                initializer=self.gamma_initializer,
                regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
                trainable=True,
            )
        elif self.fused:
            self._gamma = constant(1.0, dtype=kind, shape=dims)
        if self.center:
            self.beta = self.add_weight(
                "beta",
                shape=dims,
                dtype=kind,
                initializer=self.beta_initializer,
                regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
                trainable=True,
            )
        elif self.fused:
            self._beta = constant(0.0, dtype=kind, shape=dims)
        self._build_averages(dims)
        self.built = True

    def _axes(self, rank: int) -> list[int]:
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        axes = [x + rank if x < 0 else x for x in axes]
        for x in axes:
            if x < 0 or x >= rank:
                raise ValueError(f"Invalid axis: {x}")
        if len(axes) != len(set(axes)):
            raise ValueError(f"Duplicate axis: {axes}")
        return axes

    def _check_virtual(self) -> None:
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(
                "virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor"
            )
        if 0 in self.axis:
            raise ValueError(
                "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0"
            )
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def _average(self, name: str, dims: Sequence[int], initializer: Any) -> Any:
        return self.add_weight(
            name=name, shape=dims, dtype=self._param_dtype, initializer=initializer,
            synchronization=VariableSynchronization.ON_READ, trainable=False, aggregation=VariableAggregation.MEAN,
        )

    def _build_averages(self, dims: Sequence[int]) -> None:
        """The moving averages, which are never partitioned."""
        partitioner = self._scope.partitioner if self._scope else None
        if self._scope:
            self._scope.set_partitioner(None)
        try:
            self.moving_mean = self._average("moving_mean", dims, self.moving_mean_initializer)
            self.moving_variance = self._average("moving_variance", dims, self.moving_variance_initializer)
            if self.renorm:
                variance = self.moving_variance_initializer

                def deviation(*args: Any, **kwargs: Any) -> Tensor:
                    return sqrt(variance(*args, **kwargs))
                with colocate_with(self.moving_variance.op):
                    self.moving_stddev = self._average("moving_stddev", dims, deviation)
                with colocate_with(self.moving_mean.op):
                    self.renorm_mean = self._average("renorm_mean", dims, self.moving_mean_initializer)
                with colocate_with(self.moving_variance.op):
                    self.renorm_stddev = self._average("renorm_stddev", dims, deviation)
        finally:
            if partitioner:
                self._scope.set_partitioner(partitioner)

    def _assign_moving_average(self, variable: Any, value: Any, momentum: Any) -> Any:
        with name_scope("AssignMovingAvg") as scope, colocate_with(variable.op):
            decay = convert_to_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = cast(decay, variable.dtype.base_dtype)
            return assign_sub(variable, (variable - cast(value, variable.dtype.base_dtype)) * decay, name=scope)

    # -- calls ----------------------------------------------------------------------------------------

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """Make the ops.

        Args:
          inputs: a tensor.
          training: a bool or a boolean tensor: normalize by the batch; None for the graph's learning phase.
        """
        training = decided(learning_phase() if training is None else training)
        if self.virtual_batch_size is None:
            return self._fused(inputs, training) if self.fused else self._plain(inputs, training)
        original = [-1, *inputs.shape.as_list()[1:]]
        inputs = reshape(inputs, [self.virtual_batch_size, -1, *original[1:]])
        return reshape(self._plain(inputs, training), original)

    def _fused(self, inputs: Tensor, training: Any) -> Tensor:
        gamma, beta = self.gamma if self.scale else self._gamma, self.beta if self.center else self._beta

        def by_batch() -> Any:
            return fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=self._data_format)

        def by_population() -> Any:
            return fused_batch_norm(
                inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance, epsilon=self.epsilon,
                is_training=False, data_format=self._data_format,
            )
        output, mean, variance = either(training, by_batch, by_population)
        known = isinstance(training, bool)
        momentum = convert_to_tensor(self.momentum) if known else either(training, lambda: self.momentum, lambda: 1.0)
        if not known or training:
            self.add_update(self._assign_moving_average(self.moving_mean, mean, momentum))
            self.add_update(self._assign_moving_average(self.moving_variance, variance, momentum))
        return output

    def _plain(self, inputs: Tensor, training: Any) -> Tensor:
        static = inputs.shape
        rank = static.ndims
        axes = [i for i in range(rank) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del axes[1]
        wide = [1] * rank
        wide[self.axis[0]] = static.as_tuple()[self.axis[0]]

        def broadcast(v: Any) -> Any:
            if v is not None and len(v.shape) != rank and axes != list(range(rank - 1)):
                return reshape(v, wide)
            return v

        scale, offset = broadcast(self.gamma), broadcast(self.beta)
        if training is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment:
                adj_scale, adj_bias = self.adjustment(shape(inputs))
                adj_scale = either(training, lambda: adj_scale, lambda: ones_like(adj_scale))
                adj_bias = either(training, lambda: adj_bias, lambda: zeros_like(adj_bias))
                scale, offset = _then(adj_scale, adj_bias, scale, offset)
            mean, variance = moments(
                cast(inputs, self._param_dtype),
                axes,
                keep_dims=self.virtual_batch_size is not None or len(self.axis) > 1,
            )
            batch_mean, batch_variance = mean, variance
            mean = either(training, lambda: batch_mean, lambda: convert_to_tensor(self.moving_mean))
            variance = either(training, lambda: batch_variance, lambda: convert_to_tensor(self.moving_variance))
            new_mean, new_variance = mean, variance
            if self.virtual_batch_size is not None:
                new_mean, new_variance = (
                    reduce_mean(mean, axis=1, keepdims=True),
                    reduce_mean(variance, axis=1, keepdims=True),
                )
            if self.renorm:
                r, d, new_mean, new_variance = self._renorm(new_mean, new_variance, training)
                stop = builder("stop_gradient")
                r, d = broadcast(stop(r, name="renorm_r")), broadcast(stop(d, name="renorm_d"))
                scale, offset = _then(r, d, scale, offset)
            self._update_averages(new_mean, new_variance, training)
        mean, variance = cast(mean, inputs.dtype), cast(variance, inputs.dtype)
        offset = None if offset is None else cast(offset, inputs.dtype)
        scale = None if scale is None else cast(scale, inputs.dtype)
        outputs = normalize(inputs, broadcast(mean), broadcast(variance), offset, scale, self.epsilon)
        outputs.set_shape(static)
        return outputs

    def _update_averages(self, mean: Tensor, variance: Tensor, training: Any) -> None:
        def renormed() -> Any:
            deviation = self._assign_moving_average(self.moving_stddev, sqrt(variance + self.epsilon), self.momentum)
            value = relu(deviation * deviation - self.epsilon)
            with name_scope("AssignNewValue") as scope, colocate_with(self.moving_variance.op):
                return assign(self.moving_variance, value, name=scope)

        self.add_update(
            either(
                training,
                lambda: self._assign_moving_average(self.moving_mean, mean, self.momentum),
                lambda: self.moving_mean,
            )
        )
        updated = (
            renormed
            if self.renorm
            else lambda: self._assign_moving_average(self.moving_variance, variance, self.momentum)
        )
        self.add_update(either(training, updated, lambda: self.moving_variance))

    def _renorm(self, mean: Tensor, variance: Tensor, training: Any) -> tuple[Any, Any, Tensor, Tensor]:
        """The correction's factor and shift, and the moments with which the averages are updated."""
        identity = builder("identity")
        deviation = sqrt(variance + self.epsilon)
        renorm_mean = self.renorm_mean
        renorm_deviation = maximum(self.renorm_stddev, sqrt(self.epsilon))
        r = deviation / renorm_deviation
        d = (mean - renorm_mean) / renorm_deviation
        with control_dependencies([r, d]):
            mean_now, deviation_now = identity(mean), identity(deviation)
        rmin, rmax, dmax = (self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax"))
        if rmin is not None:
            r = maximum(r, rmin)
        if rmax is not None:
            r = minimum(r, rmax)
        if dmax is not None:
            d = maximum(d, -dmax)
            d = minimum(d, dmax)
        plain_r, plain_d = r, d
        r = either(training, lambda: plain_r, lambda: ones_like(plain_r))
        d = either(training, lambda: plain_d, lambda: zeros_like(plain_d))

        def update(variable: Any, value: Any) -> Any:
            value = identity(value)
            return either(
                training,
                lambda: self._assign_moving_average(variable, value, self.renorm_momentum),
                lambda: identity(variable),
            )

        updates = [update(self.renorm_mean, mean_now), update(self.renorm_stddev, deviation_now)]
        with control_dependencies(updates):
            return r, d, identity(mean_now), identity(variance)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        config = {
            **super().get_config(),
            "axis": self.axis,
            "momentum": self.momentum,
            "epsilon": self.epsilon,
            "center": self.center,
            "scale": self.scale,
            "beta_initializer": serialized(self.beta_initializer),
            "gamma_initializer": serialized(self.gamma_initializer),
            "moving_mean_initializer": serialized(self.moving_mean_initializer),
            "moving_variance_initializer": serialized(self.moving_variance_initializer),
            "beta_regularizer": serialized(self.beta_regularizer),
            "gamma_regularizer": serialized(self.gamma_regularizer),
            "beta_constraint": serialized(self.beta_constraint),
            "gamma_constraint": serialized(self.gamma_constraint),
        }
        if self.renorm:
            config |= {"renorm": True, "renorm_clipping": self.renorm_clipping, "renorm_momentum": self.renorm_momentum}
        if self.virtual_batch_size is not None:
            config["virtual_batch_size"] = self.virtual_batch_size
        return config


def _then(scale: Any, offset: Any, then_scale: Any, then_offset: Any) -> tuple[Any, Any]:
    """One affine map after another."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    if then_offset is not None:
        offset = offset + then_offset
    return scale, offset


@public("layers.batch_normalization")
def batch_normalization(
    inputs: Any, axis: Any = -1, momentum: float = 0.99, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
    beta_initializer: Any = _ZEROS, gamma_initializer: Any = _ONES, moving_mean_initializer: Any = _ZEROS,
    moving_variance_initializer: Any = _ONES, beta_regularizer: Callable | None = None,
    gamma_regularizer: Callable | None = None, beta_constraint: Callable | None = None,
    gamma_constraint: Callable | None = None, training: Any = False, trainable: bool = True, name: str | None = None,
    reuse: bool | None = None, renorm: bool = False, renorm_clipping: dict | None = None, renorm_momentum: float = 0.99,
    fused: bool | None = None, virtual_batch_size: int | None = None, adjustment: Callable | None = None,
) -> Tensor:
    """Call a new `BatchNormalization` layer on `inputs`; with `reuse`, on the variables of the scope `name`.

    The moving averages are updated by the ops in the collection UPDATE_OPS, which a training step has to depend on.
    """
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, renorm,
        renorm_clipping, renorm_momentum, fused, trainable, virtual_batch_size, adjustment, name, _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs, training=training)
