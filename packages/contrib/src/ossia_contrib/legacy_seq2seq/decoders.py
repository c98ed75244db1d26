"""Decoders of lists of inputs, one for each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import Linear
from ossia_core.plugins.api_table import public


def feeding_back(embedding: Any, output_projection: Any = None, update_embedding: bool = True) -> Callable:
    """A loop function that embeds the class of the largest output."""

    def loop_function(before: Any, _: int) -> tf.Tensor:
        if output_projection is not None:
            before = tf.nn.xw_plus_b(before, output_projection[0], output_projection[1])
        embedded = tf.nn.embedding_lookup(embedding, tf.argmax(before, 1))
        return embedded if update_embedding else tf.stop_gradient(embedded)

    return loop_function


def check_projection(output_projection: Any, dtype: Any, num_symbols: int, weights: bool = True) -> None:
    """Raises ValueError if a projection does not give `num_symbols` numbers."""
    if output_projection is None:
        return
    if weights:
        matrix = tf.convert_to_tensor(output_projection[0], dtype=dtype)
        matrix.shape.assert_is_compatible_with([None, num_symbols])
    tf.convert_to_tensor(output_projection[1], dtype=dtype).shape.assert_is_compatible_with([num_symbols])


@public("contrib.legacy_seq2seq.rnn_decoder")
def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Callable | None = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """Runs a cell over a list of inputs.

    Args:
      decoder_inputs: `[batch, depth]` for each step.
      initial_state: the first state.
      cell: an RNNCell.
      loop_function: function of the last output and the step that gives the input instead, but for the first step.
      scope: variable scope, "rnn_decoder" by default.

    Returns:
      (outputs, final state).
    """
    with tf.variable_scope(scope or "rnn_decoder"):
        state, outputs, before = initial_state, [], None
        for i, inputs in enumerate(decoder_inputs):
            if loop_function is not None and before is not None:
                with tf.variable_scope("loop_function", reuse=True):
                    inputs = loop_function(before, i)
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(inputs, state)
            outputs.append(output)
            if loop_function is not None:
                before = output
    return outputs, state


@public("contrib.legacy_seq2seq.embedding_rnn_decoder")
def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: int, embedding_size: int,
    output_projection: Any = None, feed_previous: bool = False, update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`rnn_decoder` of ids.

    Args:
      decoder_inputs: ids `[batch]` for each step.
      initial_state, cell: as of `rnn_decoder`.
      num_symbols: number of ids.
      embedding_size: depth of their vectors.
      output_projection: weights and biases that map outputs to ids when they are fed back.
      feed_previous: whether the id of the largest output is fed, instead of all inputs but the first.
      update_embedding_for_previous: whether gradients reach the embedding through what is fed back.
      scope: variable scope, "embedding_rnn_decoder" by default.

    Raises:
      ValueError: the projection has another shape.
    """
    with tf.variable_scope(scope or "embedding_rnn_decoder") as opened:
        check_projection(output_projection, opened.dtype, num_symbols)
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size])
        loop = feeding_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        embedded = (tf.nn.embedding_lookup(embedding, i) for i in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop)


@public("contrib.legacy_seq2seq.attention_decoder")
def attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, output_size: int | None = None,
    num_heads: int = 1, loop_function: Callable | None = None, dtype: Any = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """A decoder that attends to a memory (Vinyals et al. 2014).

    Args:
      decoder_inputs, initial_state, cell, loop_function: as of `rnn_decoder`.
      attention_states: the memory `[batch, length, size]`.
      output_size: depth of the outputs; the cell's by default.
      num_heads: how often the memory is read in a step.
      dtype: dtype of the variables; the scope's by default.
      scope: variable scope, "attention_decoder" by default.
      initial_state_attention: whether the first state reads the memory, or begins with zeros.

    Raises:
      ValueError: no inputs, no heads, or sizes that are not known.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2].value is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    if output_size is None:
        output_size = cell.output_size
    with tf.variable_scope(scope or "attention_decoder", dtype=dtype) as opened:
        dtype = opened.dtype
        batch_size = tf.shape(decoder_inputs[0])[0]
        reads, size = _heads(attention_states, num_heads, dtype)
        state = initial_state
        outputs: list[Any] = []
        before = None
        shape = tf.stack([batch_size, size])
        seen = [tf.zeros(shape, dtype=dtype) for _ in range(num_heads)]
        for each in seen:
            each.set_shape([None, size])
        if initial_state_attention:
            seen = reads(initial_state)
        for i, inputs in enumerate(decoder_inputs):
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            if loop_function is not None and before is not None:
                with tf.variable_scope("loop_function", reuse=True):
                    inputs = loop_function(before, i)
            depth = inputs.shape.with_rank(2)[1]
            if depth.value is None:
                raise ValueError(f"Could not infer input size from input: {inputs.name}")
            both = [tf.cast(each, dtype) for each in [inputs, *seen]]
            x = Linear(both, depth, True)(both)
            output, state = cell(x, state)
            if i == 0 and initial_state_attention:
                with tf.variable_scope(tf.get_variable_scope(), reuse=True):
                    seen = reads(state)
            else:
                seen = reads(state)
            with tf.variable_scope("AttnOutputProjection"):
                both = [tf.cast(output, dtype), *seen]
                output = Linear(both, output_size, True)(both)
            if loop_function is not None:
                before = output
            outputs.append(output)
    return outputs, state


def _heads(memory: Any, num_heads: int, dtype: Any) -> tuple[Callable, int]:
    """A function that reads the memory for a query, once for each head, and the size of what it reads."""
    length = memory.shape[1].value
    if length is None:
        length = tf.shape(memory)[1]
    size = memory.shape[2].value
    hidden = tf.reshape(memory, [-1, length, 1, size])
    features, vectors = [], []
    for head in range(num_heads):
        kernel = tf.get_variable(f"AttnW_{head}", [1, 1, size, size])
        features.append(tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME"))
        vectors.append(tf.get_variable(f"AttnV_{head}", [size]))

    def reads(query: Any) -> list[Any]:
        if tf.nest.is_nested(query):
            query = tf.concat(tf.nest.flatten(query), 1)
        found = []
        for head in range(num_heads):
            with tf.variable_scope(f"Attention_{head}"):
                y = tf.reshape(Linear(query, size, True)(query), [-1, 1, 1, size])
                y = tf.cast(y, dtype)
                scores = tf.reduce_sum(vectors[head] * tf.tanh(features[head] + y), [2, 3])
                weights = tf.cast(tf.nn.softmax(tf.cast(scores, tf.float32)), dtype)
                seen = tf.reduce_sum(tf.reshape(weights, [-1, length, 1, 1]) * hidden, [1, 2])
                found.append(tf.reshape(seen, [-1, size]))
        return found

    return reads, size


@public("contrib.legacy_seq2seq.embedding_attention_decoder")
def embedding_attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, num_symbols: int, embedding_size: int,
    num_heads: int = 1, output_size: int | None = None, output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, dtype: Any = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`attention_decoder` of ids; arguments as there and of `embedding_rnn_decoder`.

    Raises:
      ValueError: as there.
    """
    if output_size is None:
        output_size = cell.output_size
    check_projection(output_projection, dtype, num_symbols, weights=False)
    with tf.variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size])
        loop = feeding_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        embedded = [tf.nn.embedding_lookup(embedding, i) for i in decoder_inputs]
        return attention_decoder(
            embedded, initial_state, attention_states, cell, output_size=output_size, num_heads=num_heads,
            loop_function=loop, initial_state_attention=initial_state_attention,
        )
