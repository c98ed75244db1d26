"""Normalization of groups of channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.names import of_both
from ossia_contrib.layers.normalization import learned
from ossia_contrib.layers.outputs import collect_named_outputs
from ossia_core.plugins.api_table import public


@public(*of_both("group_norm"))
@add_arg_scope
def group_norm(
    inputs: Any, groups: int = 32, channels_axis: int = -1, reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True, scale: bool = True, epsilon: float = 1e-6, activation_fn: Callable | None = None,
    param_initializers: dict | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None, mean_close_to_zero: bool = False,
) -> tf.Tensor:
    """Normalizes groups of channels of each example to mean 0 and variance 1 (Wu & He 2018).

    Args:
      inputs: a tensor of known rank and channels.
      groups: how many groups there are; they divide the channels.
      channels_axis: the axis of the channels.
      reduction_axes: the axes that are normalized together, of space for images.
      center, scale: whether to shift by `beta`, and to scale by `gamma`.
      epsilon: added to the variance.
      activation_fn: function of the result.
      param_initializers: initializers of "beta" and "gamma".
      reuse, variables_collections, outputs_collections, trainable, scope: as for `fully_connected`.
      mean_close_to_zero: whether the variance is that around 0, computed of squares.

    Raises:
      ValueError: the rank or the channels are not known, or axes or groups do not fit.
    """
    inputs = tf.convert_to_tensor(inputs)
    if inputs.shape.ndims is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    rank = inputs.shape.ndims
    channels_axis = channels_axis + rank if channels_axis < 0 else channels_axis
    if not 0 <= channels_axis < rank:
        raise ValueError("Axis is out of bounds.")
    axes = [axis + rank if axis < 0 else axis for axis in reduction_axes]
    if not all(0 <= axis < rank for axis in axes):
        raise ValueError("Axis is out of bounds.")
    if channels_axis in axes:
        raise ValueError("reduction_axis cannot overlap with channels_axis")
    channels = inputs.shape[channels_axis].value
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {channels_axis}.")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels for inputs {inputs.name}.")
    if channels % groups != 0:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups for inputs {inputs.name}.")
    split = [groups, channels // groups]
    known = inputs.shape.as_list()
    dynamic = tf.shape(inputs)
    sizes = [dynamic[place] if size is None else size for place, size in enumerate(known)]
    shape = sizes[:channels_axis] + split + sizes[channels_axis + 1 :]
    wide = [1] * rank
    wide[channels_axis : channels_axis + 1] = split
    moments_axes = [channels_axis + 1, *(axis + (axis > channels_axis) for axis in axes)]
    inputs = tf.reshape(inputs, shape)
    with tf.variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as opened:
        dtype = inputs.dtype.base_dtype
        common = (param_initializers, variables_collections, trainable)
        beta = learned("beta", center, [channels], dtype, tf.zeros_initializer(), *common)
        if beta is not None:
            beta = tf.reshape(beta, wide)
        gamma = learned("gamma", scale, [channels], dtype, tf.ones_initializer(), *common)
        if gamma is not None:
            gamma = tf.reshape(gamma, wide)
        if mean_close_to_zero:
            counts, means, variances, _ = tf.nn.sufficient_statistics(inputs, moments_axes, keep_dims=True)
            mean, variance = tf.nn.normalize_moments(counts, means, variances, shift=None)
        else:
            mean, variance = tf.nn.moments(inputs, moments_axes, keepdims=True)
        gain = tf.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = tf.reshape(inputs * gain + offset, sizes)
        outputs.set_shape(known)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)
