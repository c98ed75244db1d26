"""Cells around cells: attention over past outputs, highways, compilation."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import Linear
from ossia_contrib.rnn.projection import WrappingCell
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import assert_like_cell


@public("contrib.rnn.AttentionCellWrapper")
class AttentionCellWrapper(WrappingCell):
    """A cell that attends to its own last outputs (Bahdanau et al. 2014, over a sliding window).

    Args:
      cell: the inner cell.
      attn_length: number of outputs that are kept.
      attn_size: size of an output; the inner cell's by default.
      attn_vec_size: size in which outputs and state are compared; `attn_size` by default.
      input_size: size of the inner cell's inputs; that of the inputs by default.
      state_is_tuple: whether the state is a tuple, or one tensor.
      reuse: whether to use existing variables.

    Raises:
      TypeError: `cell` is no cell.
      ValueError: its state is a tuple and this one's is not, or the length is not positive.
    """

    def __init__(
        self, cell: Any, attn_length: int, attn_size: int | None = None, attn_vec_size: int | None = None,
        input_size: int | None = None, state_is_tuple: bool = True, reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        assert_like_cell("cell", cell)
        if tf.nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: "
                f"{cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            tf.logging.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._state_is_tuple, self._length, self._input_size = state_is_tuple, attn_length, input_size
        self._size = cell.output_size if attn_size is None else attn_size
        self._vector_size = self._size if attn_vec_size is None else attn_vec_size
        self._linear: dict[str, Linear] = {}

    @property
    def state_size(self) -> Any:
        """Sizes of the inner state, of the attended value and of the window."""
        sizes = (self._cell.state_size, self._size, self._size * self._length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`."""
        return super(WrappingCell, self).zero_state(batch_size, dtype)

    def _mapped(self, what: str, args: Any, size: int) -> tf.Tensor:
        if what not in self._linear:
            self._linear[what] = Linear(args, size, True)
        return self._linear[what](args)

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        if self._state_is_tuple:
            state, attended, window = state
        else:
            states, inner = state, self._cell.state_size
            state = tf.slice(states, [0, 0], [-1, inner])
            attended = tf.slice(states, [0, inner], [-1, self._size])
            window = tf.slice(states, [0, inner + self._size], [-1, self._size * self._length])
        window = tf.reshape(window, [-1, self._length, self._size])
        input_size = self._input_size
        if input_size is None:
            input_size = inputs.shape.as_list()[1]
        inputs = self._mapped("inputs", [inputs, attended], input_size)
        output, new_state = self._cell(inputs, state)
        query = tf.concat(tf.nest.flatten(new_state), 1) if self._state_is_tuple else new_state
        new_attended, window = self._attention(query, window)
        with tf.variable_scope("attn_output_projection"):
            output = self._mapped("output", [output, new_attended], self._size)
        window = tf.concat([window, tf.expand_dims(output, 1)], 1)
        window = tf.reshape(window, [-1, self._length * self._size])
        new_state = (new_state, new_attended, window)
        return output, new_state if self._state_is_tuple else tf.concat(list(new_state), 1)

    def _attention(self, query: Any, window: Any) -> tuple[tf.Tensor, tf.Tensor]:
        """What is attended to in the window, and the window without its oldest output."""
        length, size, vector = self._length, self._size, self._vector_size
        with tf.variable_scope("attention"):
            kernel = tf.get_variable("attn_w", [1, 1, size, vector])
            v = tf.get_variable("attn_v", [vector])
            hidden = tf.reshape(window, [-1, length, 1, size])
            features = tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME")
            y = tf.reshape(self._mapped("query", query, vector), [-1, 1, 1, vector])
            scores = tf.reduce_sum(v * tf.tanh(features + y), [2, 3])
            weights = tf.nn.softmax(scores)
            seen = tf.reduce_sum(tf.reshape(weights, [-1, length, 1, 1]) * hidden, [1, 2])
            return tf.reshape(seen, [-1, size]), tf.slice(window, [0, 1, 0], [-1, -1, -1])


@public("contrib.rnn.HighwayWrapper")
class HighwayWrapper(WrappingCell):
    """A cell with a highway around it: learned gates mix its inputs and its outputs (Srivastava et al. 2015).

    Args:
      cell: the inner cell.
      couple_carry_transform_gates: whether outputs get what inputs leave, or a gate of their own.
      carry_bias_init: first value of the bias of the inputs' gate.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__(cell)
        self._coupled, self._carry_bias_init = couple_carry_transform_gates, carry_bias_init

    def _gate(self, name: str, inputs: Any, bias: float) -> tf.Tensor:
        size = inputs.shape.with_rank(2)[1].value
        weights = tf.get_variable(f"{name}_w", [size, size])
        biases = tf.get_variable(f"{name}_b", [size], initializer=tf.constant_initializer(bias))
        return tf.sigmoid(tf.nn.xw_plus_b(inputs, weights, biases))

    def _mixed(self, inputs: Any, outputs: Any) -> tf.Tensor:
        carry = self._gate("carry", inputs, self._carry_bias_init)
        transform = 1 - carry if self._coupled else self._gate("transform", inputs, -self._carry_bias_init)
        return inputs * carry + outputs * transform

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step.

        Raises:
          TypeError, ValueError: outputs differ from inputs in structure or shape.
        """
        outputs, new_state = self._cell(inputs, state, scope=scope)
        tf.nest.assert_same_structure(inputs, outputs)
        for given, got in zip(tf.nest.flatten(inputs), tf.nest.flatten(outputs)):
            given.shape.assert_is_compatible_with(got.shape)
        return tf.nest.map_structure(self._mixed, inputs, outputs), new_state


@public("contrib.rnn.CompiledWrapper")
class CompiledWrapper(WrappingCell):
    """A cell whose ops XLA may compile together: the cell itself, as backends compile without being told.

    Args:
      cell: the inner cell.
      compile_stateful: has no effect.
    """

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        super().__init__(cell)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step."""
        return self._cell(inputs, state, scope=scope)
