"""`ctc_ops`: the steps of the CTC loss of dense labels, each for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.names import nest
from ossia_functions import scan as ctc_scan
from ossia_ops.nn import ctc_dense


def _ctc_state_trans(label_seq: Any) -> Any:
    """[batch, states, states]: 1 where one state may follow another."""
    return ctc_dense.label_transitions(label_seq)


def _ilabel_to_state(labels: Any, num_labels: Any, ilabel_log_probs: Any) -> Any:
    """Log probabilities of the classes [time, batch, classes] as those of the states."""
    return ctc_dense.state_probabilities(labels, num_labels, ilabel_log_probs)


def _forward_backward_log(
    state_trans_log_probs: Any, initial_state_log_probs: Any, final_state_log_probs: Any, observed_log_probs: Any,
    sequence_length: Any,
) -> tuple[Any, Any]:
    """Log probabilities of each state given what is observed, [time, batch, states], and of that, [batch]."""
    return ctc_dense.forward_backward(
        state_trans_log_probs, initial_state_log_probs, final_state_log_probs, observed_log_probs, sequence_length
    )


def ctc_state_log_probs(seq_lengths: Any, max_seq_length: Any) -> tuple[Any, Any]:
    """Log probabilities of the states before the first frame and after the last, [batch, states]."""
    return ctc_dense.ends(seq_lengths, max_seq_length)


def _sum_states(idx: Any, states: Any) -> Any:
    """Log probabilities of states [time, batch, labels], those of the same place [batch, labels] as one."""
    return ctc_dense.summed_states(idx, states)


def _state_to_olabel_unique(labels: Any, num_labels: Any, states: Any, unique: Any) -> Any:
    """`_state_to_olabel` with what `ctc_unique_labels` gives."""
    return ctc_dense.class_probabilities(labels, num_labels, states, unique)


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
