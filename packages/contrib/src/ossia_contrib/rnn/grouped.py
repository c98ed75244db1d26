"""The LSTM cell whose units form groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import Linear
from ossia_contrib.rnn.sizes import LSTMStateTuple, SizedCell, known_depth
from ossia_core.plugins.api_table import public


@public("contrib.rnn.GLSTMCell")
class GLSTMCell(SizedCell):
    """The group LSTM cell, each group with gates of its own (Kuchaiev and Ginsburg 2017).

    Args:
      num_units: size of the memory.
      initializer: initializer of the weights.
      num_proj: size of the projected output; `num_units` without projection.
      number_of_groups: number of the groups; it divides both sizes.
      forget_bias: added to the forget gate's input.
      activation: function of the inner states.
      reuse: whether to use existing variables.

    Raises:
      ValueError: the number of groups does not divide the sizes.
    """

    def __init__(
        self, num_units: int, initializer: Any = None, num_proj: int | None = None, number_of_groups: int = 1,
        forget_bias: float = 1.0, activation: Callable = tf.tanh, reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        for what, size in (("num_units", num_units), ("num_proj", num_proj)):
            if size and size % number_of_groups:
                raise ValueError(f"{what} must be divisible by number_of_groups: {size}, {number_of_groups}")
        width = num_proj or num_units
        self._num_units, self._initializer, self._num_proj = num_units, initializer, num_proj
        self._groups, self._forget_bias, self._activation = number_of_groups, forget_bias, activation
        self._state_size, self._output_size = LSTMStateTuple(num_units, width), width
        self._linear: list[Linear | None] = [None] * number_of_groups
        self._projection: Linear | None = None

    def _gates(self, group: int, inputs: Any, m_prev: Any, depth: int, batch: Any) -> list[tf.Tensor]:
        def part(x: Any, size: int) -> tf.Tensor:
            name = f"GLSTM_group{group}_input_generation"
            return tf.slice(input_=x, begin=[0, group * size], size=[batch, size], name=name)

        with tf.variable_scope(f"group{group}"):
            both = tf.concat(
                [part(inputs, depth // self._groups), part(m_prev, self._output_size // self._groups)], axis=1
            )
            linear = self._linear[group]
            if linear is None:
                linear = self._linear[group] = Linear(both, 4 * (self._num_units // self._groups), False)
            return tf.split(linear(both), 4, 1)

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        c_prev, m_prev = state
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        depth, dtype = known_depth(inputs), inputs.dtype
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            gates = [self._gates(group, inputs, m_prev, depth, batch) for group in range(self._groups)]
            biases = [
                tf.get_variable(
                    name=f"bias_{gate}", shape=[self._num_units], dtype=dtype,
                    initializer=tf.constant_initializer(0.0, dtype=dtype),
                )
                for gate in "ijfo"
            ]
            i, j, f, o = (
                tf.nn.bias_add(tf.concat(parts, axis=1), bias) for parts, bias in zip(zip(*gates), biases)
            )
        c = tf.sigmoid(f + self._forget_bias) * c_prev + tf.sigmoid(i) * tf.tanh(j)
        m = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with tf.variable_scope("projection"):
                if self._projection is None:
                    self._projection = Linear(m, self._num_proj, False)
                m = self._projection(m)
        return m, LSTMStateTuple(c, m)
