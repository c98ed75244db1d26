"""Fully connected layers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.initializers import xavier_initializer
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.scoping import add_to_collections, finished, model_getter
from ossia_core.plugins.api_table import public, public_value

_XAVIER, _ZEROS = xavier_initializer(), tf.zeros_initializer()


@public(*of_layers("fully_connected"))
@add_arg_scope
def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Callable | None = tf.nn.relu,
    normalizer_fn: Callable | None = None, normalizer_params: dict | None = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Callable | None = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Callable | None = None, reuse: bool | None = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tf.Tensor:
    """`activation_fn(inputs * weights + biases)`, over the last dimension.

    Args:
      inputs: a tensor of at least two dimensions, the last one known.
      num_outputs: size of the output's last dimension.
      activation_fn: function of the result; None for none.
      normalizer_fn: function of the result before the activation; it takes the place of the biases.
      normalizer_params: arguments for `normalizer_fn`.
      weights_initializer, biases_initializer: initializers; without the latter there are no biases.
      weights_regularizer, biases_regularizer: functions of the variables whose values are losses.
      reuse: whether to use variables that exist.
      variables_collections: collections for the variables, or a dict of them for "weights" and "biases".
      outputs_collections: collections for the output.
      trainable: whether the variables are trained.
      scope: variable scope; "fully_connected", made unique, by default.

    Raises:
      ValueError: `num_outputs` is no int, or the input has less than two dimensions or an unknown last one.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of {[int]}, got {num_outputs}.")
    getter = model_getter(bias="biases", kernel="weights")
    with tf.variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = tf.convert_to_tensor(inputs)
        layer = tf.layers.Dense(
            units=num_outputs, activation=None, use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        add_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_to_collections(layer.bias, variables_collections, "biases")
        return finished(outputs, opened.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


linear = functools.partial(fully_connected, activation_fn=None)
relu = functools.partial(fully_connected, activation_fn=tf.nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=tf.nn.relu6)
elu = functools.partial(fully_connected, activation_fn=tf.nn.elu)
for _name in ("linear", "relu", "relu6", "elu"):
    public_value(*of_layers(_name), name=_name)
