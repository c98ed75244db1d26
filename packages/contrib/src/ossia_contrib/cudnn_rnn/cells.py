"""Cells that compute what layers of cuDNN do, and read their checkpoints."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.rnn.block import LSTMBlockCell
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cells import GRUCell


@public("contrib.cudnn_rnn.CudnnCompatibleLSTMCell")
class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """The LSTM of cuDNN: without peepholes, clipping and forget bias.

    Args:
      num_units: size of memory and output.
      reuse: whether to use existing variables.
    """

    def __init__(self, num_units: int, reuse: bool | None = None) -> None:
        super().__init__(
            num_units, forget_bias=0, cell_clip=None, use_peephole=False, reuse=reuse,
            name="cudnn_compatible_lstm_cell",
        )
        self._names.update({"scope": "cudnn_compatible_lstm_cell"})


@public("contrib.cudnn_rnn.CudnnCompatibleGRUCell")
class CudnnCompatibleGRUCell(GRUCell):
    """The gated recurrent unit of cuDNN, which resets the state after its product with the weights.

    Args:
      num_units: size of state and output.
      reuse: whether to use existing variables.
      kernel_initializer: initializer of the weights.
    """

    def __init__(self, num_units: int, reuse: bool | None = None, kernel_initializer: Any = None) -> None:
        super().__init__(
            num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer,
            name="cudnn_compatible_gru_cell",
        )

    def build(self, input_shape: Any) -> None:
        """Make the variables.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        depth, n = tf.TensorShape(input_shape)[-1].value, self._num_units
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {input_shape}")
        kernel, bias = self._kernel_initializer, self._bias_initializer
        ones = bias if bias is not None else tf.constant_initializer(1.0, dtype=self.dtype)
        zeros = bias if bias is not None else tf.zeros_initializer(dtype=self.dtype)
        self._gate_kernel = self.add_variable("gates/kernel", shape=[depth + n, 2 * n], initializer=kernel)
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * n], initializer=ones)
        self._candidate_input_kernel = self.add_variable(
            "candidate/input_projection/kernel", shape=[depth, n], initializer=kernel
        )
        self._candidate_hidden_kernel = self.add_variable(
            "candidate/hidden_projection/kernel", shape=[n, n], initializer=kernel
        )
        self._candidate_input_bias = self.add_variable(
            "candidate/input_projection/bias", shape=[n], initializer=zeros
        )
        self._candidate_hidden_bias = self.add_variable(
            "candidate/hidden_projection/bias", shape=[n], initializer=zeros
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        gates = tf.nn.bias_add(tf.matmul(tf.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        reset, update = tf.split(value=tf.sigmoid(gates), num_or_size_splits=2, axis=1)
        from_input = tf.nn.bias_add(tf.matmul(inputs, self._candidate_input_kernel), self._candidate_input_bias)
        from_state = tf.nn.bias_add(tf.matmul(state, self._candidate_hidden_kernel), self._candidate_hidden_bias)
        candidate = self._activation(from_input + reset * from_state)
        output = (1 - update) * candidate + update * state
        return output, output
