"""Convolutions that do the same in each channel, and where features are in the plane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.initializers import xavier_initializer
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.outputs import (
    collect_named_outputs,
    get_variable_collections,
    last_dimension,
    two_element_tuple,
)
from ossia_core.plugins.api_table import public

_XAVIER, _ZEROS = xavier_initializer(), tf.zeros_initializer()


@public(*of_layers("conv2d_in_plane", "convolution2d_in_plane"))
@add_arg_scope
def convolution2d_in_plane(
    inputs: Any, kernel_size: Any, stride: Any = 1, padding: str = "SAME", activation_fn: Callable | None = tf.nn.relu,
    normalizer_fn: Callable | None = None, normalizer_params: dict | None = None, weights_initializer: Any = _XAVIER,
    weights_regularizer: Callable | None = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Callable | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tf.Tensor:
    """A convolution with one kernel for all channels.

    Args:
      inputs: images `[batch, height, width, channels]`.
      kernel_size: height and width of the kernel, or one number for both.
      stride: step of the kernel.
      padding: "SAME" or "VALID".
      activation_fn, normalizer_fn, normalizer_params, weights_initializer, weights_regularizer, biases_initializer,
          biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope: as for `convolution`.
    """
    with tf.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as opened:
        dtype = inputs.dtype.base_dtype
        height, width = two_element_tuple(kernel_size)
        step = two_element_tuple(stride)
        channels = last_dimension(inputs.get_shape(), min_rank=4)
        weights = variables.model_variable(
            "weights", shape=[height, width, 1, 1], dtype=dtype, initializer=weights_initializer,
            regularizer=weights_regularizer, collections=get_variable_collections(variables_collections, "weights"),
            trainable=trainable,
        )
        kernels = tf.tile(weights, [1, 1, channels, 1])
        outputs = tf.nn.depthwise_conv2d(inputs, kernels, [1, *step, 1], padding)
        if normalizer_fn is not None:
            outputs = normalizer_fn(outputs, **(normalizer_params or {}))
        elif biases_initializer is not None:
            biases = variables.model_variable(
                "biases", shape=[channels], dtype=dtype, initializer=biases_initializer,
                regularizer=biases_regularizer, collections=get_variable_collections(variables_collections, "biases"),
                trainable=trainable,
            )
            outputs = tf.nn.bias_add(outputs, biases)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)


@public(*of_layers("spatial_softmax"))
@add_arg_scope
def spatial_softmax(
    features: Any, temperature: Any = None, name: str | None = None, variables_collections: Any = None,
    trainable: bool = True, data_format: str = "NHWC",
) -> tf.Tensor:
    """The expected place of each channel's activation, between -1 and 1 (Finn et al. 2015).

    Args:
      features: `[batch, height, width, channels]`.
      temperature: of the softmax, a tensor; or the number that a variable begins with, 1 if None.
      name: variable scope.
      variables_collections: collections for the temperature.
      trainable: whether it is trained.
      data_format: "NHWC" or "NCHW".

    Returns:
      `[batch, 2 * channels]`: for each channel both coordinates.

    Raises:
      ValueError: the rank or the channels are not known, or the format is.
    """
    with tf.variable_scope(name, "spatial_softmax"):
        shape = tf.shape(features)
        known = features.shape
        if data_format == "NHWC":
            height, width, channels = shape[1], shape[2], known[3].value
        elif data_format == "NCHW":
            height, width, channels = shape[2], shape[3], known[1].value
        else:
            raise ValueError("data_format has to be either NCHW or NHWC.")
        if channels is None:
            raise ValueError("The num_channels dimension of the inputs to `spatial_softmax` should be defined.")
        with tf.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            x, y = tf.meshgrid(
                tf.lin_space(-1.0, 1.0, num=height), tf.lin_space(-1.0, 1.0, num=width), indexing="ij"
            )
            x = tf.reshape(x, [height * width])
            y = tf.reshape(y, [height * width])
            if not isinstance(temperature, tf.Tensor):
                initial = tf.ones_initializer() if temperature is None else tf.constant_initializer(temperature)
                temperature = variables.model_variable(
                    "temperature", shape=(), dtype=tf.float32, initializer=initial,
                    collections=get_variable_collections(variables_collections, "temperature"), trainable=trainable,
                )
            if data_format == "NCHW":
                flat = tf.reshape(features, [-1, height * width])
            else:
                flat = tf.reshape(tf.transpose(features, [0, 3, 1, 2]), [-1, height * width])
            attention = tf.nn.softmax(flat / temperature)
            expected_x = tf.reduce_sum(x * attention, [1], keepdims=True)
            expected_y = tf.reduce_sum(y * attention, [1], keepdims=True)
            return tf.reshape(tf.concat([expected_x, expected_y], 1), [-1, channels * 2])


@public(*of_layers("images_to_sequence"))
@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: str | None = None
) -> tf.Tensor:
    """The columns of images as sequences: `[width, batch * height, channels]`.

    Raises:
      ValueError: the format is unknown.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with tf.name_scope(scope, "ImagesToSequence", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = tf.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.get_shape().as_list()
        shape = tf.shape(inputs)
        batch, height = shape[0], shape[1]
        columns = tf.transpose(inputs, [2, 0, 1, 3])
        outputs = tf.reshape(columns, [-1 if width is None else width, batch * height, depth])
        return collect_named_outputs(outputs_collections, opened, outputs)


@public(*of_layers("sequence_to_images"))
@add_arg_scope
def sequence_to_images(
    inputs: Any, height: int, output_data_format: str = "channels_last", outputs_collections: Any = None,
    scope: str | None = None,
) -> tf.Tensor:
    """What `images_to_sequence` made, as images of this height again."""
    with tf.name_scope(scope, "SequenceToImages", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        width, batches, depth = inputs.get_shape().as_list()
        if batches is None:
            batches = -1
        else:
            batches = batches // height
        if width is None:
            width = -1
        outputs = tf.reshape(inputs, [width, batches, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, opened, tf.transpose(outputs, order))


def _scaled(gradient_multiplier: Any) -> Any:
    @tf.custom_gradient
    def scaled(values: Any) -> Any:
        return tf.identity(values), lambda grad: grad * tf.cast(gradient_multiplier, grad.dtype)

    return scaled


@public(*of_layers("scale_gradient"))
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> tf.Tensor:
    """The inputs, whose gradients are multiplied.

    Args:
      inputs: a float32 tensor.
      gradient_multiplier: the factor, a number.
    """
    return _scaled(gradient_multiplier)(inputs)
