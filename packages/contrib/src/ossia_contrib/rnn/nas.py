"""The cell that a search of architectures found."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.rnn.sizes import LSTMStateTuple
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import LayerRNNCell
from ossia_nn.rnn.cells import depth_of


@public("contrib.rnn.NASCell")
class NASCell(LayerRNNCell):
    """The cell of neural architecture search (Zoph and Le 2016).

    Args:
      num_units: size of the memory.
      num_proj: size of the projected output; `num_units` without projection.
      use_bias: whether there are biases.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias, self._reuse = num_units, num_proj, use_bias, reuse

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_proj or self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, 8 * n])
        self.kernel = self.add_variable("kernel", [depth_of(inputs_shape), 8 * n])
        self.bias = self.add_variable("bias", [8 * n], initializer=tf.zeros_initializer()) if self._use_bias else None
        self.projection_weights = (
            None if self._num_proj is None else self.add_variable("projection_weights", [n, self._num_proj])
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        c_prev, m_prev = state
        from_state = tf.matmul(m_prev, self.recurrent_kernel)
        from_inputs = tf.matmul(inputs, self.kernel)
        if self.bias is not None:
            from_state = tf.nn.bias_add(from_state, self.bias)
        m = tf.split(axis=1, num_or_size_splits=8, value=from_state)
        x = tf.split(axis=1, num_or_size_splits=8, value=from_inputs)
        first = [
            tf.sigmoid(x[0] + m[0]), tf.nn.relu(x[1] + m[1]), tf.sigmoid(x[2] + m[2]), tf.nn.relu(x[3] * m[3]),
            tf.tanh(x[4] + m[4]), tf.sigmoid(x[5] + m[5]), tf.tanh(x[6] + m[6]), tf.sigmoid(x[7] + m[7]),
        ]
        left = tf.tanh(first[0] * first[1])
        right = tf.tanh(first[2] + first[3])
        below = tf.tanh(first[4] * first[5])
        gate = tf.sigmoid(first[6] + first[7])
        left = tf.tanh(left + c_prev)
        new_c = left * right
        new_m = tf.tanh(new_c * tf.tanh(below + gate))
        if self.projection_weights is not None:
            new_m = tf.matmul(new_m, self.projection_weights)
        return new_m, LSTMStateTuple(new_c, new_m)
