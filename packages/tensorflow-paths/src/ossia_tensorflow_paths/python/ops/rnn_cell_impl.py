"""What hand-written recurrent cells take from `rnn_cell_impl` and `rnn`."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_nn.rnn import cell, dynamic, static

LayerRNNCell = cell.LayerRNNCell
_concat = cell.joined_shape
_transpose_batch_time = dynamic.swapped
_best_effort_input_batch_size = dynamic.batch_size_of
_infer_state_dtype = dynamic.state_dtype
_reverse_seq = static.reversed_inputs

_BIAS_VARIABLE_NAME = "bias"
_WEIGHTS_VARIABLE_NAME = "kernel"
ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"


def assert_like_rnncell(cell_name: str, cell_: Any) -> None:
    """Checks that `cell_` has what recurrent functions need.

    Raises:
        TypeError: It has not.
    """
    cell.assert_like_cell(cell_name, cell_)


def _zero_state_tensors(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros of the sizes of a state, with the batch size put before them."""
    return tf.nest.map_structure(lambda size: _zeros(batch_size, size, dtype), state_size)


def _zeros(batch_size: Any, size: Any, dtype: Any) -> Any:
    state = tf.zeros(_concat(batch_size, size), dtype=dtype)
    state.set_shape(_concat(batch_size, size, static=True))
    return state
