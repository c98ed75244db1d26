"""The LSTM cell whose input gate is what the forget gate leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import sharded
from ossia_contrib.rnn.normalized import normalized
from ossia_contrib.rnn.sizes import LSTMStateTuple, SizedCell, known_depth
from ossia_core.plugins.api_table import public


@public("contrib.rnn.CoupledInputForgetGateLSTMCell")
class CoupledInputForgetGateLSTMCell(SizedCell):
    """An LSTM cell with one gate for input and forgetting (Greff et al. 2015), and optional peepholes, projection and
    layer normalization.

    Args:
      num_units: size of the memory.
      use_peepholes: whether the gates see the memory.
      initializer: initializer of the weights.
      num_proj: size of the projected output; `num_units` without projection.
      proj_clip: limit of the projected output's absolute value.
      num_unit_shards, num_proj_shards: numbers of parts that the weights are kept in.
      forget_bias: added to the forget gate's input.
      state_is_tuple: whether the state is an LSTMStateTuple, or both parts in one tensor.
      activation: function of the inner states.
      reuse: whether to use existing variables.
      layer_norm: whether gates and memory are normalized.
      norm_gain, norm_shift: first values of the normalization's gain and shift.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, initializer: Any = None, num_proj: int | None = None,
        proj_clip: float | None = None, num_unit_shards: int = 1, num_proj_shards: int = 1,
        forget_bias: float = 1.0, state_is_tuple: bool = True, activation: Callable = tf.tanh,
        reuse: bool | None = None, layer_norm: bool = False, norm_gain: float = 1.0, norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            tf.logging.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._num_units, self._use_peepholes, self._initializer = num_units, use_peepholes, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple, self._activation = forget_bias, state_is_tuple, activation
        self._reuse, self._layer_norm, self._norm = reuse, layer_norm, (norm_gain, norm_shift)
        width = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, width) if state_is_tuple else num_units + width
        self._output_size = width

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        n, width, dtype = self._num_units, self._output_size, inputs.dtype
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = tf.slice(state, [0, 0], [-1, n])
            m_prev = tf.slice(state, [0, n], [-1, width])
        depth = known_depth(inputs)
        weights = sharded("W", [depth + width, 3 * n], dtype, self._num_unit_shards)
        bias = tf.get_variable("B", shape=[3 * n], initializer=tf.zeros_initializer(), dtype=dtype)
        gates = tf.matmul(tf.concat([inputs, m_prev], 1), weights)
        if not self._layer_norm:
            gates = tf.nn.bias_add(gates, bias)
        j, f, o = tf.split(value=gates, num_or_size_splits=3, axis=1)
        if self._layer_norm:
            j, f, o = (
                normalized(x, name, *self._norm) for x, name in ((j, "transform"), (f, "forget"), (o, "output"))
            )
        if self._use_peepholes:
            w_f, w_o = (tf.get_variable(f"W_{gate}_diag", shape=[n], dtype=dtype) for gate in "FO")
            kept = tf.sigmoid(f + self._forget_bias + w_f * c_prev)
        else:
            kept = tf.sigmoid(f + self._forget_bias)
        c = kept * c_prev + (1 - kept) * self._activation(j)
        if self._layer_norm:
            c = normalized(c, "state", *self._norm)
        seen = o + w_o * c if self._use_peepholes else o
        m = tf.sigmoid(seen) * self._activation(c)
        if self._num_proj is not None:
            m = tf.matmul(m, sharded("W_P", [n, self._num_proj], dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                m = tf.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else tf.concat([c, m], 1)
