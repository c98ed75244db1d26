"""Layers of cells that go through sequences in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def _checked(
    cells_fw: Any, cells_bw: Any, initial_states_fw: Any, initial_states_bw: Any
) -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """For each layer the name of its scope, its cells and their first states.

    Raises:
      ValueError: no lists of cells of one length, or lists of states of another.
    """
    for cells, what in ((cells_fw, "fw"), (cells_bw, "bw")):
        if cells is None:
            raise ValueError(f"Must specify at least one {what} cell for BidirectionalRNN.")
    for cells, what in ((cells_fw, "fw"), (cells_bw, "bw")):
        if not isinstance(cells, list):
            raise ValueError(f"cells_{what} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for states, cells, what in ((initial_states_fw, cells_fw, "fw"), (initial_states_bw, cells_bw, "bw")):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells)):
            raise ValueError(f"initial_states_{what} must be a list of state tensors (one per layer).")
    none = [None] * len(cells_fw)
    layers = zip(cells_fw, cells_bw, initial_states_fw or none, initial_states_bw or none)
    return iter([(f"cell_{i}", *layer) for i, layer in enumerate(layers)])


@public("contrib.rnn.stack_bidirectional_rnn")
def stack_bidirectional_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> Any:
    """Runs layers of two cells, one for each direction, over a list of inputs; outputs of both are put together.

    Args:
      cells_fw, cells_bw: lists of cells, one for each layer.
      inputs: list of `[batch, depth]`.
      initial_states_fw, initial_states_bw: lists of first states; zeros of `dtype` by default.
      dtype: dtype of the states.
      sequence_length: lengths `[batch]`.
      scope: variable scope, "stack_bidirectional_rnn" by default.

    Returns:
      (list of outputs, tuple of the forward cells' final states, tuple of the backward cells').

    Raises:
      ValueError: lists are missing, or differ in length.
    """
    layers = _checked(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    outputs = inputs
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for name, cell_fw, cell_bw, first_fw, first_bw in layers:
            with tf.variable_scope(name) as layer:
                outputs, state_fw, state_bw = tf.nn.static_bidirectional_rnn(
                    cell_fw, cell_bw, outputs, initial_state_fw=first_fw, initial_state_bw=first_bw,
                    sequence_length=sequence_length, dtype=dtype, scope=layer,
                )
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return outputs, tuple(states_fw), tuple(states_bw)


@public("contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, parallel_iterations: int | None = None, time_major: bool = False,
    scope: Any = None, swap_memory: bool = False,
) -> Any:
    """Runs layers of two cells, one for each direction, over a sequence, in loops.

    Args:
      cells_fw, cells_bw, initial_states_fw, initial_states_bw, dtype, sequence_length, scope: as of
        `stack_bidirectional_rnn`.
      inputs: `[batch, time, depth]`.
      parallel_iterations, time_major, swap_memory: as of `tf.nn.dynamic_rnn`.

    Returns:
      (outputs, tuple of the forward cells' final states, tuple of the backward cells').

    Raises:
      ValueError: lists are missing, or differ in length.
    """
    layers = _checked(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    joined = inputs
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for name, cell_fw, cell_bw, first_fw, first_bw in layers:
            with tf.variable_scope(name):
                outputs, (state_fw, state_bw) = tf.nn.bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, joined, initial_state_fw=first_fw, initial_state_bw=first_bw,
                    sequence_length=sequence_length, dtype=dtype, parallel_iterations=parallel_iterations,
                    time_major=time_major, swap_memory=swap_memory,
                )
                joined = tf.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return joined, tuple(states_fw), tuple(states_bw)
