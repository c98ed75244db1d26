"""The decoder that keeps the best beams."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.seq2seq.beam_scores import attention_probabilities, masked_finished, scored
from ossia_contrib.seq2seq.decoder import Decoder
from ossia_contrib.seq2seq.gather_tree import gather_tree
from ossia_contrib.seq2seq.helper import looked_up_in
from ossia_core.graph.static_value import get_static_value
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import assert_like_cell

_STATE = ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs")


@public("contrib.seq2seq.BeamSearchDecoderState")
class BeamSearchDecoderState(collections.namedtuple("BeamSearchDecoderState", _STATE)):
    """The state of a beam search: of the cell, and of each beam its log-probability, its end, its length and the sum of
    its alignments."""


@public("contrib.seq2seq.BeamSearchDecoderOutput")
class BeamSearchDecoderOutput(
    collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
):
    """Outputs of a step: of each beam its score, its last id and from which beam it comes."""


@public("contrib.seq2seq.FinalBeamSearchDecoderOutput")
class FinalBeamSearchDecoderOutput(
    collections.namedtuple("FinalBeamDecoderOutput", ("predicted_ids", "beam_search_decoder_output"))
):
    """The ids of whole beams, the best first, and the outputs of the steps."""


@public("contrib.seq2seq.tile_batch")
def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Repeats each example, as a beam search needs it.

    Args:
      t: a (structure of) tensors `[batch, ...]`.
      multiplier: how often; the beam width.
      name: name scope.

    Raises:
      ValueError: a tensor of unknown rank, or a scalar.
    """
    with tf.name_scope(name, "tile_batch", [*tf.nest.flatten(t), multiplier]):
        return tf.nest.map_structure(lambda each: _tiled(each, multiplier), t)


def _tiled(t: Any, multiplier: int) -> tf.Tensor:
    t = tf.convert_to_tensor(t, name="t")
    shape = tf.shape(t)
    if not t.shape.ndims:
        raise ValueError("t must have statically known rank")
    batch = t.shape[0].value
    tiled = tf.tile(tf.expand_dims(t, 1), [1, multiplier, *[1] * (t.shape.ndims - 1)])
    tiled = tf.reshape(tiled, tf.concat(([shape[0] * multiplier], shape[1:]), 0))
    tiled.set_shape(tf.TensorShape([batch and batch * multiplier]).concatenate(t.shape[1:]))
    return tiled


@public("contrib.seq2seq.gather_tree_from_array")
def gather_tree_from_array(t: Any, parent_ids: Any, sequence_length: Any) -> tf.Tensor:
    """Sorts what was kept of each step by the beams that were chosen in the end.

    Args:
      t: `[time, batch, beam, ...]`.
      parent_ids: `[time, batch, beam]`, from which beam of the step before each comes.
      sequence_length: lengths `[batch, beam]`.
    """
    max_time, batch_size, width = (parent_ids.shape[i].value or tf.shape(parent_ids)[i] for i in range(3))
    beam_ids = tf.expand_dims(tf.expand_dims(tf.range(width), 0), 0)
    beam_ids = tf.tile(beam_ids, [max_time, batch_size, 1])
    longest = tf.cast(tf.reduce_max(sequence_length, axis=1), tf.int32)
    ordered = gather_tree(
        step_ids=beam_ids, parent_ids=parent_ids, max_sequence_lengths=longest, end_token=width + 1
    )
    inside = tf.transpose(tf.sequence_mask(sequence_length, maxlen=max_time), perm=[2, 0, 1])
    ordered = tf.where(inside, x=ordered, y=beam_ids)
    times = tf.tile(tf.reshape(tf.range(max_time), [-1, 1, 1]), [1, batch_size, width])
    rows = tf.tile(tf.reshape(tf.range(batch_size), [-1, 1, 1]), [1, max_time, width])
    rows = tf.transpose(rows, perm=[1, 0, 2])
    return tf.gather_nd(t, tf.stack([times, rows, ordered], -1))


def _known_rank(t: Any) -> int:
    if t.shape.ndims is None:
        raise ValueError(
            f"Expected tensor ({t}) to have known rank, but ndims == None."
        )
    return t.shape.ndims


@public("contrib.seq2seq.BeamSearchDecoder")
class BeamSearchDecoder(Decoder):
    """Beam search (Wu et al. 2016): memory and state have to be tiled with `tile_batch`.

    Args:
      cell: an RNNCell.
      embedding: a function from ids to vectors, or the parameters of `tf.nn.embedding_lookup`.
      start_tokens: first ids `[batch]`.
      end_token: the id that ends a sequence, a scalar.
      initial_state: first state of the cell `[batch * beam_width, ...]`.
      beam_width: number of beams.
      output_layer: a layer from the cell's outputs to logits.
      length_penalty_weight: how much long sequences are favoured.
      coverage_penalty_weight: how much parts of the memory have to be attended to.
      reorder_tensor_arrays: whether TensorArrays in the state are sorted by the final beams.

    Raises:
      TypeError, ValueError: arguments of another type or rank.
    """

    def __init__(
        self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any, beam_width: int,
        output_layer: Any = None, length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        assert_like_cell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, tf.layers.Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell, self._output_layer, self._reorder = cell, output_layer, reorder_tensor_arrays
        self._embedding_fn = looked_up_in(embedding)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        if self._start_tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = tf.size(start_tokens)
        self._beam_width = beam_width
        self._weights = (length_penalty_weight, coverage_penalty_weight)
        self._initial_cell_state = tf.nest.map_structure(self._split, initial_state, cell.state_size)
        self._start_tokens = tf.tile(tf.expand_dims(self._start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        self._finished = tf.one_hot(
            tf.zeros([self._batch_size], dtype=tf.int32), depth=beam_width, on_value=False, off_value=True,
            dtype=tf.bool,
        )

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar."""
        return self._batch_size

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams are sorted anew at each step."""
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """Shapes of the outputs, without the batch."""
        shape = tf.TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(shape, shape, shape)

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """Dtypes of the outputs."""
        return BeamSearchDecoderOutput(tf.nest.flatten(self._initial_cell_state)[0].dtype, tf.int32, tf.int32)

    def initialize(self, name: str | None = None) -> Any:
        """(which beams are finished, first inputs, first state)."""
        dtype = tf.nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = tf.one_hot(
            tf.zeros([self._batch_size], dtype=tf.int32), depth=self._beam_width,
            on_value=tf.convert_to_tensor(0.0, dtype=dtype), off_value=tf.convert_to_tensor(-np.inf, dtype=dtype),
            dtype=dtype,
        )
        attended = attention_probabilities(self._initial_cell_state, self._weights[1])
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state, log_probs=log_probs, finished=self._finished,
            lengths=tf.zeros([self._batch_size, self._beam_width], dtype=tf.int64),
            accumulated_attention_probs=() if attended is None else attended,
        )
        return self._finished, self._start_inputs, state

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(whole beams, the state with sorted TensorArrays)."""
        longest = tf.cast(tf.reduce_max(final_state.lengths, axis=1), tf.int32)
        predicted_ids = gather_tree(
            outputs.predicted_ids, outputs.parent_ids, max_sequence_lengths=longest, end_token=self._end_token
        )
        if self._reorder:
            cell_state = tf.nest.map_structure(
                lambda t: self._sorted(t, outputs.parent_ids, final_state.lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(predicted_ids, outputs), final_state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(outputs, next state, next inputs, which beams are finished)."""
        with tf.name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            merged = tf.nest.map_structure(lambda x: self._merge_beams(x, x.shape[2:]), inputs)
            cell_state = tf.nest.map_structure(self._merge, state.cell_state, self._cell.state_size)
            logits, next_cell_state = self._cell(merged, cell_state)
            logits = tf.nest.map_structure(lambda x: self._split_beams(x, x.shape[1:]), logits)
            next_cell_state = tf.nest.map_structure(self._split, next_cell_state, self._cell.state_size)
            if self._output_layer is not None:
                logits = self._output_layer(logits)
            output, next_state = self._search(time, logits, next_cell_state, state)
            next_inputs = tf.cond(
                tf.reduce_all(next_state.finished), lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, next_state, next_inputs, next_state.finished

    def _search(self, time: Any, logits: Any, next_cell_state: Any, state: Any) -> Any:
        """The best continuations of the beams."""
        batch_size, width = self._batch_size, self._beam_width
        batch = get_static_value(batch_size)
        not_finished = tf.logical_not(state.finished)
        log_probs = masked_finished(tf.nn.log_softmax(logits), self._end_token, state.finished)
        total = tf.expand_dims(state.log_probs, 2) + log_probs
        classes = logits.shape[-1].value or tf.shape(logits)[-1]
        longer = tf.one_hot(
            indices=tf.fill([batch_size, width], self._end_token), depth=classes,
            on_value=tf.cast(0, tf.int64, name="ToInt64"), off_value=tf.cast(1, tf.int64, name="ToInt64"),
            dtype=tf.int64,
        )
        longer *= tf.expand_dims(tf.cast(not_finished, tf.int64), 2)
        lengths = longer + tf.expand_dims(state.lengths, 2)
        attended = attention_probabilities(next_cell_state, self._weights[1])
        if attended is not None:
            attended *= tf.expand_dims(tf.cast(not_finished, tf.float32), 2)
            attended = state.accumulated_attention_probs + attended
        scores = scored(total, lengths, *self._weights, attended, state.finished)
        tf.convert_to_tensor(time, name="time")
        flat = tf.reshape(scores, [batch_size, -1])
        best = tf.convert_to_tensor(width, dtype=tf.int32, name="beam_width")
        next_scores, words = tf.nn.top_k(flat, k=best)
        next_scores.set_shape([batch, width])
        words.set_shape([batch, width])
        next_log_probs = self._gathered(words, total, width * classes, [-1], "next_beam_probs")
        ids = tf.cast(tf.mod(words, classes, name="next_beam_word_ids"), tf.int32)
        parents = tf.cast(words / classes, tf.int32, name="next_beam_parent_ids")
        was_finished = self._gathered(parents, state.finished, width, [-1])
        finished = tf.logical_or(was_finished, tf.equal(ids, self._end_token), name="next_beam_finished")
        added = tf.cast(tf.logical_not(was_finished), tf.int64)
        next_lengths = self._gathered(parents, state.lengths, width, [-1])
        next_lengths += added
        next_attended: Any = ()
        if attended is not None:
            next_attended = self._gathered(
                parents, attended, width, [batch_size * width, -1], "next_accumulated_attention_probs"
            )
        next_cell_state = tf.nest.map_structure(lambda x: self._chosen(parents, x), next_cell_state)
        next_state = BeamSearchDecoderState(
            cell_state=next_cell_state, log_probs=next_log_probs, lengths=next_lengths, finished=finished,
            accumulated_attention_probs=next_attended,
        )
        return BeamSearchDecoderOutput(scores=next_scores, predicted_ids=ids, parent_ids=parents), next_state

    def _chosen(self, parents: Any, x: Any) -> Any:
        """What belongs to the chosen beams; TensorArrays and what is of no beam stay."""
        beams = self._batch_size * self._beam_width  # made for what stays, too, as in the original
        if isinstance(x, tf.TensorArray) or _known_rank(x) < 2:
            return x
        return self._gathered(parents, x, self._beam_width, [beams, -1])

    def _gathered(self, indices: Any, x: Any, range_size: Any, gather_shape: list[Any], name: str | None = None) -> Any:
        with tf.name_scope(name, "tensor_gather_helper"):
            offsets = tf.expand_dims(tf.range(self._batch_size) * range_size, 1)
            indices = tf.reshape(indices + offsets, [-1])
            output = tf.gather(tf.reshape(x, gather_shape), indices)
            dims = 1 + len(gather_shape)
            shape = tf.shape(x)[:dims]
            known = tf.TensorShape([get_static_value(self._batch_size)]).concatenate(x.shape[1:dims])
            output = tf.reshape(output, shape, name="output")
            output.set_shape(known)
            return output

    def _split_beams(self, t: Any, s: Any) -> tf.Tensor:
        """`[batch * beam, ...]` as `[batch, beam, ...]`."""
        shape = tf.shape(t)
        split = tf.reshape(t, tf.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        known = tf.TensorShape([get_static_value(self._batch_size), self._beam_width]).concatenate(_static(s))
        if not split.shape.is_compatible_with(known):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size.  The reshaped tensor has shape: "
                f"{split.shape}.  We expected it to have shape (batch_size, beam_width, depth) == {known}.  Perhaps "
                "you forgot to create a zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(known)
        return split

    def _merge_beams(self, t: Any, s: Any) -> tf.Tensor:
        """`[batch, beam, ...]` as `[batch * beam, ...]`."""
        shape = tf.shape(t)
        batch = get_static_value(self._batch_size)
        merged = tf.reshape(t, tf.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        merged.set_shape(tf.TensorShape([None if batch is None else batch * self._beam_width]).concatenate(_static(s)))
        return merged

    def _split(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, tf.TensorArray) or not _known_rank(t) else self._split_beams(t, s)

    def _merge(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, tf.TensorArray) or not _known_rank(t) else self._merge_beams(t, s)

    def _sorted(self, t: Any, parent_ids: Any, sequence_length: Any) -> Any:
        """A TensorArray of steps as a tensor sorted by the final beams, if its elements are of beams."""
        if not isinstance(t, tf.TensorArray):
            return t
        element = t.element_shape
        batch = get_static_value(self._batch_size)
        if element is None or not element.ndims:
            tf.logging.warn("The TensorArray %s in the cell state is not amenable to sorting based on the beam search "
                            "result: its shape is not known, or it holds scalars.", t.handle.name)
            return t
        rows, columns = element[0].value, element[1].value if element.ndims > 1 else None
        if batch is not None and rows is not None and (
            rows != batch * self._beam_width
            or (columns is not None and (rows != batch or columns != self._beam_width))
        ):
            tf.logging.warn("TensorArray reordering expects elements to be reshapable to [%s, %s, -1], which %s is "
                            "not.", batch, self._beam_width, element)
            return t
        stacked = t.stack()
        with tf.control_dependencies([_beam_check(stacked, self._batch_size, self._beam_width)]):
            shape = [tf.shape(parent_ids)[0], self._batch_size, self._beam_width, -1]
            return gather_tree_from_array(tf.reshape(stacked, shape), parent_ids, sequence_length)


def _beam_check(t: Any, batch_size: Any, beam_width: int) -> Any:
    message = "TensorArray reordering expects elements to be reshapable to [batch_size, beam_width, -1]"
    if t.shape.ndims == 2:
        return tf.assert_equal(tf.shape(t)[1], batch_size * beam_width, message=message)
    return tf.assert_equal(
        tf.logical_or(
            tf.equal(tf.shape(t)[1], batch_size * beam_width),
            tf.logical_and(tf.equal(tf.shape(t)[1], batch_size), tf.equal(tf.shape(t)[2], beam_width)),
        ),
        True, message=message,
    )


def _static(size: Any) -> tf.TensorShape:
    if isinstance(size, tf.Tensor):
        known = get_static_value(size)
        return tf.TensorShape([None]) if known is None else tf.TensorShape(np.asarray(known).reshape(-1).tolist())
    return size if isinstance(size, tf.TensorShape) else tf.TensorShape([size] if isinstance(size, int) else size)
