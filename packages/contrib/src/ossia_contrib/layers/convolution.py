"""Convolutions, transposed and separable ones included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.initializers import xavier_initializer
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.outputs import channel_dimension, two_element_tuple
from ossia_contrib.layers.scoping import add_to_collections, finished, model_getter
from ossia_core.plugins.api_table import public

_XAVIER, _ZEROS = xavier_initializer(), tf.zeros_initializer()
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")


def channels_name(data_format: str | None) -> str:
    """What core layers call the format."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


@public(*of_layers("convolution"))
@add_arg_scope
def convolution(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
    data_format: str | None = None, rate: Any = 1, activation_fn: Callable | None = tf.nn.relu,
    normalizer_fn: Callable | None = None, normalizer_params: dict | None = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Callable | None = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Callable | None = None, reuse: bool | None = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
    conv_dims: int | None = None,
) -> tf.Tensor:
    """A convolution with weights `[*kernel_size, channels, num_outputs]`, biases or a normalizer, and an activation.

    Args:
      inputs: a tensor of 3, 4 or 5 dimensions, of batch, channels and 1, 2 or 3 of space.
      num_outputs: number of output channels.
      kernel_size: size of the kernel, an int or one for each dimension.
      stride: step of the kernel.
      padding: "SAME" or "VALID".
      data_format: channels last by default; "NCW", "NCHW" or "NCDHW" for channels first.
      rate: distance of the inputs that a kernel sees, for dilated convolutions; not with a stride.
      activation_fn: function of the result; None for none.
      normalizer_fn: function of the result before the activation; it takes the place of the biases.
      normalizer_params: arguments for `normalizer_fn`.
      weights_initializer, biases_initializer: initializers; without the latter there are no biases.
      weights_regularizer, biases_regularizer: functions of the variables whose values are losses.
      reuse: whether to use variables that exist.
      variables_collections: collections for the variables, or a dict of them for "weights" and "biases".
      outputs_collections: collections for the output.
      trainable: whether the variables are trained.
      scope: variable scope; "Conv", made unique, by default.
      conv_dims: number of dimensions of space that the input has to have.

    Raises:
      ValueError: the format is unknown, the rank of the input wrong, or `rate` and `stride` both above 1.
    """
    return _convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
        normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope, conv_dims,
    )


def _convolution(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any, padding: str, data_format: str | None, rate: Any,
    activation_fn: Callable | None, normalizer_fn: Callable | None, normalizer_params: dict | None,
    weights_initializer: Any, weights_regularizer: Any, biases_initializer: Any, biases_regularizer: Any,
    reuse: bool | None, variables_collections: Any, outputs_collections: Any, trainable: bool, scope: Any,
    conv_dims: int | None,
) -> tf.Tensor:
    if data_format not in _FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = model_getter(bias="biases", kernel="weights")
    with tf.variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        kinds = {3: tf.layers.Conv1D, 4: tf.layers.Conv2D, 5: tf.layers.Conv3D}
        if rank not in kinds:
            raise ValueError("Convolution not supported for input with rank", rank)
        layer = kinds[rank](
            filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
            data_format=channels_name(data_format), dilation_rate=rate, activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer), kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer, activity_regularizer=None, trainable=trainable, name=opened.name,
            dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        add_to_collections(layer.kernel, variables_collections, "weights")
        if layer.use_bias:
            add_to_collections(layer.bias, variables_collections, "biases")
        return finished(outputs, opened.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _of_dims(dims: int) -> Callable[..., Any]:
    def layer(
        inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
        data_format: str | None = None, rate: Any = 1, activation_fn: Callable | None = tf.nn.relu,
        normalizer_fn: Callable | None = None, normalizer_params: dict | None = None,
        weights_initializer: Any = _XAVIER, weights_regularizer: Callable | None = None,
        biases_initializer: Any = _ZEROS, biases_regularizer: Callable | None = None, reuse: bool | None = None,
        variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
        scope: Any = None,
    ) -> tf.Tensor:
        return _convolution(
            inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
            normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
            reuse, variables_collections, outputs_collections, trainable, scope, dims,
        )

    layer.__name__ = layer.__qualname__ = f"convolution{dims}d"
    layer.__doc__ = f"`convolution` of inputs with {dims} dimension{'s' * (dims > 1)} of space; arguments as there."
    layer.__module__ = __name__
    layer._key_op = f"{__name__}.convolution{dims}d"  # type: ignore[attr-defined]
    return add_arg_scope(layer)


convolution1d, convolution2d, convolution3d = _of_dims(1), _of_dims(2), _of_dims(3)
for _dims, _layer in ((1, convolution1d), (2, convolution2d), (3, convolution3d)):
    public(*of_layers(f"conv{_dims}d", f"convolution{_dims}d"))(_layer)


def _transposed(
    kind: Any, scope_name: str, inputs: Any, num_outputs: int, kernel_size: Any, stride: Any, padding: str,
    data_format: str, activation_fn: Any, normalizer_fn: Any, normalizer_params: Any, weights_initializer: Any,
    weights_regularizer: Any, biases_initializer: Any, biases_regularizer: Any, reuse: Any,
    variables_collections: Any, outputs_collections: Any, trainable: bool, scope: Any,
) -> tf.Tensor:
    getter = model_getter(bias="biases", kernel="weights")
    with tf.variable_scope(scope, scope_name, [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = tf.convert_to_tensor(inputs)
        layer = kind(
            filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
            data_format=channels_name(data_format), activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer), kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer, activity_regularizer=None, trainable=trainable, name=opened.name,
            dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        add_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_to_collections(layer.bias, variables_collections, "biases")
        return finished(outputs, opened.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@public(*of_layers("conv2d_transpose", "convolution2d_transpose"))
@add_arg_scope
def convolution2d_transpose(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
    data_format: str = "NHWC", activation_fn: Callable | None = tf.nn.relu, normalizer_fn: Callable | None = None,
    normalizer_params: dict | None = None, weights_initializer: Any = _XAVIER,
    weights_regularizer: Callable | None = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Callable | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tf.Tensor:
    """The transpose (gradient) of a convolution of images, as a layer; arguments as for `convolution`.

    Raises:
      ValueError: the format is neither "NHWC" nor "NCHW".
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    return _transposed(
        tf.layers.Conv2DTranspose, "Conv2d_transpose", inputs, num_outputs, kernel_size, stride, padding,
        data_format, activation_fn, normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope,
    )


@public(*of_layers("conv3d_transpose", "convolution3d_transpose"))
@add_arg_scope
def convolution3d_transpose(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
    data_format: str = "NDHWC", activation_fn: Callable | None = tf.nn.relu, normalizer_fn: Callable | None = None,
    normalizer_params: dict | None = None, weights_initializer: Any = _XAVIER,
    weights_regularizer: Callable | None = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Callable | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tf.Tensor:
    """The transpose (gradient) of a convolution of volumes, as a layer; arguments as for `convolution`.

    Raises:
      ValueError: the format is neither "NDHWC" nor "NCDHW".
    """
    if data_format not in ("NCDHW", "NDHWC"):
        raise ValueError("data_format has to be either NCDHW or NDHWC.")
    return _transposed(
        tf.layers.Conv3DTranspose, "Conv3d_transpose", inputs, num_outputs, kernel_size, stride, padding,
        data_format, activation_fn, normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope,
    )


@public(*of_layers("separable_conv2d", "separable_convolution2d"))
@add_arg_scope
def separable_convolution2d(
    inputs: Any, num_outputs: int | None, kernel_size: Any, depth_multiplier: int = 1, stride: Any = 1,
    padding: str = "SAME", data_format: str = "NHWC", rate: Any = 1, activation_fn: Callable | None = tf.nn.relu,
    normalizer_fn: Callable | None = None, normalizer_params: dict | None = None,
    weights_initializer: Any = _XAVIER, pointwise_initializer: Any = None,
    weights_regularizer: Callable | None = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Callable | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tf.Tensor:
    """A convolution of each channel, then one of the channels at each place.

    Args:
      inputs: images.
      num_outputs: number of output channels; None leaves out the second convolution.
      kernel_size: height and width of the kernel.
      depth_multiplier: number of outputs of each channel.
      stride, padding, rate: as for `convolution`.
      data_format: "NHWC" or "NCHW".
      weights_initializer: initializer of the first weights.
      pointwise_initializer: initializer of the second weights; the first one's by default.
      activation_fn, normalizer_fn, normalizer_params, weights_regularizer, biases_initializer, biases_regularizer,
          reuse, variables_collections, outputs_collections, trainable, scope: as for `convolution`.

    Raises:
      ValueError: the format is unknown.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    getter = model_getter(
        bias="biases", depthwise_kernel="depthwise_weights", pointwise_kernel="pointwise_weights"
    )
    with tf.variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = tf.convert_to_tensor(inputs)
        if num_outputs is not None:
            layer = tf.layers.SeparableConv2D(
                filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
                data_format=channels_name(data_format), dilation_rate=two_element_tuple(rate), activation=None,
                depth_multiplier=depth_multiplier, use_bias=not normalizer_fn and bool(biases_initializer),
                depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
                activity_regularizer=None, trainable=trainable, name=opened.name, dtype=inputs.dtype.base_dtype,
                _scope=opened, _reuse=reuse,
            )
            outputs = layer.apply(inputs)
            add_to_collections(layer.depthwise_kernel, variables_collections, "weights")
            add_to_collections(layer.pointwise_kernel, variables_collections, "weights")
            if layer.bias is not None:
                add_to_collections(layer.bias, variables_collections, "biases")
        else:
            outputs = _depthwise(
                inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate, normalizer_fn,
                weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
                variables_collections, trainable,
            )
        return finished(outputs, opened.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _depthwise(
    inputs: Any, kernel_size: Any, depth_multiplier: int, stride: Any, padding: str, data_format: str, rate: Any,
    normalizer_fn: Any, weights_initializer: Any, weights_regularizer: Any, biases_initializer: Any,
    biases_regularizer: Any, variables_collections: Any, trainable: bool,
) -> tf.Tensor:
    dtype = inputs.dtype.base_dtype
    channels = channel_dimension(inputs.shape, data_format, min_rank=4)
    height, width = two_element_tuple(kernel_size)
    down, across = two_element_tuple(stride)

    def collections(kind: str) -> Any:
        return variables_collections.get(kind) if isinstance(variables_collections, dict) else variables_collections

    weights = variables.model_variable(
        "depthwise_weights", shape=[height, width, channels, depth_multiplier], dtype=dtype,
        initializer=weights_initializer, regularizer=weights_regularizer, trainable=trainable,
        collections=collections("weights"),
    )
    first = data_format.startswith("NC")
    strides = [1, 1, down, across] if first else [1, down, across, 1]
    outputs = tf.nn.depthwise_conv2d(
        inputs, weights, strides, padding, rate=two_element_tuple(rate), data_format=data_format
    )
    if normalizer_fn is None and biases_initializer is not None:
        biases = variables.model_variable(
            "biases", shape=[channels * depth_multiplier], dtype=dtype, initializer=biases_initializer,
            regularizer=biases_regularizer, trainable=trainable, collections=collections("biases"),
        )
        outputs = tf.nn.bias_add(outputs, biases, data_format=data_format)
    return outputs
