"""`static_rnn`: a cell run over a list of inputs, one copy of its ops per step."""
from __future__ import annotations

from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, control_dependencies
from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.rnn.cell import assert_like_cell, joined_shape
from ossia_nn.rnn.dynamic import should_cache, state_dtype
from ossia_ops.array.fill import zeros
from ossia_ops.array.reversal import reverse_sequence
from ossia_ops.array.selection import where
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack, unstack
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_max, reduce_min


@public("nn.static_rnn")
def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
) -> Any:
    """Run a cell over a list of inputs.

    Args:
      cell: an RNNCell.
      inputs: one [batch, depth] tensor (or structure) per step.
      initial_state: the first state; zeros of `dtype` if None.
      dtype: dtype of the state.
      sequence_length: lengths of the sequences, int [batch]; outputs beyond are zero and the state stays.
      scope: variable scope, "rnn" by default.

    Returns:
      (list of outputs, final state).

    Raises:
      TypeError: `cell` is no cell, or `inputs` no list.
      ValueError: no inputs, or neither state nor dtype.
    """
    assert_like_cell("cell", cell)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    outputs = []
    with variable_scope(scope or "rnn") as entered:
        if should_cache() and entered.caching_device is None:
            entered.set_caching_device(lambda op: op.device)
        first = inputs[0]
        while nest.is_sequence(first):
            first = first[0]
        if first.shape.ndims is not None and first.shape.ndims != 1:
            for x in nest.flatten(inputs):
                if x.shape.ndims is not None and None in x.shape.as_list()[1:]:
                    place = x.shape.as_list()[1:].index(None)  # counted without the batch, as in the original
                    raise ValueError(
                        f"Input size (dimension {place} of inputs) must be accessible via shape inference, but saw "
                        "value None."
                    )
        least = 1 if first.shape.ndims == 1 else 2
        fixed = first.shape.with_rank_at_least(least).as_list()[0] if first.shape.ndims is not None else None
        batch_size = fixed if fixed else shape(first)[0]
        if initial_state is not None:
            state = initial_state
        else:
            if not dtype:
                raise ValueError("If no initial_state is provided, dtype must be specified")
            state = (
                cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
                if hasattr(cell, "get_initial_state")
                else cell.zero_state(batch_size, dtype)
            )
        if sequence_length is not None:
            sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.shape.ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size")
            zero_output = nest.map_structure(
                lambda size: _zero(size, batch_size, fixed, state_dtype(dtype, state)), cell.output_size
            )
            sequence_length = cast(sequence_length, "int32")
            shortest, longest = reduce_min(sequence_length), reduce_max(sequence_length)
        for time, now in enumerate(inputs):
            if time > 0:
                entered.reuse_variables()
            if sequence_length is not None:
                output, state = _step(time, sequence_length, shortest, longest, zero_output, state, cell, now)
            else:
                output, state = cell(now, state)
            outputs.append(output)
        return outputs, state


def _zero(size: Any, batch_size: Any, fixed: Any, dtype: Any) -> Any:
    result = zeros(stack(joined_shape(batch_size, size)), dtype)
    result.set_shape(joined_shape([fixed], size, static=True))
    return result


def _step(
    time: int, sequence_length: Any, shortest: Any, longest: Any, zero_output: Any, state: Any, cell: Any, now: Any
) -> Any:
    """A step that is left out once all sequences have ended, and selects only once the first one has."""
    flat_state, flat_zero = nest.flatten(state), nest.flatten(zero_output)
    ended = time >= sequence_length

    def chosen(old: Any, new: Any) -> Any:
        if new.shape.ndims == 0:
            return new
        with colocate_with(new):
            return where(ended, old, new)

    def selected(old: list, new: list) -> list:
        return [chosen(a, b) for a, b in zip(old, new, strict=True)]

    def run() -> list:
        output, new_state = cell(now, state)
        nest.assert_same_structure(state, new_state)
        flat = nest.flatten(output) + nest.flatten(new_state)
        return cond(time < shortest, lambda: flat, lambda: selected(flat_zero + flat_state, flat))

    result = cond(time >= longest, lambda: flat_zero + flat_state, run)
    result = result if isinstance(result, list) else [result]
    for made, old in zip(result, flat_zero + flat_state, strict=True):
        made.set_shape(old.shape)
    return nest.pack_sequence_as(zero_output, result[: len(flat_zero)]), nest.pack_sequence_as(
        state, result[len(flat_zero) :]
    )


@public("nn.static_state_saving_rnn")
def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any, sequence_length: Any = None, scope: Any = None
) -> Any:
    """Run a cell over a list of inputs, from a state that is kept elsewhere and saved there again.

    Args:
      cell: an RNNCell.
      inputs: one [batch, depth] tensor per step.
      state_saver: an object with methods `state(name)` and `save_state(name, value)`.
      state_name: the name of the state there, or a tuple of names if the cell's state is a tuple.
      sequence_length: lengths of the sequences, int [batch].
      scope: variable scope, "rnn" by default.

    Returns:
      (list of outputs, final state); the state is saved before the last of them is there.

    Raises:
      TypeError: `cell` is no cell, or `inputs` no list.
      ValueError: no inputs, or names that do not fit the cell's state.
    """
    sizes = cell.state_size
    if nest.is_sequence(sizes) != nest.is_sequence(state_name):
        raise ValueError(
            f"state_name should be the same type as cell.state_size.  state_name: {state_name}, cell.state_size: "
            f"{sizes}"
        )
    names = nest.flatten(state_name)
    if nest.is_sequence(sizes):
        if len(names) != len(nest.flatten(sizes)):
            raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(nest.flatten(sizes))}")
        start = nest.pack_sequence_as(sizes, [state_saver.state(name) for name in names])
    else:
        start = state_saver.state(state_name)
    outputs, state = static_rnn(cell, inputs, initial_state=start, sequence_length=sequence_length, scope=scope)
    saved = [state_saver.save_state(name, part) for name, part in zip(names, nest.flatten(state), strict=True)]
    with control_dependencies(saved):
        outputs[-1] = nest.map_structure(identity, outputs[-1])
        state = nest.map_structure(identity, state)
    return outputs, state


@public("nn.static_bidirectional_rnn")
def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> Any:
    """Run two cells over a list of inputs, the second one from its end.

    Returns:
      (list of outputs of both put together, final state forwards, final state backwards).
    """
    assert_like_cell("cell_fw", cell_fw)
    assert_like_cell("cell_bw", cell_bw)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    from ossia_ops.array.concat import concat
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope)
        with variable_scope("bw") as bw_scope:
            turned = reversed_inputs(inputs, sequence_length)
            backwards, state_bw = static_rnn(
                cell_bw, turned, initial_state_bw, dtype, sequence_length, scope=bw_scope
            )
    output_bw = reversed_inputs(backwards, sequence_length)
    flat = [concat([fw, bw], 1) for fw, bw in zip(nest.flatten(output_fw), nest.flatten(output_bw), strict=True)]
    return nest.pack_sequence_as(output_fw, flat), state_fw, state_bw


def reversed_inputs(inputs: Any, lengths: Any) -> list:
    """A list of inputs in reverse order; each sequence within its own length."""
    if lengths is None:
        return list(reversed(inputs))
    flat = [nest.flatten(x) for x in inputs]
    columns = []
    for parts in zip(*flat, strict=True):
        joined = stack(list(parts))
        turned = reverse_sequence(joined, lengths, 0, 1)
        pieces = unstack(turned)
        for piece in pieces:
            piece.set_shape(parts[0].shape)
        columns.append(pieces)
    return [nest.pack_sequence_as(inputs[0], list(row)) for row in zip(*columns, strict=True)]


