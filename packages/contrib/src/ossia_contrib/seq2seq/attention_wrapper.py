"""A cell that attends to memories."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.seq2seq.attention import AttentionMechanism, dense
from ossia_contrib.seq2seq.decoder import zero_state
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import RNNCell, assert_like_cell


@public("contrib.seq2seq.AttentionWrapperState")
class AttentionWrapperState(
    collections.namedtuple(
        "AttentionWrapperState",
        ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"),
    )
):
    """The state of an AttentionWrapper: of the inner cell, the last attention, the step, the last alignments, those of
    all steps (a TensorArray, or an empty tuple) and the state of the mechanism."""

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with other values of some fields, which have to be of the same shapes.

        Raises:
          ValueError: shapes differ.
        """
        def of_same_shape(old: Any, new: Any) -> Any:
            if isinstance(old, tf.Tensor) and isinstance(new, tf.Tensor):
                return tf.contrib.framework.with_same_shape(old, new)
            return new

        return tf.nest.map_structure(of_same_shape, self, super()._replace(**kwargs))


@public("contrib.seq2seq.hardmax")
def hardmax(logits: Any, name: str | None = None) -> tf.Tensor:
    """1 at the largest number of each row, 0 elsewhere.

    Args:
      logits: numbers `[..., depth]`.
      name: name scope.
    """
    with tf.name_scope(name, "Hardmax", [logits]):
        logits = tf.convert_to_tensor(logits, name="logits")
        depth = logits.shape[-1].value
        if depth is None:
            depth = tf.shape(logits)[-1]
        return tf.one_hot(tf.argmax(logits, -1), depth, dtype=logits.dtype)


@public("contrib.seq2seq._compute_attention")
def compute_attention(mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any) -> Any:
    """(attention, alignments, next state of the mechanism) for an output."""
    alignments, next_state = mechanism(cell_output, state=attention_state)
    context = tf.squeeze(tf.matmul(tf.expand_dims(alignments, 1), mechanism.values), [1])
    attention = context if attention_layer is None else attention_layer(tf.concat([cell_output, context], 1))
    return attention, alignments, next_state


@public("contrib.seq2seq.AttentionWrapper")
class AttentionWrapper(RNNCell):
    """A cell whose output is compared with memories; what it attends to is its output, and part of its next input.

    Args:
      cell: the inner cell.
      attention_mechanism: an AttentionMechanism, or a list of them.
      attention_layer_size: depth of the attention, made by a layer of output and context; a list for a list. The
        context itself by default.
      alignment_history: whether alignments of all steps are kept.
      cell_input_fn: function of inputs and attention; puts them side by side by default.
      output_attention: whether the output is the attention, or that of the inner cell.
      initial_cell_state: state of the inner cell in `zero_state`.
      name: name of the cell.
      attention_layer: the layers themselves, in place of `attention_layer_size`.
      attention_fn: function of mechanism, output, state and layer that returns (attention, alignments, next state).
      dtype: dtype of the cell.

    Raises:
      TypeError: arguments of another type.
      ValueError: numbers of mechanisms and layers differ, or layers and their sizes are given.
    """

    def __init__(
        self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None, alignment_history: bool = False,
        cell_input_fn: Callable | None = None, output_attention: bool = True, initial_cell_state: Any = None,
        name: str | None = None, attention_layer: Any = None, attention_fn: Callable | None = None, dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_cell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in self._attention_mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism "
                    f"instances, saw type: {type(mechanism).__name__}"
                )
        if cell_input_fn is None:
            cell_input_fn = lambda inputs, attention: tf.concat([inputs, attention], -1)
        elif not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        self._set_layers(cell, attention_layer_size, attention_layer)
        self._cell, self._cell_input_fn = cell, cell_input_fn
        self._attention_fn = attention_fn or compute_attention
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with tf.name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = initial_cell_state
            if initial_cell_state is not None:
                last = tf.nest.flatten(initial_cell_state)[-1]
                batch_size = last.shape[0].value or tf.shape(last)[0]
                with tf.control_dependencies(self._size_checks(batch_size, "constructing")):
                    self._initial_cell_state = tf.nest.map_structure(
                        lambda s: tf.identity(s, name="check_initial_cell_state"), initial_cell_state
                    )

    def _set_layers(self, cell: Any, sizes: Any, layers: Any) -> None:
        mechanisms = self._attention_mechanisms
        if sizes is not None and layers is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        given = sizes if layers is None else layers
        what = "attention_layer_size" if layers is None else "attention_layer"
        if given is None:
            self._attention_layers: Any = None
            self._attention_layer_size = sum(mechanism.values.shape[-1].value for mechanism in mechanisms)
            return
        given = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(given) != len(mechanisms):
            raise ValueError(
                f"If provided, {what} must contain exactly one integer or layer per attention_mechanism, saw: "
                f"{len(given)} vs {len(mechanisms)}"
            )
        if layers is None:
            self._attention_layers = tuple(
                dense(size, "attention_layer", mechanism.dtype) for size, mechanism in zip(given, mechanisms)
            )
            self._attention_layer_size = sum(given)
        else:
            self._attention_layers = given
            self._attention_layer_size = sum(
                tf.TensorShape(
                    layer.compute_output_shape([None, cell.output_size + mechanism.values.shape[-1].value])
                )[-1].value
                for layer, mechanism in zip(given, mechanisms)
            )

    def _size_checks(self, batch_size: Any, doing: str) -> list[Any]:
        message = (
            f"When {doing} AttentionWrapper {self.name}: Non-matching batch sizes between the memory (encoder output) "
            "and the inputs, query or state.  If you use the BeamSearchDecoder, tile memory and state with tile_batch."
        )
        return [
            tf.assert_equal(batch_size, mechanism.batch_size, message=message)
            for mechanism in self._attention_mechanisms
        ]

    def _item_or_tuple(self, values: Any) -> Any:
        values = tuple(values)
        return values if self._is_multi else values[0]

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """Sizes of the state."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=tf.TensorShape([]), attention=self._attention_layer_size,
            alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
            attention_state=self._item_or_tuple(m.state_size for m in mechanisms),
            alignment_history=self._item_or_tuple(
                m.alignments_size if self._alignment_history else () for m in mechanisms
            ),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The first state."""
        with tf.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            with tf.control_dependencies(self._size_checks(batch_size, "calling zero_state of")):
                cell_state = tf.nest.map_structure(lambda s: tf.identity(s, name="checked_cell_state"), cell_state)
            mechanisms = self._attention_mechanisms
            alignments = [m.initial_alignments(batch_size, dtype) for m in mechanisms]
            return AttentionWrapperState(
                cell_state=cell_state, time=tf.zeros([], dtype=tf.int32),
                attention=zero_state(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(m.initial_state(batch_size, dtype) for m in mechanisms),
                alignment_history=self._item_or_tuple(
                    tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignment.shape)
                    if self._alignment_history else ()
                    for alignment in alignments
                ),
            )

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          TypeError: the state is no AttentionWrapperState.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead."
            )
        cell_inputs = self._cell_input_fn(inputs, state.attention)
        cell_output, cell_state = self._cell(cell_inputs, state.cell_state)
        batch_size = cell_output.shape[0].value or tf.shape(cell_output)[0]
        with tf.control_dependencies(self._size_checks(batch_size, "applying")):
            cell_output = tf.identity(cell_output, name="checked_cell_output")
        before, past = state.attention_state, state.alignment_history
        if not self._is_multi:
            before, past = [before], [past]
        attentions, alignments, states, histories = [], [], [], []
        for i, mechanism in enumerate(self._attention_mechanisms):
            attention, alignment, next_state = self._attention_fn(
                mechanism, cell_output, before[i], self._attention_layers[i] if self._attention_layers else None
            )
            histories.append(past[i].write(state.time, alignment) if self._alignment_history else ())
            states.append(next_state)
            alignments.append(alignment)
            attentions.append(attention)
        attention = tf.concat(attentions, 1)
        new_state = AttentionWrapperState(
            time=state.time + 1, cell_state=cell_state, attention=attention,
            attention_state=self._item_or_tuple(states), alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories),
        )
        return attention if self._output_attention else cell_output, new_state
