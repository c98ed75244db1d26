"""Normalization of layers and of instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.names import of_both, of_layers
from ossia_contrib.layers.outputs import collect_named_outputs, get_variable_collections
from ossia_core.plugins.api_table import public


def learned(
    name: str, wanted: bool, shape: Any, dtype: Any, default: Any, initializers: dict | None, collections: Any,
    trainable: bool,
) -> Any:
    """The variable `beta` or `gamma` of a layer; None if it is not wanted."""
    if not wanted:
        return None
    return variables.model_variable(
        name, shape=shape, dtype=dtype, initializer=(initializers or {}).get(name, default),
        collections=get_variable_collections(collections, name), trainable=trainable,
    )


@public(*of_layers("layer_norm"))
@add_arg_scope
def layer_norm(
    inputs: Any, center: bool = True, scale: bool = True, activation_fn: Callable | None = None,
    reuse: bool | None = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, begin_norm_axis: int = 1, begin_params_axis: int = -1, scope: Any = None,
) -> tf.Tensor:
    """Normalizes each example to mean 0 and variance 1, then scales and shifts it (Ba et al. 2016).

    Args:
      inputs: a tensor of known rank.
      center, scale: whether to shift by `beta`, and to scale by `gamma`.
      activation_fn: function of the result.
      reuse, variables_collections, outputs_collections, trainable, scope: as for `fully_connected`.
      begin_norm_axis: the first of the dimensions that are normalized together.
      begin_params_axis: the first of the dimensions that have values of their own in `beta` and `gamma`.

    Raises:
      ValueError: sizes that matter are not known, or the axes are beyond the rank.
    """
    with tf.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as opened:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first}) must be < rank(inputs) ({rank})"
            )
        shape = inputs.shape[begin_params_axis:]
        if not shape.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {inputs.shape}"
            )
        beta = learned(
            "beta", center, shape, dtype, tf.zeros_initializer(), None, variables_collections, trainable
        )
        gamma = learned("gamma", scale, shape, dtype, tf.ones_initializer(), None, variables_collections, trainable)
        mean, variance = tf.nn.moments(inputs, list(range(first, rank)), keepdims=True)
        # A small half-precision variance would vanish beside a smaller epsilon.
        epsilon = 1e-3 if dtype == tf.float16 else 1e-12
        outputs = tf.nn.batch_normalization(
            inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon
        )
        outputs.set_shape(inputs.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)


@public(*of_both("instance_norm"))
@add_arg_scope
def instance_norm(
    inputs: Any, center: bool = True, scale: bool = True, epsilon: float = 1e-6,
    activation_fn: Callable | None = None, param_initializers: dict | None = None, reuse: bool | None = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    data_format: str = "NHWC", scope: Any = None,
) -> tf.Tensor:
    """Normalizes each channel of each example to mean 0 and variance 1 (Ulyanov et al. 2016).

    Args:
      inputs: a tensor of known rank and channels.
      center, scale: whether to shift by `beta`, and to scale by `gamma`.
      epsilon: added to the variance.
      activation_fn: function of the result.
      param_initializers: initializers of "beta" and "gamma".
      reuse, variables_collections, outputs_collections, trainable, scope: as for `fully_connected`.
      data_format: "NHWC" or "NCHW".

    Raises:
      ValueError: the format is unknown, or sizes that matter are.
    """
    inputs = tf.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with tf.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as opened:
        place = 1 if data_format == "NCHW" else rank - 1
        channels = inputs.shape[place].value
        if channels is None:
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {inputs.shape}.")
        wide = [1] * rank
        wide[place] = channels
        dtype = inputs.dtype.base_dtype
        beta = learned(
            "beta", center, [channels], dtype, tf.zeros_initializer(), param_initializers, variables_collections,
            trainable,
        )
        if beta is not None and data_format == "NCHW":
            beta = tf.reshape(beta, wide)
        gamma = learned(
            "gamma", scale, [channels], dtype, tf.ones_initializer(), param_initializers, variables_collections,
            trainable,
        )
        if gamma is not None and data_format == "NCHW":
            gamma = tf.reshape(gamma, wide)
        axes = [axis for axis in range(1, rank) if axis != place]
        mean, variance = tf.nn.moments(inputs, axes, keepdims=True)
        outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name="instancenorm")
        outputs.set_shape(inputs.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)
