"""Cells whose units see their own state alone, and the simple recurrent unit."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.rnn.sizes import LSTMStateTuple
from ossia_core.plugins.api_table import public
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.rnn.cell import LayerRNNCell
from ossia_nn.rnn.cells import activation_of, depth_of


class _UnitCell(LayerRNNCell):
    """A cell of `num_units` units, with a state and an output of that size."""

    def __init__(self, num_units: int, activation: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation_of(activation)

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_units


@public("contrib.rnn.IndRNNCell")
class IndRNNCell(_UnitCell):
    """output = new state = activation(W input + u * state + b) (Li et al. 2018).

    Args:
      num_units: size of state and output.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      name: name of the cell.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, _reuse=reuse, name=name, dtype=dtype)

    def build(self, inputs_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel_w = self.add_variable("kernel_w", shape=[depth_of(inputs_shape), n])
        self._kernel_u = self.add_variable(
            "kernel_u", shape=[1, n], initializer=tf.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        )
        self._bias = self.add_variable("bias", shape=[n], initializer=tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        total = tf.matmul(inputs, self._kernel_w) + (state * self._kernel_u)
        output = self._activation(tf.nn.bias_add(total, self._bias))
        return output, output


class _InitializedCell(_UnitCell):
    """A cell with an initializer of its weights and one of its biases."""

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: str | None = None, dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, _reuse=reuse, name=name, dtype=dtype)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def _kernel(self, name: str, shape: list[int]) -> Any:
        initializer = self._kernel_initializer
        if initializer is None and name.endswith("_u"):
            initializer = tf.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        return self.add_variable(name, shape=shape, initializer=initializer)

    def _biases(self, name: str, size: int, default: Any) -> Any:
        chosen = default if self._bias_initializer is None else self._bias_initializer
        return self.add_variable(name, shape=[size], initializer=chosen)


@public("contrib.rnn.IndyGRUCell")
class IndyGRUCell(_InitializedCell):
    """The gated recurrent unit with units that are independent of each other (Gonnet and Deselaers 2019).

    Args:
      num_units: size of state and output.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      kernel_initializer, bias_initializer: initializers of weights and biases.
      name: name of the cell.
      dtype: dtype of the variables; the inputs' by default.
    """

    def build(self, inputs_shape: Any) -> None:
        """Make the variables."""
        n, depth = self._num_units, depth_of(inputs_shape)
        self._gate_kernel_w = self._kernel("gates/kernel_w", [depth, 2 * n])
        self._gate_kernel_u = self._kernel("gates/kernel_u", [1, 2 * n])
        self._gate_bias = self._biases("gates/bias", 2 * n, tf.constant_initializer(1.0, dtype=self.dtype))
        self._candidate_kernel_w = self._kernel("candidate/kernel", [depth, n])
        self._candidate_kernel_u = self._kernel("candidate/kernel_u", [1, n])
        self._candidate_bias = self._biases("candidate/bias", n, tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        gates = tf.matmul(inputs, self._gate_kernel_w) + (tf.tile(state, [1, 2]) * self._gate_kernel_u)
        value = tf.sigmoid(tf.nn.bias_add(gates, self._gate_bias))
        reset, update = tf.split(value=value, num_or_size_splits=2, axis=1)
        reset_state = reset * state
        candidate = tf.matmul(inputs, self._candidate_kernel_w) + (reset_state * self._candidate_kernel_u)
        c = self._activation(tf.nn.bias_add(candidate, self._candidate_bias))
        output = update * state + (1 - update) * c
        return output, output


@public("contrib.rnn.IndyLSTMCell")
class IndyLSTMCell(_InitializedCell):
    """The LSTM cell with units that are independent of each other (Gonnet and Deselaers 2019).

    Args:
      num_units: size of memory and output.
      forget_bias: added to the forget gate's input.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      kernel_initializer, bias_initializer: initializers of weights and biases.
      name: name of the cell.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, activation: Any = None, reuse: bool | None = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None, dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype)
        self._forget_bias = forget_bias

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel_w = self._kernel("kernel_w", [depth_of(inputs_shape), 4 * n])
        self._kernel_u = self._kernel("kernel_u", [1, 4 * n])
        self._bias = self._biases("bias", 4 * n, tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        one = tf.constant(1, dtype=tf.int32)
        c, h = state
        gates = tf.matmul(inputs, self._kernel_w)
        gates += tf.tile(h, [1, 4]) * self._kernel_u
        i, j, f, o = tf.split(value=tf.nn.bias_add(gates, self._bias), num_or_size_splits=4, axis=one)
        forget_bias = tf.constant(self._forget_bias, dtype=f.dtype)
        kept = tf.multiply(c, tf.sigmoid(tf.add(f, forget_bias)))
        new_c = tf.add(kept, tf.multiply(tf.sigmoid(i), self._activation(j)))
        new_h = tf.multiply(self._activation(new_c), tf.sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h)


@public("contrib.rnn.SRUCell")
class SRUCell(_UnitCell):
    """The simple recurrent unit (Lei et al. 2017).

    Args:
      num_units: size of state and output.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      name: name of the cell.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(num_units, activation, _reuse=reuse, name=name, **kwargs)

    def build(self, inputs_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel = self.add_variable("kernel", shape=[depth_of(inputs_shape), 4 * n])
        self._bias = self.add_variable("bias", shape=[2 * n], initializer=tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        mapped = tf.matmul(inputs, self._kernel)
        candidate, forget, reset, passed = tf.split(value=mapped, num_or_size_splits=4, axis=1)
        gates = tf.concat([forget, reset], 1)
        gates = tf.sigmoid(tf.nn.bias_add(gates, self._bias))
        f, r = tf.split(value=gates, num_or_size_splits=2, axis=1)
        c = f * state + (1.0 - f) * candidate
        h = r * self._activation(c) + (1.0 - r) * passed
        return h, c
