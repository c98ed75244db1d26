"""The op that follows the beams of a search back from their ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

gather_tree_op = op(
    "GatherTree(step_ids: T, parent_ids: T, max_sequence_lengths: int32, end_token: T) -> beams: T", T="{int32}"
)


@gather_tree_op.shape
def _(step_ids, parent_ids, max_sequence_lengths, end_token):
    return unchanged(step_ids)


@gather_tree_op.kernel
def _(step_ids, parent_ids, max_sequence_lengths, end_token):
    if step_ids.ndim != 3 or step_ids.shape != parent_ids.shape:
        raise InvalidArgumentError(
            None, None, f"step_ids and parent_ids must be of one 3-D shape, saw {step_ids.shape} and {parent_ids.shape}"
        )
    steps, batch, width = step_ids.shape
    if max_sequence_lengths.shape != (batch,) or end_token.ndim:
        raise InvalidArgumentError(None, None, "max_sequence_lengths must be [batch], and end_token a scalar")
    beams = np.full_like(step_ids, end_token)
    lengths, rows = np.minimum(max_sequence_lengths, steps), np.arange(batch)[:, None]
    parents = np.broadcast_to(np.arange(width, dtype=step_ids.dtype), (batch, width))
    for time in range(steps - 1, -1, -1):
        inside = (time < lengths)[:, None]
        if (inside & ((parents < 0) | (parents >= width))).any():
            raise InvalidArgumentError(None, None, f"Saw invalid parent id at time {time + 1}")
        chosen = np.where(inside, parents, 0)
        beams[time] = np.where(inside, step_ids[time, rows, chosen], end_token)
        parents = np.where(inside, parent_ids[time, rows, chosen], parents)
    ended = np.logical_or.accumulate(beams == end_token, axis=0)
    beams[ended] = end_token
    return beams


gather_tree_op.not_differentiable()
_IDS = [[[1, 2]], [[3, 4]]]
gather_tree_op.samples(
    beams=(_IDS, [[[0, 0]], [[1, 0]]], [2], 9),
    short=(_IDS, [[[0, 0]], [[1, 0]]], [1], 9),
    ended=([[[9, 2]], [[3, 4]]], [[[0, 0]], [[0, 1]]], [2], 9),
    empty=(np.zeros((0, 1, 2), np.int32), np.zeros((0, 1, 2), np.int32), [0], 9),
    refused_parent=(_IDS, [[[0, 0]], [[5, 0]]], [2], 9),
)


@public("contrib.seq2seq.gather_tree")
def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: str | None = None
) -> Any:
    """Follows beams back from their ends.

    Args:
      step_ids: ids `[time, batch, beam]` that each step chose.
      parent_ids: from which beam of the step before, of the same shape.
      max_sequence_lengths: lengths `[batch]` of the longest beam.
      end_token: the id behind the ends of beams, a scalar.
      name: name of the op.

    Returns:
      The ids of whole beams `[time, batch, beam]`.

    Raises:
      InvalidArgumentError: shapes do not fit, or there is no such beam.
    """
    return gather_tree_op(step_ids, parent_ids, max_sequence_lengths, end_token, name=name)
