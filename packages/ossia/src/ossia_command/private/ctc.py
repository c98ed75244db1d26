"""`ctc_ops`: the steps of the CTC loss of dense labels, each for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core import nest
from ossia_ops import ctc_dense, ctc_scan

_ctc_state_trans = ctc_dense.label_transitions
_ilabel_to_state = ctc_dense.state_probabilities
_forward_backward_log = ctc_dense.forward_backward
_state_to_olabel_unique = ctc_dense.class_probabilities
_sum_states = ctc_dense.summed_states
ctc_state_log_probs = ctc_dense.ends


def _state_to_olabel(labels: Any, num_labels: Any, states: Any) -> Any:
    """Log probabilities of the states [time, batch, states] as those of the classes."""
    return ctc_dense.class_probabilities(labels, num_labels, states, None)


def ctc_loss_and_grad(
    logits: Any, labels: Any, label_length: Any, logit_length: Any, unique: Any = None
) -> tuple[Any, Any]:
    """The loss of dense labels whose blank is 0, and its derivative by the logits."""
    return ctc_dense.loss_and_gradient(logits, labels, label_length, logit_length, unique)


def ctc_loss_dense(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True, unique: Any = None,
    blank_index: Any = 0, name: str | None = None,
) -> Any:
    """`tf.nn.ctc_loss_v2` of dense labels."""
    return tf.nn.ctc_loss_v2(
        labels, logits, label_length, logit_length, logits_time_major, unique, blank_index, name
    )


def dense_labels_to_sparse(dense: Any, length: Any) -> Any:
    """The first labels of each row, as many as `length` says, as a SparseTensor."""
    dense = tf.convert_to_tensor(dense)
    inside = tf.sequence_mask(length, tf.shape(dense)[1])
    size = tf.cast(tf.stack([tf.shape(dense)[0], tf.cast(tf.reduce_max(length), tf.int32)]), tf.int64)
    return tf.SparseTensor(tf.where(inside), tf.boolean_mask(dense, inside), size)


def _scan(
    fn: Callable[[Any, Any], Any], elems: Any, initial: Any, reverse: bool = False, inclusive: bool = False,
    final_only: bool = False,
) -> Any:
    """The states of a recurrence, stacked.

    Args:
        fn: `fn(state, element)` returns the next state.
        elems: Tensors whose rows are the elements, in any structure.
        initial: The state before the first element, in any structure.
        reverse: Whether to begin with the last element; the states are in the order of the elements all the same.
        inclusive: Whether the state before the first element is one of them.
        final_only: Whether to return the last state alone.

    Returns:
        A tensor for each state, in the structure of `initial`.
    """
    def step(states: Any, elements: Any) -> list[Any]:
        return nest.flatten(fn(nest.pack_sequence_as(initial, states), nest.pack_sequence_as(elems, elements)))

    first = [tf.convert_to_tensor(state) for state in nest.flatten(initial)]
    found = ctc_scan.scan(
        step, [tf.convert_to_tensor(element) for element in nest.flatten(elems)], first, reverse=reverse
    )
    if final_only:
        found = [states[0 if reverse else -1] for states in found]
    elif not inclusive:
        found = [states[:-1] if reverse else states[1:] for states in found]
    return nest.pack_sequence_as(initial, found)
