"""`raw_rnn`: a cell run by a loop of the graph whose inputs, states and end a function decides."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.control.while_loop import while_loop
from ossia_core.declare.shape_rules import merge_dim
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import colocate_with
from ossia_core.graph.static_value import get_static_value
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.rnn.cell import assert_like_cell, joined_shape
from ossia_nn.rnn.dynamic import should_cache
from ossia_ops.array.fill import zeros
from ossia_ops.array.selection import where
from ossia_ops.array.shape import shape
from ossia_ops.control.tensor_array import TensorArray
from ossia_ops.math.logical import logical_not, logical_or
from ossia_ops.math.reduction import reduce_all


@public("nn.raw_rnn")
def raw_rnn(
    cell: Any,
    loop_fn: Callable,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Run a cell until a function says that all sequences have ended.

    `loop_fn(time, cell_output, cell_state, loop_state)` is called before the first step, with a `time` of 0 and None
    for the rest, and after each step. It returns (finished, next input, next state, what to emit, next loop state):
    `finished` is a bool vector [batch], and a sequence that has ended stays so; the first call returns the first state,
    and for what to emit zeros in the structure and the shapes (without batch) of what the others emit, or None for
    what the cell gives. A loop state of None in the first call means that there is none; later, that it stays.

    Args:
      cell: an RNNCell.
      loop_fn: a function as above.
      parallel_iterations: steps that may run at once, 32 by default.
      swap_memory: whether values kept for the gradient may move to other memory.
      scope: variable scope, "rnn" by default.

    Returns:
      (TensorArrays of what was emitted, zeros for a sequence that had ended; final state; final loop state or None).

    Raises:
      TypeError: `cell` is no cell, or `loop_fn` no function.
      ValueError: inputs of unknown rank, or structures that change.
    """
    assert_like_cell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn") as entered:
        if should_cache() and entered.caching_device is None:
            entered.set_caching_device(lambda op: op.device)
        time = constant(0, dtype="int32")
        finished, first_input, state, emitted, loop_state = loop_fn(time, None, None, None)
        has_loop_state = loop_state is not None
        if not has_loop_state:
            loop_state = constant(0, dtype="int32")
        flat_input, flat_state = nest.flatten(first_input), nest.flatten(state)
        static_batch = None
        for x in flat_input:
            if x.shape.ndims is None:
                raise ValueError("Input shape of raw_rnn must be of known rank")
            static_batch = merge_dim(static_batch, x.shape.as_list()[0])
        batch = shape(flat_input[0])[0] if static_batch is None else static_batch
        if emitted is not None:
            structure = emitted
            flat = nest.flatten(emitted)
            sizes = [x.shape if x.shape.is_fully_defined() else shape(x) for x in flat]
            kinds = [x.dtype for x in flat]
        else:
            structure = cell.output_size
            sizes = nest.flatten(structure)
            kinds = [flat_state[0].dtype] * len(sizes)
        arrays = nest.pack_sequence_as(structure, [
            TensorArray(
                dtype=kind,
                dynamic_size=True,
                element_shape=TensorShape([static_batch]).concatenate(_static(size)),
                size=0,
                name=f"rnn_output_{i}",
            )
            for i, (kind, size) in enumerate(zip(kinds, sizes, strict=True))
        ])
        nothing = nest.pack_sequence_as(
            structure, [zeros(joined_shape(batch, size), kind) for size, kind in zip(sizes, kinds, strict=True)]
        )

        def step(time: Any, finished: Any, now: Any, arrays: Any, state: Any, loop_state: Any) -> Any:
            output, cell_state = cell(now, state)
            nest.assert_same_structure(state, cell_state)
            nest.assert_same_structure(cell.output_size, output)
            following = time + 1
            next_finished, next_input, next_state, emit, next_loop_state = loop_fn(
                following, output, cell_state, loop_state
            )
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(now, next_input)
            nest.assert_same_structure(arrays, emit)
            if next_loop_state is None:
                next_loop_state = loop_state

            def chosen(old: Any, new: Any) -> Any:
                if isinstance(old, TensorArray) or old.shape.ndims == 0:
                    return new
                with colocate_with(new):
                    return where(finished, old, new)

            emit = nest.map_structure(chosen, nothing, emit)
            next_state = nest.map_structure(chosen, state, next_state)
            arrays = nest.map_structure(lambda array, value: array.write(time, value), arrays, emit)
            return following, logical_or(finished, next_finished), next_input, arrays, next_state, next_loop_state

        _, _, _, arrays, state, loop_state = while_loop(
            lambda time, finished, *_: logical_not(reduce_all(finished)),
            step,
            [time, finished, first_input, arrays, state, loop_state],
            parallel_iterations=parallel_iterations or 32,
            swap_memory=swap_memory,
        )
        return arrays, state, loop_state if has_loop_state else None


def _static(size: Any) -> TensorShape:
    """What is known of the shape of what is emitted: sizes, or a tensor of them."""
    if isinstance(size, (int, TensorShape, list, tuple)):
        return TensorShape(size if not isinstance(size, int) else [size])
    known = get_static_value(size)
    return TensorShape(None) if known is None else TensorShape(known.tolist())
