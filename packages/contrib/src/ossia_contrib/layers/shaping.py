"""Layers that reshape, drop, encode or repeat, with few variables or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.outputs import (
    channel_dimension,
    collect_named_outputs,
    get_variable_collections,
    last_dimension,
)
from ossia_contrib.layers.scoping import model_getter
from ossia_core.plugins.api_table import public

_ZEROS = tf.zeros_initializer()


@public(*of_layers("flatten"))
@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> tf.Tensor:
    """`[batch, everything else]` of a tensor.

    Args:
      inputs: a tensor of at least one dimension.
      outputs_collections: collections for the output.
      scope: name scope.
    """
    with tf.name_scope(scope, "Flatten", [inputs]) as opened:
        outputs = tf.layers.flatten(tf.convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, opened, outputs)


@public(*of_layers("dropout"))
@add_arg_scope
def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: Any = None, seed: int | None = None,
) -> tf.Tensor:
    """In training, sets a random part of the inputs to zero and scales the others up.

    Args:
      inputs: a tensor.
      keep_prob: the part that is kept.
      noise_shape: shape of the mask, which is broadcast.
      is_training: a bool or a boolean tensor; without training the inputs stay as they are.
      outputs_collections: collections for the output.
      scope: variable scope.
      seed: seed of the random numbers.
    """
    with tf.variable_scope(scope, "Dropout", [inputs], custom_getter=model_getter()) as opened:
        layer = tf.layers.Dropout(
            rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=opened.name, _scope=opened
        )
        outputs = layer.apply(tf.convert_to_tensor(inputs), training=is_training)
        return collect_named_outputs(outputs_collections, opened.name, outputs)


@public(*of_layers("bias_add"))
@add_arg_scope
def bias_add(
    inputs: Any, activation_fn: Callable | None = None, initializer: Any = _ZEROS,
    regularizer: Callable | None = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, data_format: str = "NHWC", scope: Any = None,
) -> tf.Tensor:
    """Adds learned biases, one for each channel.

    Args:
      inputs: a tensor of at least two dimensions.
      activation_fn: function of the result.
      initializer, regularizer: of the biases.
      reuse, variables_collections, outputs_collections, trainable, scope: as for `fully_connected`.
      data_format: "NHWC" or "NCHW".

    Raises:
      ValueError: the format is unknown, or comes first in something else than images.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with tf.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as opened:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError("Dims of shape must be known but is None")
        if rank != 4 and data_format == "NCHW":
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = channel_dimension(inputs.shape, data_format, min_rank=2)
        biases = variables.model_variable(
            "biases", shape=[channels], dtype=inputs.dtype.base_dtype, initializer=initializer,
            regularizer=regularizer, collections=get_variable_collections(variables_collections, "biases"),
            trainable=trainable,
        )
        outputs = tf.nn.bias_add(inputs, biases, data_format=data_format)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, opened.name, outputs)


@public(*of_layers("one_hot_encoding"))
@add_arg_scope
def one_hot_encoding(
    labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0, outputs_collections: Any = None,
    scope: str | None = None,
) -> tf.Tensor:
    """Integer labels as rows with one value at the place of the label and another elsewhere."""
    with tf.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as opened:
        labels = tf.convert_to_tensor(labels)
        if labels.dtype == tf.int32:
            labels = tf.to_int64(labels)
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, opened, outputs)


@public(*of_layers("softmax"))
@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> tf.Tensor:
    """Softmax over the last dimension of a tensor of any rank."""
    with tf.variable_scope(scope, "softmax", [logits]):
        size = last_dimension(logits.shape, min_rank=2)
        flat = tf.nn.softmax(tf.reshape(logits, [-1, size]))
        predictions = tf.reshape(flat, tf.shape(logits))
        predictions.set_shape(logits.shape)
        return predictions


@public(*of_layers("maxout"))
@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> tf.Tensor:
    """The largest of groups of values along a dimension, which becomes `num_units` long (Goodfellow et al. 2013).

    Raises:
      ValueError: the size of the dimension is no multiple of `num_units`, or not known.
    """
    with tf.name_scope(scope, "MaxOut", [inputs]):
        inputs = tf.convert_to_tensor(inputs)
        shape = inputs.shape.as_list()
        size = shape[axis]
        if size is None:
            raise ValueError("The dimension of the axis must be known")
        if size % num_units:
            raise ValueError(f"number of features({size}) is not a multiple of num_units({num_units})")
        place = len(shape) + axis if axis < 0 else axis
        shape[place : place + 1] = [num_units, size // num_units]
        sizes = None
        for i, known in enumerate(shape):
            if known is None:
                sizes = tf.shape(inputs) if sizes is None else sizes
                shape[i] = sizes[i]
        return tf.reduce_max(tf.reshape(inputs, shape), place + 1 if axis >= 0 else axis)


@public(*of_layers("dense_to_sparse"))
@add_arg_scope
def dense_to_sparse(
    tensor: Any, eos_token: int = 0, outputs_collections: Any = None, scope: Any = None
) -> tf.SparseTensor:
    """The elements of a tensor that are not `eos_token`, as a sparse tensor."""
    with tf.variable_scope(scope, "dense_to_sparse", [tensor]) as opened:
        tensor = tf.convert_to_tensor(tensor)
        places = tf.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        values = tf.gather_nd(tensor, places)
        outputs = tf.SparseTensor(places, values, tf.shape(tensor, out_type=tf.int64))
        return collect_named_outputs(outputs_collections, opened.name, outputs)


@public(*of_layers("unit_norm"))
@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> tf.Tensor:
    """Inputs divided by their Euclidean length along a dimension.

    Raises:
      ValueError: the rank is not known, or has no such dimension.
    """
    with tf.variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.shape.ndims
        if not rank:
            raise ValueError("The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, keepdims=True))
        parts = []
        if dim > 0:
            parts.append(tf.ones([dim], tf.int32))
        parts.append(tf.strided_slice(tf.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            parts.append(tf.ones([rank - 1 - dim], tf.int32))
        return tf.div(inputs, tf.tile(lengths, tf.concat(parts, 0)))


@public(*of_layers("repeat"))
@add_arg_scope
def repeat(inputs: Any, repetitions: int, layer: Callable, *args: Any, **kwargs: Any) -> Any:
    """Applies a layer again and again with the same arguments.

    Args:
      inputs: what the first one gets.
      repetitions: how many times.
      layer: function of inputs, with a `scope`.
      *args: more arguments for it.
      **kwargs: more arguments; of `scope`, each layer adds its number: `conv1/conv1_1`.
    """
    scope = kwargs.pop("scope", None)
    with tf.variable_scope(scope, "Repeat", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        if scope is None:
            scope = _layer_name(layer, "repeat")
        for i in range(repetitions):
            kwargs["scope"] = f"{scope}_{i + 1}"
            outputs = layer(outputs, *args, **kwargs)
        return outputs


@public(*of_layers("stack"))
@add_arg_scope
def stack(inputs: Any, layer: Callable, stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """Applies a layer again and again, with other arguments each time.

    Args:
      inputs: what the first one gets.
      layer: function of inputs, with a `scope`.
      stack_args: for each layer a tuple of arguments, or one argument.
      **kwargs: arguments for all; of `scope`, each layer adds its number.
    """
    scope = kwargs.pop("scope", None)
    with tf.variable_scope(scope, "Stack", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        if scope is None:
            scope = _layer_name(layer, "stack")
        for i, arguments in enumerate(stack_args):
            kwargs["scope"] = f"{scope}_{i + 1}"
            given = arguments if isinstance(arguments, (list, tuple)) else [arguments]
            outputs = layer(outputs, *given, **kwargs)
        return outputs


def _layer_name(layer: Any, other: str) -> str:
    if hasattr(layer, "__name__"):
        return layer.__name__
    return layer.func.__name__ if hasattr(layer, "func") else other
