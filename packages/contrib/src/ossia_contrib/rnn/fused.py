"""Recurrent layers that take whole sequences, time first."""

from __future__ import annotations

import abc
from typing import Any

import ossia as tf
from ossia_contrib.rnn.sizes import LSTMStateTuple
from ossia_core.plugins.api_table import public


@public("contrib.rnn.FusedRNNCell")
class FusedRNNCell(abc.ABC):
    """What takes a whole sequence and returns its outputs and final state."""

    @abc.abstractmethod
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        """Runs over a sequence.

        Args:
          inputs: `[time, batch, depth]`, or a list of `[batch, depth]`.
          initial_state: the first state; zeros of `dtype` by default.
          dtype: dtype of the state.
          sequence_length: lengths `[batch]`.
          scope: variable scope.

        Returns:
          (outputs in the form of `inputs`, final state).
        """


@public("contrib.rnn.FusedRNNCellAdaptor")
class FusedRNNCellAdaptor(FusedRNNCell):
    """A cell that takes sequences.

    Args:
      cell: an RNNCell.
      use_dynamic_rnn: whether it runs in a loop, or as a copy of its ops for each step.
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        """Runs the cell over a sequence; see FusedRNNCell."""
        is_list = isinstance(inputs, list)
        given: Any = dict(sequence_length=sequence_length, initial_state=initial_state, dtype=dtype, scope=scope)
        if self._use_dynamic_rnn:
            outputs, state = tf.nn.dynamic_rnn(
                self._cell, tf.stack(inputs) if is_list else inputs, time_major=True, **given
            )
            return tf.unstack(outputs, axis=0) if is_list else outputs, state
        outputs, state = tf.nn.static_rnn(self._cell, inputs if is_list else tf.unstack(inputs, axis=0), **given)
        return outputs if is_list else tf.stack(outputs, axis=0), state


@public("contrib.rnn.TimeReversedFusedRNN")
class TimeReversedFusedRNN(FusedRNNCell):
    """A fused cell that goes through the sequence from its end.

    Args:
      cell: a FusedRNNCell.
    """

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        """Runs over a sequence; see FusedRNNCell."""
        def reversed_in_time(x: Any) -> tf.Tensor:
            if sequence_length is not None:
                return tf.reverse_sequence(x, sequence_length, 0, 1)
            return tf.reverse(x, [0])

        outputs, state = self._cell(
            reversed_in_time(inputs), initial_state=initial_state, dtype=dtype, sequence_length=sequence_length,
            scope=scope,
        )
        return reversed_in_time(outputs), state


@public("contrib.rnn.LSTMBlockWrapper")
class LSTMBlockWrapper(tf.layers.Layer):
    """A layer that runs an LSTM over whole sequences; `_call_cell` says how."""

    @property
    def num_units(self) -> int:
        """Size of memory and output."""
        raise NotImplementedError("Abstract method")

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        """The memories and outputs `[time, batch, num_units]` of all steps."""
        raise NotImplementedError("Abstract method")

    def call(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None
    ) -> tuple[Any, Any]:
        """Runs over a sequence; arguments as of FusedRNNCell.

        Returns:
          (outputs in the form of `inputs`, final state as an LSTMStateTuple).

        Raises:
          ValueError: the depth of the inputs is not known, or neither state nor dtype is given.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = tf.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if shape[2].value is None:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        batch_size = shape[1].value
        if batch_size is None:
            batch_size = tf.shape(inputs)[1]
        time_len = shape[0].value
        if time_len is None:
            time_len = tf.shape(inputs)[0]
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = tf.zeros(tf.stack([batch_size, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        else:
            if len(initial_state) != 2:
                raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
            if dtype is None:
                dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        first_memory, first_output = initial_state
        memories, outputs = self._call_cell(inputs, first_memory, first_output, dtype, sequence_length)
        if sequence_length is None:
            last_memory, last_output = memories[-1], outputs[-1]
        else:
            mask = tf.transpose(tf.sequence_mask(sequence_length, time_len, dtype=dtype), [1, 0])
            outputs *= tf.tile(tf.expand_dims(mask, [-1]), [1, 1, self.num_units])
            # The first state stands before the others, for sequences of length 0.
            memories = tf.concat([tf.expand_dims(first_memory, [0]), memories], 0)
            all_outputs = tf.concat([tf.expand_dims(first_output, [0]), outputs], 0)
            last_memory = _at(memories, sequence_length, batch_size)
            last_output = _at(all_outputs, sequence_length, batch_size)
        if is_list:
            outputs = tf.unstack(outputs)
        return outputs, LSTMStateTuple(last_memory, last_output)


def _at(data: Any, indices: Any, batch_size: Any) -> tf.Tensor:
    return tf.gather_nd(data, tf.stack([indices, tf.range(batch_size)], axis=1))


@public("contrib.rnn.LSTMBlockFusedCell")
class LSTMBlockFusedCell(LSTMBlockWrapper):
    """The LSTM over whole sequences as one op.

    Args:
      num_units: size of memory and output.
      forget_bias: added to the forget gate's input.
      cell_clip: limit of the memory's absolute value.
      use_peephole: whether the gates see the memory.
      reuse: whether to use existing variables.
      dtype: dtype of the variables; the inputs' by default.
      name: name of the layer.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: float | None = None, use_peephole: bool = False,
        reuse: bool | None = None, dtype: Any = None, name: str = "lstm_fused_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = tf.layers.InputSpec(ndim=3)

    @property
    def num_units(self) -> int:
        """Size of memory and output."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Make the variables."""
        n, depth = self._num_units, tf.TensorShape(input_shape)[2].value
        self._kernel = self.add_variable("kernel", [depth + n, n * 4])
        self._bias = self.add_variable("bias", [n * 4], initializer=tf.constant_initializer(0.0))
        if self._use_peephole:
            self._diagonals = [self.add_variable(f"w_{gate}_diag", [n]) for gate in "ifo"]
        self.built = True

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        shape = inputs.shape.with_rank(3)
        time_len = shape[0].value
        if time_len is None:
            time_len = tf.shape(inputs)[0]
        if self._use_peephole:
            wci, wco, wcf = self._diagonals[0], self._diagonals[2], self._diagonals[1]
        else:
            wci = wcf = wco = tf.zeros([self._num_units], dtype=dtype)
        if sequence_length is None:
            steps = tf.cast(time_len, tf.int64)
        else:
            steps = tf.cast(tf.reduce_max(sequence_length), tf.int64)
        run = tf.raw_ops.BlockLSTM(
            seq_len_max=steps, x=inputs, cs_prev=initial_cell_state, h_prev=initial_output, w=self._kernel, wci=wci,
            wcf=wcf, wco=wco, b=self._bias, forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return run.cs, run.h
