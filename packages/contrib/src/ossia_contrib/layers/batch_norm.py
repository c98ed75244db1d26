"""Batch normalization, with the moving averages updated at once or by ops in a collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.outputs import collect_named_outputs, constant_value, get_variable_collections, smart_cond
from ossia_contrib.layers.scoping import add_to_collections, model_getter
from ossia_core.plugins.api_table import public
from ossia_optimizers.moving_average import assign_moving_average


@public(*of_layers("batch_norm"))
@add_arg_scope
def batch_norm(
    inputs: Any, decay: float = 0.999, center: bool = True, scale: bool = False, epsilon: float = 0.001,
    activation_fn: Callable | None = None, param_initializers: dict | None = None,
    param_regularizers: dict | None = None, updates_collections: Any = tf.GraphKeys.UPDATE_OPS,
    is_training: Any = True, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, batch_weights: Any = None, fused: bool | None = None,
    data_format: str = "NHWC", zero_debias_moving_mean: bool = False, scope: Any = None, renorm: bool = False,
    renorm_clipping: dict | None = None, renorm_decay: float = 0.99, adjustment: Callable | None = None,
) -> tf.Tensor:
    """Normalizes each channel to mean 0 and variance 1, then scales and shifts it (Ioffe & Szegedy 2015).

    Args:
      inputs: a tensor of at least two dimensions, the channels known.
      decay: of the moving averages of mean and variance.
      center, scale: whether to shift by `beta`, and to scale by `gamma`.
      epsilon: added to the variance.
      activation_fn: function of the result.
      param_initializers: initializers of "beta", "gamma", "moving_mean" and "moving_variance".
      param_regularizers: regularizers of "beta" and "gamma".
      updates_collections: collections for the updates of the averages, which have to run with every step; None to
          update with every use of the output.
      is_training: whether to normalize by the batch and update the averages, rather than by the averages; a bool or a
          boolean tensor.
      reuse, variables_collections, outputs_collections, trainable, scope: as for `fully_connected`.
      batch_weights: weights of the examples in mean and variance.
      fused: whether to use one op for all; where that is possible by default.
      data_format: "NHWC" or "NCHW".
      zero_debias_moving_mean: whether the average of the mean makes up for its start at zero.
      renorm, renorm_clipping, renorm_decay: correct by the averages in training as well (Ioffe 2017).
      adjustment: function of the shape of the inputs, returning a random scale and bias for training.

    Raises:
      ValueError: the format is unknown, or a size that matters; options that do not go together.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    if fused:
        if batch_weights is not None:
            raise ValueError("Weighted mean and variance is not currently supported for fused batch norm.")
        if renorm:
            raise ValueError("Renorm is not supported for fused batch norm.")
        if adjustment is not None:
            raise ValueError("Adjustment is not supported for fused batch norm.")
    in_update_ops = updates_collections == tf.GraphKeys.UPDATE_OPS
    rank = tf.convert_to_tensor(inputs).shape.ndims
    fusible = fused is not False and batch_weights is None and not renorm and adjustment is None and rank in (2, 4)
    by_hand = fusible and (zero_debias_moving_mean or rank == 2 or not in_update_ops)
    with tf.variable_scope(
        scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=None if by_hand else model_getter()
    ) as opened:
        inputs = tf.convert_to_tensor(inputs)
        initializers, regularizers = param_initializers or {}, param_regularizers or {}
        if not by_hand and batch_weights is None and in_update_ops and not zero_debias_moving_mean:
            layer = tf.layers.BatchNormalization(
                axis=1 if data_format == "NCHW" else -1, momentum=decay, epsilon=epsilon, center=center, scale=scale,
                beta_initializer=initializers.get("beta", tf.zeros_initializer()),
                gamma_initializer=initializers.get("gamma", tf.ones_initializer()),
                moving_mean_initializer=initializers.get("moving_mean", tf.zeros_initializer()),
                moving_variance_initializer=initializers.get("moving_variance", tf.ones_initializer()),
                beta_regularizer=regularizers.get("beta"), gamma_regularizer=regularizers.get("gamma"),
                trainable=trainable, renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay,
                adjustment=adjustment, name=opened.name, _scope=opened, _reuse=reuse, fused=fused,
            )
            outputs = layer.apply(inputs, training=is_training)
            for kind in ("moving_mean", "moving_variance", "beta", "gamma"):
                if (variable := getattr(layer, kind, None)) is not None:
                    add_to_collections(variable, variables_collections, kind)
        else:
            if renorm:
                raise ValueError(
                    "renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean"
                )
            state = _State(inputs, data_format, variables_collections)
            flat, original = by_hand and rank == 2, inputs
            if flat:
                wide = [-1, state.channels, 1, 1] if data_format == "NCHW" else [-1, 1, 1, state.channels]
                inputs = tf.reshape(inputs, wide)
            beta = state.learned("beta", center, tf.zeros_initializer(), initializers, regularizers, trainable)
            if by_hand and beta is None:
                beta = tf.constant(0.0, dtype=state.dtype, shape=[state.channels])
            gamma = state.learned("gamma", scale, tf.ones_initializer(), initializers, regularizers, trainable)
            if by_hand:
                if gamma is None:
                    gamma = tf.constant(1.0, dtype=state.dtype, shape=[state.channels])
                outputs = _fused(
                    inputs, state, beta, gamma, initializers, decay, epsilon, is_training, updates_collections,
                    data_format, zero_debias_moving_mean,
                )
                outputs = tf.reshape(outputs, tf.shape(original)) if flat else outputs
            else:
                outputs = _plain(
                    inputs, state, beta, gamma, initializers, decay, epsilon, is_training, updates_collections,
                    data_format, zero_debias_moving_mean, batch_weights,
                )
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)


class _State:
    """Makes the variables of the current scope, one value per channel each."""

    def __init__(self, inputs: Any, data_format: str, collections: Any) -> None:
        dtype = inputs.dtype.base_dtype
        self.dtype = tf.float32 if dtype == tf.float16 else dtype
        self._collections = collections
        if inputs.shape.ndims is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank")
        channels = inputs.shape[1 if data_format == "NCHW" else -1].value
        if channels is None:
            raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {inputs.shape}.")
        self.channels: int = channels

    def learned(
        self, name: str, wanted: bool, default: Any, initializers: dict, regularizers: dict, trainable: bool
    ) -> Any:
        """`beta` or `gamma`; None where it is not wanted."""
        if not wanted:
            return None
        return variables.model_variable(
            name, shape=[self.channels], dtype=self.dtype, initializer=initializers.get(name, default),
            regularizer=regularizers.get(name), collections=get_variable_collections(self._collections, name),
            trainable=trainable,
        )

    def averages(self, initializers: dict) -> tuple[Any, Any]:
        """The moving mean and variance."""
        made = []
        for name, default in (
            ("moving_mean", tf.zeros_initializer()), ("moving_variance", tf.ones_initializer())
        ):
            made.append(
                variables.model_variable(
                    name, shape=[self.channels], dtype=self.dtype, initializer=initializers.get(name, default),
                    trainable=False, collections=get_variable_collections(self._collections, name),
                )
            )
        return made[0], made[1]


def _fused(
    inputs: Any, state: _State, beta: Any, gamma: Any, initializers: dict, decay: float, epsilon: float,
    is_training: Any, updates_collections: Any, data_format: str, zero_debias: bool,
) -> tf.Tensor:
    shape = inputs.shape
    mean, variance = state.averages(initializers)

    def by_batch() -> Any:
        return tf.nn.fused_batch_norm(inputs, gamma, beta, epsilon=epsilon, data_format=data_format)

    def by_averages() -> Any:
        return tf.nn.fused_batch_norm(
            inputs, gamma, beta, mean=mean, variance=variance, epsilon=epsilon, is_training=False,
            data_format=data_format,
        )

    outputs, batch_mean, batch_variance = smart_cond(is_training, by_batch, by_averages)
    known = constant_value(is_training)
    if known is None or known:

        def update() -> tuple[Any, Any]:
            return (
                assign_moving_average(mean, batch_mean, decay, zero_debias=zero_debias),
                assign_moving_average(variance, batch_variance, decay, zero_debias=False),
            )

        if updates_collections is None:

            def updated() -> tf.Tensor:
                with tf.control_dependencies(list(update())):
                    return tf.identity(outputs)

            outputs = smart_cond(is_training, updated, lambda: outputs)
        else:
            for value in smart_cond(is_training, update, lambda: (mean, variance)):
                tf.add_to_collections(updates_collections, value)
    outputs.set_shape(shape)
    return outputs


def _plain(
    inputs: Any, state: _State, beta: Any, gamma: Any, initializers: dict, decay: float, epsilon: float,
    is_training: Any, updates_collections: Any, data_format: str, zero_debias: bool, batch_weights: Any,
) -> tf.Tensor:
    shape, rank = inputs.shape, inputs.shape.ndims
    first = data_format == "NCHW"
    axes = [0, *range(2, rank)] if first else list(range(rank - 1))
    wide = [1, state.channels] + [1] * (rank - 2)

    def spread(value: Any) -> Any:
        return tf.reshape(value, wide) if first and value is not None else value

    moving_mean, moving_variance = state.averages(initializers)
    known = constant_value(is_training)
    if known is None or known:
        if batch_weights is None:
            mean, variance = tf.nn.moments(inputs, axes)
        else:
            weights = tf.cast(batch_weights, state.dtype)
            weights = tf.reshape(weights, [-1] + [1] * (rank - 1))
            mean, variance = tf.nn.weighted_moments(inputs, axes, weights)

        def update() -> tuple[Any, Any]:
            return (
                assign_moving_average(moving_mean, mean, decay, zero_debias=zero_debias),
                assign_moving_average(moving_variance, variance, decay, zero_debias=False),
            )

        def averages() -> tuple[Any, Any]:
            return moving_mean, moving_variance

        if updates_collections is None:

            def updated() -> tuple[Any, Any]:
                with tf.control_dependencies(list(update())):
                    return tf.identity(mean), tf.identity(variance)

            mean, variance = smart_cond(is_training, updated, averages)
            tf.get_default_graph().unique_name("batchnorm")  # TensorFlow numbers the scope from 1 here
        else:
            for value in smart_cond(is_training, update, averages):
                tf.add_to_collections(updates_collections, value)
            batch = (mean, variance)
            mean, variance = smart_cond(is_training, lambda: batch, averages)
    else:
        mean, variance = moving_mean, moving_variance
    outputs = tf.nn.batch_normalization(
        inputs, spread(mean), spread(variance), spread(beta), spread(gamma), epsilon
    )
    outputs.set_shape(shape)
    return outputs
