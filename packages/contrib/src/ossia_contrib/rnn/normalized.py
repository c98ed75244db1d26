"""The LSTM cell with layer normalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.layers.normalization import layer_norm
from ossia_contrib.rnn.sizes import LSTMStateTuple, SizedCell
from ossia_core.plugins.api_table import public


def normalized(inputs: Any, scope: str, gain: float, shift: float, dtype: Any = tf.float32) -> tf.Tensor:
    """`inputs` with layer normalization, its variables in `scope` starting as `gain` and `shift`."""
    shape = inputs.shape[-1:]
    with tf.variable_scope(scope):
        tf.get_variable("gamma", shape=shape, initializer=tf.constant_initializer(gain), dtype=dtype)
        tf.get_variable("beta", shape=shape, initializer=tf.constant_initializer(shift), dtype=dtype)
    return layer_norm(inputs, reuse=True, scope=scope)


@public("contrib.rnn.LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(SizedCell):
    """An LSTM cell with layer normalization (Ba et al. 2016) and dropout of what is written (Semeniuta et al. 2016).

    Args:
      num_units: size of memory and output.
      forget_bias: added to the forget gate's input.
      input_size: has no effect.
      activation: function of the inner states.
      layer_norm: whether gates and memory are normalized; with biases if not.
      norm_gain, norm_shift: first values of the normalization's gain and shift.
      dropout_keep_prob: probability to keep an element; a number of 1 or more for no dropout.
      dropout_prob_seed: seed of the dropout.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, input_size: Any = None, activation: Callable = tf.tanh,
        layer_norm: bool = True, norm_gain: float = 1.0, norm_shift: float = 0.0, dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None, reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            tf.logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_units, self._activation, self._forget_bias = num_units, activation, forget_bias
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed
        self._layer_norm, self._norm, self._reuse = layer_norm, (norm_gain, norm_shift), reuse
        self._state_size, self._output_size = LSTMStateTuple(num_units, num_units), num_units

    def _normalized(self, inputs: Any, scope: str, dtype: Any) -> tf.Tensor:
        return normalized(inputs, scope, *self._norm, dtype=dtype) if self._layer_norm else inputs

    def _projected(self, args: Any) -> tf.Tensor:
        n, depth = 4 * self._num_units, args.shape[-1]
        weights = tf.get_variable("kernel", [depth, n], dtype=args.dtype)
        out = tf.matmul(args, weights)
        if not self._layer_norm:
            out = tf.nn.bias_add(out, tf.get_variable("bias", [n], dtype=args.dtype))
        return out

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        c, h = state
        dtype = inputs.dtype
        gates = self._projected(tf.concat([inputs, h], 1))
        i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=1)
        if self._layer_norm:
            i, j, f, o = (
                self._normalized(x, name, dtype)
                for x, name in ((i, "input"), (j, "transform"), (f, "forget"), (o, "output"))
            )
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = tf.nn.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * g
        new_c = self._normalized(new_c, "state", dtype)
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)
