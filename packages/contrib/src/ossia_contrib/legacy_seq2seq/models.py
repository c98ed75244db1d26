"""Sequence-to-sequence models of lists of tensors (Sutskever et al. 2014)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.legacy_seq2seq.decoders import (
    check_projection,
    embedding_attention_decoder,
    embedding_rnn_decoder,
    feeding_back,
    rnn_decoder,
)
from ossia_contrib.legacy_seq2seq.loss import sequence_loss, sequence_loss_by_example
from ossia_contrib.rnn.projection import EmbeddingWrapper, OutputProjectionWrapper
from ossia_core.plugins.api_table import public


def _either(feed_previous: Any, decode: Callable, steps: int, like: Callable) -> tuple[list[Any], Any]:
    """What `decode` gives for a Boolean, or for a tensor that says so when the graph runs."""

    def decoder(feeds: bool) -> list[Any]:
        with tf.variable_scope(tf.get_variable_scope(), reuse=None if feeds else True):
            outputs, state = decode(feeds, False)
        return outputs + (tf.nest.flatten(state) if tf.nest.is_nested(state) else [state])

    if isinstance(feed_previous, bool):
        return decode(feed_previous, True)
    both = tf.cond(feed_previous, lambda: decoder(True), lambda: decoder(False))
    states, structure = both[steps:], like()
    state = tf.nest.pack_sequence_as(structure, states) if tf.nest.is_nested(structure) else states[0]
    return both[:steps], state


@public("contrib.legacy_seq2seq.basic_rnn_seq2seq")
def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = tf.float32, scope: Any = None
) -> tuple[list[Any], Any]:
    """An encoder, and a decoder that begins with its state.

    Args:
      encoder_inputs, decoder_inputs: `[batch, depth]` for each step.
      cell: an RNNCell; both get one of their own.
      dtype: dtype of the state.
      scope: variable scope, "basic_rnn_seq2seq" by default.

    Returns:
      (outputs of the decoder, its final state).
    """
    with tf.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = tf.nn.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@public("contrib.legacy_seq2seq.tied_rnn_seq2seq")
def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Callable | None = None,
    dtype: Any = tf.float32, scope: Any = None,
) -> tuple[list[Any], Any]:
    """`basic_rnn_seq2seq` with one cell for both; `loop_function` as of `rnn_decoder`."""
    with tf.variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = tf.nn.static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        tf.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


@public("contrib.legacy_seq2seq.embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: int, num_decoder_symbols: int,
    embedding_size: int, output_projection: Any = None, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`basic_rnn_seq2seq` of ids, with an embedding for each side.

    Args:
      encoder_inputs, decoder_inputs: ids `[batch]` for each step.
      cell: an RNNCell; both get one of their own.
      num_encoder_symbols, num_decoder_symbols: numbers of ids.
      embedding_size: depth of their vectors.
      output_projection: weights and biases that map outputs to ids; without them, outputs are logits.
      feed_previous: whether outputs are fed back; a Boolean or a scalar tensor.
      dtype: dtype of the variables; the scope's by default.
      scope: variable scope, "embedding_rnn_seq2seq" by default.
    """
    with tf.variable_scope(scope or "embedding_rnn_seq2seq") as opened:
        if dtype is not None:
            opened.set_dtype(dtype)
        else:
            dtype = opened.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, first = tf.nn.static_rnn(encoder, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
        return _either(
            feed_previous,
            lambda feeds, updates: embedding_rnn_decoder(
                decoder_inputs, first, cell, num_decoder_symbols, embedding_size, output_projection=output_projection,
                feed_previous=feeds, update_embedding_for_previous=updates,
            ),
            len(decoder_inputs), lambda: first,
        )


@public("contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq")
def embedding_tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_symbols: int, embedding_size: int,
    num_decoder_symbols: int | None = None, output_projection: Any = None, feed_previous: Any = False,
    dtype: Any = None, scope: Any = None,
) -> tuple[list[Any], Any]:
    """`tied_rnn_seq2seq` of ids, with one embedding for both sides; arguments as of `embedding_rnn_seq2seq`.

    Raises:
      ValueError: the projection has another shape.
    """
    with tf.variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        check_projection(output_projection, dtype, num_symbols)
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        from_encoder = [tf.nn.embedding_lookup(embedding, x) for x in encoder_inputs]
        from_decoder = [tf.nn.embedding_lookup(embedding, x) for x in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decode(feeds: bool, updates: bool) -> tuple[list[Any], Any]:
            loop = feeding_back(embedding, output_projection, updates) if feeds else None
            return tied_rnn_seq2seq(from_encoder, from_decoder, cell, loop_function=loop, dtype=dtype)

        def structure() -> Any:
            batch_size = encoder_inputs[0].shape[0]
            for x in encoder_inputs[1:]:
                batch_size.merge_with(x.shape[0])
            return cell.zero_state(batch_size.value or tf.shape(encoder_inputs[0])[0], dtype)

        return _either(feed_previous, decode, len(decoder_inputs), structure)


@public("contrib.legacy_seq2seq.embedding_attention_seq2seq")
def embedding_attention_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: int, num_decoder_symbols: int,
    embedding_size: int, num_heads: int = 1, output_projection: Any = None, feed_previous: Any = False,
    dtype: Any = None, scope: Any = None, initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_seq2seq` whose decoder attends to the encoder's outputs (Bahdanau et al. 2014); arguments as there
    and of `attention_decoder`."""
    with tf.variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        outputs, first = tf.nn.static_rnn(encoder, encoder_inputs, dtype=dtype)
        memory = tf.concat([tf.reshape(e, [-1, 1, cell.output_size]) for e in outputs], 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols
        return _either(
            feed_previous,
            lambda feeds, updates: embedding_attention_decoder(
                decoder_inputs, first, memory, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=feeds,
                update_embedding_for_previous=updates, initial_state_attention=initial_state_attention,
            ),
            len(decoder_inputs), lambda: first,
        )


@public("contrib.legacy_seq2seq.one2many_rnn_seq2seq")
def one2many_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs_dict: dict[str, Any], enc_cell: Any, dec_cells_dict: dict[str, Any],
    num_encoder_symbols: int, num_decoder_symbols_dict: dict[str, int], embedding_size: int,
    feed_previous: Any = False, dtype: Any = None, scope: Any = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """One encoder, and several decoders that begin with its state (Luong et al. 2015); for each decoder, by name, its
    inputs, its cell and its number of ids. Other arguments as of `embedding_rnn_seq2seq`.

    Returns:
      (outputs of the decoders, their final states), by name.
    """
    all_outputs, all_states = {}, {}
    with tf.variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as opened:
        encoder = EmbeddingWrapper(enc_cell, num_encoder_symbols, embedding_size)
        _, first = tf.nn.static_rnn(encoder, encoder_inputs, dtype=opened.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with tf.variable_scope(f"one2many_decoder_{name}"):
                cell = OutputProjectionWrapper(dec_cells_dict[name], symbols)

                def decode(
                    feeds: bool, updates: bool, inputs: Any = decoder_inputs, cell: Any = cell, symbols: int = symbols
                ) -> tuple[list[Any], Any]:
                    return embedding_rnn_decoder(
                        inputs, first, cell, symbols, embedding_size, feed_previous=feeds
                    )

                all_outputs[name], all_states[name] = _either(
                    feed_previous, decode, len(decoder_inputs), lambda: first
                )
    return all_outputs, all_states


@public("contrib.legacy_seq2seq.model_with_buckets")
def model_with_buckets(
    encoder_inputs: list[Any], decoder_inputs: list[Any], targets: list[Any], weights: list[Any],
    buckets: list[tuple[int, int]], seq2seq: Callable, softmax_loss_function: Callable | None = None,
    per_example_loss: bool = False, name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """A model for each bucket of lengths, all with the same variables.

    Args:
      encoder_inputs, decoder_inputs: inputs of each step, for the longest bucket.
      targets, weights: `[batch]` for each step.
      buckets: lengths of encoder and decoder.
      seq2seq: function from inputs of encoder and decoder to (outputs, state).
      softmax_loss_function: as of `sequence_loss`.
      per_example_loss: whether there is a loss for each sequence.
      name: name scope.

    Returns:
      (outputs, losses) for each bucket.

    Raises:
      ValueError: a list is shorter than the last bucket.
    """
    for what, given, needed in (
        ("encoder_inputs", encoder_inputs, buckets[-1][0]), ("targets", targets, buckets[-1][1]),
        ("weights", weights, buckets[-1][1]),
    ):
        if len(given) < needed:
            raise ValueError(
                f"Length of {what} ({len(given)}) must be at least that of last bucket ({needed})."
            )
    losses, outputs = [], []
    with tf.name_scope(name, "model_with_buckets", encoder_inputs + decoder_inputs + targets + weights):
        for j, (encoder_size, decoder_size) in enumerate(buckets):
            with tf.variable_scope(tf.get_variable_scope(), reuse=True if j > 0 else None):
                output, _ = seq2seq(encoder_inputs[:encoder_size], decoder_inputs[:decoder_size])
                outputs.append(output)
                loss = sequence_loss_by_example if per_example_loss else sequence_loss
                losses.append(
                    loss(
                        output, targets[:decoder_size], weights[:decoder_size],
                        softmax_loss_function=softmax_loss_function,
                    )
                )
    return outputs, losses
