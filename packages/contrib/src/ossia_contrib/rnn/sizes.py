"""What cells have in common: sizes of the state and the output, fixed when the cell is made."""

from __future__ import annotations

from typing import Any

import ossia as tf

RNNCell = tf.nn.rnn_cell.RNNCell
LSTMStateTuple = tf.nn.rnn_cell.LSTMStateTuple


class SizedCell(RNNCell):
    """A cell whose sizes are set as `_state_size` and `_output_size`."""

    _state_size: Any
    _output_size: Any

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        return self._state_size

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        return self._output_size


def known_depth(inputs: Any, message: str = "Could not infer input size from inputs.get_shape()[-1]") -> int:
    """The depth of inputs `[batch, depth]`.

    Raises:
      ValueError: it is not known.
    """
    depth = inputs.shape.with_rank(2)[1].value
    if depth is None:
        raise ValueError(message)
    return depth


def gated_memory(
    c_prev: Any, gates: tuple[Any, Any, Any], forget_bias: Any, diagonals: tuple[Any, Any] | None, activation: Any
) -> tf.Tensor:
    """The new memory of an LSTM from its gates i, j and f, and the peepholes of f and i if there are any."""
    i, j, f = gates
    if diagonals is None:
        return tf.sigmoid(f + forget_bias) * c_prev + tf.sigmoid(i) * activation(j)
    w_f, w_i = diagonals
    return tf.sigmoid(f + forget_bias + w_f * c_prev) * c_prev + tf.sigmoid(i + w_i * c_prev) * activation(j)
