"""LSTM cells whose states are images, sequences or volumes, mapped by convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.rnn.sizes import LSTMStateTuple, SizedCell
from ossia_core.plugins.api_table import public


@public("contrib.rnn.ConvLSTMCell")
class ConvLSTMCell(SizedCell):
    """The LSTM cell with convolutions (Shi et al. 2015).

    Args:
      conv_ndims: number of dimensions of the convolution: 1, 2 or 3.
      input_shape: shape of the inputs without the batch.
      output_channels: channels of memory and output.
      kernel_shape: sizes of the kernel.
      use_bias: whether there is a bias.
      skip_connection: whether the inputs are put beside the output.
      forget_bias: added to the forget gate's input.
      initializers: has no effect.
      name: name of the cell.

    Raises:
      ValueError: the shape of the inputs does not fit `conv_ndims`.
    """

    def __init__(
        self, conv_ndims: int, input_shape: Sequence[int], output_channels: int, kernel_shape: Sequence[int],
        use_bias: bool = True, skip_connection: bool = False, forget_bias: float = 1.0, initializers: Any = None,
        name: str = "conv_lstm_cell",
    ) -> None:
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims, self._input_shape = conv_ndims, input_shape
        self._output_channels, self._kernel_shape = output_channels, list(kernel_shape)
        self._use_bias, self._skip_connection, self._forget_bias = use_bias, skip_connection, forget_bias
        sizes = list(input_shape[:-1])
        state = tf.TensorShape([*sizes, output_channels])
        self._state_size = LSTMStateTuple(state, state)
        self._output_size = tf.TensorShape([*sizes, output_channels + (input_shape[-1] if skip_connection else 0)])

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step."""
        cell, hidden = state
        convolved = _convolved([inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias)
        i, j, f, o = tf.split(value=convolved, num_or_size_splits=4, axis=self._conv_ndims + 1)
        new_cell = tf.sigmoid(f + self._forget_bias) * cell
        new_cell += tf.sigmoid(i) * tf.tanh(j)
        output = tf.tanh(new_cell) * tf.sigmoid(o)
        if self._skip_connection:
            output = tf.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


def _convolved(args: list[Any], kernel_shape: list[int], channels: int, bias: bool) -> tf.Tensor:
    shapes = [x.shape.as_list() for x in args]
    rank = len(shapes[0])
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}")
        if len(shape) != rank:
            raise ValueError(f"Conv Linear expects all args to be of same Dimension: {shapes}")
    convolution: Any = {3: tf.nn.conv1d, 4: tf.nn.conv2d, 5: tf.nn.conv3d}[rank]
    strides = 1 if rank == 3 else rank * [1]
    dtype, total = args[0].dtype, sum(shape[-1] for shape in shapes)
    kernel = tf.get_variable("kernel", [*kernel_shape, total, channels], dtype=dtype)
    result = convolution(tf.concat(axis=rank - 1, values=args), kernel, strides, padding="SAME")
    if not bias:
        return result
    return result + tf.get_variable(
        "biases", [channels], dtype=dtype, initializer=tf.constant_initializer(0.0, dtype=dtype)
    )


@public("contrib.rnn.Conv1DLSTMCell")
class Conv1DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over sequences; arguments as there."""

    def __init__(self, name: str = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


@public("contrib.rnn.Conv2DLSTMCell")
class Conv2DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over images; arguments as there."""

    def __init__(self, name: str = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


@public("contrib.rnn.Conv3DLSTMCell")
class Conv3DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over volumes; arguments as there."""

    def __init__(self, name: str = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
