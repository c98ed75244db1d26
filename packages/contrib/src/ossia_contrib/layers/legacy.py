"""The dense layer of the first versions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.initializers import xavier_initializer
from ossia_contrib.layers.names import of_layers
from ossia_core.plugins.api_table import public, public_value

_XAVIER, _ZEROS = xavier_initializer(), tf.zeros_initializer()


@public(*of_layers("legacy_fully_connected"))
def legacy_fully_connected(
    x: Any, num_output_units: int, activation_fn: Callable | None = None, weight_init: Any = _XAVIER,
    bias_init: Any = _ZEROS, name: str | None = None,
    weight_collections: Sequence[str] = (tf.GraphKeys.WEIGHTS,),
    bias_collections: Sequence[str] = (tf.GraphKeys.BIASES,),
    output_collections: Sequence[str] = (tf.GraphKeys.ACTIVATIONS,), trainable: bool = True,
    weight_regularizer: Callable | None = None, bias_regularizer: Callable | None = None,
) -> tf.Tensor:
    """A dense layer with the variables "weights" and "bias".

    Args:
      x: a tensor of two dimensions or more, whose last is known.
      num_output_units: size of the output.
      activation_fn: function of the result.
      weight_init, bias_init: initial values; without the latter there is no bias.
      name: variable scope; "fully_connected" by default.
      weight_collections, bias_collections, output_collections: collections for variables and output.
      trainable: whether the variables are trained.
      weight_regularizer, bias_regularizer: penalties of the variables.

    Raises:
      ValueError: the rank is less than 2, or the last dimension unknown.
    """
    with tf.variable_scope(name, "fully_connected", [x]):
        x = tf.convert_to_tensor(x)
        dims = x.get_shape().dims
        if dims is None:
            raise ValueError("dims of x must be known but is None")
        if len(dims) < 2:
            raise ValueError(f"rank of x must be at least 2 not: {len(dims)}")
        inputs = dims[-1].value
        if inputs is None:
            raise ValueError("last dimension of x must be known but is None")
        dtype = x.dtype.base_dtype
        weights = tf.get_variable(
            "weights", shape=[inputs, num_output_units], dtype=dtype, initializer=weight_init,
            collections=sorted({*weight_collections, tf.GraphKeys.GLOBAL_VARIABLES}), regularizer=weight_regularizer,
            trainable=trainable,
        )
        flat = x if len(dims) <= 2 else tf.reshape(x, [-1, inputs])
        y = tf.matmul(flat, weights)
        if bias_init is not None:
            bias = tf.get_variable(
                "bias", shape=[num_output_units], dtype=dtype, initializer=bias_init,
                collections=sorted({*bias_collections, tf.GraphKeys.GLOBAL_VARIABLES}), regularizer=bias_regularizer,
                trainable=trainable,
            )
            y = tf.nn.bias_add(y, bias)
        if len(dims) > 2:
            outer: list[Any] = list(tf.unstack(tf.shape(x)))
            outer[-1] = num_output_units
            y = tf.reshape(y, tf.stack(outer))
            y.set_shape([*(dim.value for dim in dims[:-1]), num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        for collection in output_collections:
            tf.add_to_collection(collection, y)
        return y


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=tf.nn.relu)
for _name in ("legacy_linear", "legacy_relu"):
    public_value(*of_layers(_name), name=_name)
