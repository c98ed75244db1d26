"""Cells with gates other than those of the LSTM and the GRU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import Linear
from ossia_contrib.rnn.sizes import SizedCell, known_depth
from ossia_core.plugins.api_table import public


@public("contrib.rnn.UGRNNCell")
class UGRNNCell(SizedCell):
    """The update gate cell, between a plain cell and a GRU (Collins et al. 2017).

    Args:
      num_units: size of state and output.
      initializer: initializer of the weights.
      forget_bias: added to the gate's input.
      activation: function of the candidate.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, initializer: Any = None, forget_bias: float = 1.0, activation: Callable = tf.tanh,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._state_size = self._output_size = self._num_units = num_units
        self._initializer, self._forget_bias, self._activation = initializer, forget_bias, activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        known_depth(inputs)
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            both = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 2 * self._num_units, True)
            gate, candidate = tf.split(axis=1, num_or_size_splits=2, value=self._linear(both))
            c = self._activation(candidate)
            g = tf.sigmoid(gate + self._forget_bias)
            new_state = g * state + (1.0 - g) * c
        return new_state, new_state


@public("contrib.rnn.IntersectionRNNCell")
class IntersectionRNNCell(SizedCell):
    """The intersection cell, with gated paths through time and through depth (Collins et al. 2017).

    Args:
      num_units: size of state and output.
      num_in_proj: the depth to which inputs of another depth than `num_units` are mapped.
      initializer: initializer of the weights.
      forget_bias: added to the gates' inputs.
      y_activation: function of the candidate output.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, num_in_proj: int | None = None, initializer: Any = None, forget_bias: float = 1.0,
        y_activation: Callable = tf.nn.relu, reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._state_size = self._output_size = self._num_units = num_units
        self._initializer, self._forget_bias = initializer, forget_bias
        self._num_input_proj, self._y_activation = num_in_proj, y_activation
        self._projection: Linear | None = None
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known, or it is not `num_units` and is not mapped to it.
        """
        n, depth = self._num_units, known_depth(inputs)
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            if depth != n:
                if not self._num_input_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set "
                        "to num_units at cell init."
                    )
                with tf.variable_scope("in_projection"):
                    if self._projection is None:
                        self._projection = Linear(inputs, self._num_input_proj, True)
                    inputs = self._projection(inputs)
            both = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 4 * n, True)
            matrix = self._linear(both)
            state_gate, new, output_gate, output = (
                matrix[:, i * n or None : (i + 1) * n] for i in range(4)
            )
            h = tf.tanh(new)
            y = self._y_activation(output)
            gh = tf.sigmoid(state_gate + self._forget_bias)
            gy = tf.sigmoid(output_gate + self._forget_bias)
            new_state = gh * state + (1.0 - gh) * h
            new_y = gy * inputs + (1.0 - gy) * y
        return new_y, new_state


class _ExponentialInitializer:
    """Numbers whose logarithms are uniform between those of two bounds."""

    def __init__(self, minval: float, maxval: float, seed: int | None = None, dtype: Any = tf.float32) -> None:
        self._bounds, self._seed, self._dtype = (minval, maxval), seed, dtype

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> tf.Tensor:
        low, high = self._bounds
        uniform = tf.random_uniform(shape, tf.log(low), tf.log(high), dtype or self._dtype, seed=self._seed)
        return tf.exp(uniform)


def _two_gates(x: tf.Tensor) -> list[tf.Tensor]:
    return tf.split(axis=1, num_or_size_splits=2, value=tf.sigmoid(x))


@public("contrib.rnn.PhasedLSTMCell")
class PhasedLSTMCell(SizedCell):
    """The LSTM cell whose units are open during a part of a learned period only (Neil et al. 2016).

    It is called with a tuple of times `[batch, 1]` and inputs `[batch, depth]`.

    Args:
      num_units: size of memory and output.
      use_peepholes: whether the gates see the memory.
      leak: how much passes while a unit is closed.
      ratio_on: first value of the part of the period in which a unit is open.
      trainable_ratio_on: whether that part is trained.
      period_init_min, period_init_max: bounds of the first periods.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, leak: float = 0.001, ratio_on: float = 0.1,
        trainable_ratio_on: bool = True, period_init_min: float = 1.0, period_init_max: float = 1000.0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._state_size = tf.nn.rnn_cell.LSTMStateTuple(num_units, num_units)
        self._output_size = self._num_units = num_units
        self._use_peepholes, self._leak = use_peepholes, leak
        self._ratio_on, self._trainable_ratio_on = ratio_on, trainable_ratio_on
        self._period_bounds = (period_init_min, period_init_max)
        self._linear: dict[str, Linear] = {}

    def _mapped(self, scope: str, args: list[Any], size: int, function: Callable) -> Any:
        with tf.variable_scope(scope):
            if scope not in self._linear:
                self._linear[scope] = Linear(args, size, True)
            return function(self._linear[scope](args))

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        c_prev, h_prev = state
        time, x = inputs
        n, seen = self._num_units, [x, h_prev]
        input_gate, forget_gate = self._mapped(
            "mask_gates", [*seen, c_prev] if self._use_peepholes else seen, 2 * n, _two_gates
        )
        new_input = self._mapped("new_input", seen, n, tf.tanh)
        new_c = c_prev * forget_gate + input_gate * new_input
        output_gate = self._mapped("output_gate", [*seen, new_c] if self._use_peepholes else seen, n, tf.sigmoid)
        new_h = tf.tanh(new_c) * output_gate

        period = tf.get_variable("period", [n], initializer=_ExponentialInitializer(*self._period_bounds))
        phase = tf.get_variable("phase", [n], initializer=tf.random_uniform_initializer(0.0, period.initial_value))
        ratio_on = tf.get_variable(
            "ratio_on", [n], initializer=tf.constant_initializer(self._ratio_on), trainable=self._trainable_ratio_on
        )
        cycle = _cycle_ratio(time, phase, period)
        k_up = 2 * cycle / ratio_on
        k_down = 2 - k_up
        k_closed = self._leak * cycle
        k = tf.where(cycle < ratio_on, k_down, k_closed)
        k = tf.where(cycle < 0.5 * ratio_on, k_up, k)
        new_c = k * new_c + (1 - k) * c_prev
        new_h = k * new_h + (1 - k) * h_prev
        return new_h, tf.nn.rnn_cell.LSTMStateTuple(new_c, new_h)


def _cycle_ratio(time: Any, phase: Any, period: Any) -> tf.Tensor:
    """Which part of the period has passed at a time; its gradient is that of a time that does not start again."""
    phase, period = tf.cast(phase, time.dtype), tf.cast(period, time.dtype)
    shifted = time - phase
    passed = tf.stop_gradient(tf.mod(shifted, period) - shifted) + shifted
    return tf.cast(passed / period, tf.float32)
