"""Decoders, and the loop that runs them."""

from __future__ import annotations

import abc
import collections
from typing import Any

import ossia as tf
from ossia_contrib.seq2seq.helper import Helper
from ossia_core.graph.static_value import get_static_value
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import assert_like_cell, joined_shape
from ossia_nn.rnn.dynamic import should_cache, swapped


@public("contrib.seq2seq.Decoder")
class Decoder(abc.ABC):
    """What `dynamic_decode` runs; a base class."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The batch size, a scalar."""

    @property
    @abc.abstractmethod
    def output_size(self) -> Any:
        """A (structure of) shapes of the outputs, without the batch."""

    @property
    @abc.abstractmethod
    def output_dtype(self) -> Any:
        """Dtypes of the outputs, in their structure."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs, first state)."""

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(outputs, next state, next inputs, which sequences are finished)."""

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(outputs, state) after the last step; none by default."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether sequences that were finished may go on, as those of a beam search may."""
        return False


@public("contrib.seq2seq.BasicDecoderOutput")
class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """Outputs of a step: those of the cell, and what was chosen."""


@public("contrib.seq2seq.BasicDecoder")
class BasicDecoder(Decoder):
    """A decoder of a cell and a helper.

    Args:
      cell: an RNNCell.
      helper: a Helper.
      initial_state: first state of the cell.
      output_layer: a layer that the outputs go through before something is chosen.

    Raises:
      TypeError: arguments of another type.
    """

    def __init__(self, cell: Any, helper: Helper, initial_state: Any, output_layer: Any = None) -> None:
        assert_like_cell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        if output_layer is not None and not isinstance(output_layer, tf.layers.Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell, self._helper, self._initial_state, self._output_layer = cell, helper, initial_state, output_layer

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar."""
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        size = self._cell.output_size
        if self._output_layer is None:
            return size
        with_batch = tf.nest.map_structure(lambda s: tf.TensorShape([None]).concatenate(s), size)
        return tf.nest.map_structure(lambda s: s[1:], self._output_layer.compute_output_shape(with_batch))

    @property
    def output_size(self) -> Any:
        """Shapes of the outputs, without the batch."""
        return BasicDecoderOutput(self._rnn_output_size(), self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        """Dtypes of the outputs: of the cell's that of its state."""
        dtype = tf.nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            tf.nest.map_structure(lambda _: dtype, self._rnn_output_size()), self._helper.sample_ids_dtype
        )

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs, first state)."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(outputs, next state, next inputs, which sequences are finished)."""
        with tf.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=cell_state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished


def zero_state(size: Any, batch_size: Any, dtype: Any) -> tf.Tensor:
    """Zeros of a size, with the batch before it."""
    state = tf.zeros(joined_shape(batch_size, size), dtype=dtype)
    state.set_shape(joined_shape(batch_size, size, static=True))
    return state


@public("contrib.seq2seq.dynamic_decode")
def dynamic_decode(
    decoder: Decoder, output_time_major: bool = False, impute_finished: bool = False, maximum_iterations: Any = None,
    parallel_iterations: int = 32, swap_memory: bool = False, scope: Any = None, **kwargs: Any,
) -> Any:
    """Runs a decoder until all sequences are finished.

    Args:
      decoder: a Decoder.
      output_time_major: whether the time stands first in the outputs.
      impute_finished: whether finished sequences keep their state and give zeros.
      maximum_iterations: the largest number of steps, a scalar.
      parallel_iterations, swap_memory: as of `tf.while_loop`.
      scope: variable scope, "decoder" by default.
      **kwargs: have no effect.

    Returns:
      (outputs, final state, lengths of the sequences).

    Raises:
      TypeError: `decoder` is no decoder.
      ValueError: `maximum_iterations` is no scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with tf.variable_scope(scope, "decoder") as opened:
        if opened.caching_device is None and should_cache():
            opened.set_caching_device(lambda op: op.device)
        if maximum_iterations is not None:
            maximum_iterations = tf.convert_to_tensor(maximum_iterations, dtype=tf.int32, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        zero_outputs = tf.nest.map_structure(
            lambda size, dtype: zero_state(size, decoder.batch_size, dtype), decoder.output_size, decoder.output_dtype
        )
        if maximum_iterations is not None:
            finished = tf.logical_or(finished, 0 >= maximum_iterations)
        lengths = tf.zeros_like(finished, dtype=tf.int32)
        time = tf.constant(0, dtype=tf.int32)

        def array(size: Any, dtype: Any) -> Any:
            shape = None
            if isinstance(size, tf.TensorShape) and size.ndims != 0:
                batch = get_static_value(tf.convert_to_tensor(decoder.batch_size, name="batch_size"))
                shape = tf.TensorShape([batch]).concatenate(size)
            return tf.TensorArray(dtype=dtype, size=0, dynamic_size=True, element_shape=shape)

        arrays = tf.nest.map_structure(array, decoder.output_size, decoder.output_dtype)

        def goes_on(time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> tf.Tensor:
            return tf.logical_not(tf.reduce_all(finished))

        def body(time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
            outputs, next_state, next_inputs, now_finished = decoder.step(time, inputs, state)
            if not decoder.tracks_own_finished:
                now_finished = tf.logical_or(now_finished, finished)
            next_lengths = tf.where(tf.logical_not(finished), tf.fill(tf.shape(lengths), time + 1), lengths)
            tf.nest.assert_same_structure(state, next_state)
            tf.nest.assert_same_structure(arrays, outputs)
            tf.nest.assert_same_structure(inputs, next_inputs)
            if impute_finished:
                outputs = tf.nest.map_structure(
                    lambda out, zero: tf.where(finished, zero, out), outputs, zero_outputs
                )
                next_state = tf.nest.map_structure(lambda new, old: _kept(finished, new, old), next_state, state)
            arrays = tf.nest.map_structure(lambda array, out: array.write(time, out), arrays, outputs)
            return time + 1, arrays, next_state, next_inputs, now_finished, next_lengths

        _, arrays, state, _, _, lengths = tf.while_loop(
            goes_on, body, loop_vars=(time, arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations, swap_memory=swap_memory,
        )
        outputs = tf.nest.map_structure(lambda array: array.stack(), arrays)
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = tf.nest.map_structure(swapped, outputs)
    return outputs, state, lengths


def _kept(finished: Any, new: Any, old: Any) -> Any:
    """The old state where sequences are finished; scalars and TensorArrays are of no sequence."""
    if isinstance(old, tf.TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else tf.where(finished, old, new)
