"""`dynamic_rnn`: a cell run over sequences by a loop of the graph."""
from __future__ import annotations

from typing import Any

from ossia_core.control.while_loop import while_loop
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import colocate_with, control_dependencies, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.rnn.cell import assert_like_cell, joined_shape
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.selection import where
from ossia_ops.array.shape import rank, shape
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import transpose
from ossia_ops.control.assertion import Assert
from ossia_ops.control.tensor_array import TensorArray
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.reduction import reduce_all, reduce_max, reduce_min
from ossia_ops.math.sequence import range as range_


def swapped(x: Tensor) -> Tensor:
    """`x` with its batch and time dimensions exchanged.

    Raises:
      TypeError: its rank is not known.
    """
    static = x.shape
    if static.ndims is not None and static.ndims < 2:
        return x
    result = transpose(x, concat(([1, 0], range_(2, rank(x))), axis=0))
    if static.ndims is None:
        raise TypeError(f"The rank of {x} is not known: 'NoneType' object is not subscriptable")
    dims = static.as_list()
    result.set_shape([dims[1], dims[0], *dims[2:]])
    return result


def batch_size_of(flat_input: Any) -> Any:
    """The batch size of time-major inputs: a number if one tells it statically, else a tensor."""
    for x in flat_input:
        if x.shape.ndims is None:
            continue
        if x.shape.ndims < 2:
            raise ValueError(f"Expected input tensor {x} to have rank at least 2")
        if x.shape.as_list()[1] is not None:
            return x.shape.as_list()[1]
    return shape(flat_input[0])[1]


def should_cache() -> bool:
    """Whether variables may be read once for the whole loop: not inside another loop."""
    context = get_default_graph()._get_control_flow_context()
    return context is None or context.GetWhileContext() is None


def state_dtype(explicit: Any, state: Any) -> Any:
    """The dtype given, else that of the state.

    Raises:
      ValueError: an empty state, or states of several dtypes.
    """
    if explicit is not None:
        return explicit
    if not nest.is_sequence(state):
        return state.dtype
    found = [s.dtype for s in nest.flatten(state)]
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(d != found[0] for d in found):
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single representative dtype."
        )
    return found[0]


def stepped(time: Any, sequence_length: Tensor, zero_output: Any, state: Any, call_cell: Any) -> tuple[Any, Any]:
    """One step in which sequences that have ended give zeros and keep their state."""
    ended = time >= sequence_length
    output, new_state = call_cell()
    nest.assert_same_structure(zero_output, output)
    nest.assert_same_structure(state, new_state)

    def copied(old: Any, new: Any) -> Any:
        if isinstance(old, TensorArray) or old.shape.ndims == 0:
            return new
        with colocate_with(new):
            return where(ended, old, new)

    flat_output = [copied(old, new) for old, new in zip(nest.flatten(zero_output), nest.flatten(output), strict=True)]
    flat_state = [copied(old, new) for old, new in zip(nest.flatten(state), nest.flatten(new_state), strict=True)]
    for made, new in zip(flat_output + flat_state, nest.flatten(output) + nest.flatten(new_state), strict=True):
        if not isinstance(made, TensorArray):
            made.set_shape(new.shape)
    return nest.pack_sequence_as(zero_output, flat_output), nest.pack_sequence_as(state, flat_state)


@public("nn.dynamic_rnn")
def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Run a cell over sequences.

    Args:
      cell: an RNNCell.
      inputs: [batch, time, ...], or [time, batch, ...] if `time_major`; may be nested.
      sequence_length: lengths of the sequences, int32 [batch]; outputs beyond are zero and the state stays.
      initial_state: the first state; zeros of `dtype` if None.
      dtype: dtype of state and outputs.
      parallel_iterations: steps that may run at once, 32 by default.
      swap_memory: whether values kept for the gradient may move to other memory.
      time_major: whether time is the first dimension of inputs and outputs.
      scope: variable scope, "rnn" by default.

    Returns:
      (outputs, final state).

    Raises:
      AssertionError: `parallel_iterations` is no int.
      TypeError: `cell` is no cell.
      ValueError: neither state nor dtype, or inputs of unfit shapes.
    """
    assert_like_cell("cell", cell)
    with variable_scope(scope or "rnn") as entered:
        if should_cache() and entered.caching_device is None:
            entered.set_caching_device(lambda op: op.device)
        flat_input = nest.flatten(inputs)
        if not time_major:
            flat_input = [swapped(x) for x in [convert_to_tensor(x) for x in flat_input]]
        if sequence_length is not None:
            sequence_length = cast(sequence_length, "int32")
            if sequence_length.shape.ndims not in (None, 1):
                raise ValueError(
                    f"sequence_length must be a vector of length batch_size, but saw shape: {sequence_length.shape}"
                )
            sequence_length = identity(sequence_length, name="sequence_length")
        batch_size = batch_size_of(flat_input)
        if initial_state is not None:
            state = initial_state
        else:
            if not dtype:
                raise ValueError("If there is no initial_state, you must give a dtype.")
            if getattr(cell, "get_initial_state", None) is not None:
                state = cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
            else:
                state = cell.zero_state(batch_size, dtype)
        if sequence_length is not None:
            with control_dependencies([_has_shape(sequence_length, [batch_size])]):
                sequence_length = identity(sequence_length, name="CheckSeqLen")
        inputs = nest.pack_sequence_as(inputs, flat_input)
        parallel_iterations = parallel_iterations or 32
        if not isinstance(parallel_iterations, int):
            raise AssertionError("parallel_iterations must be int")
        outputs, final_state = _loop(
            cell, inputs, state, parallel_iterations, swap_memory, sequence_length, dtype
        )
        if not time_major:
            outputs = nest.map_structure(swapped, outputs)
        return outputs, final_state


def _has_shape(x: Tensor, dims: list[Any]) -> Any:
    actual = shape(x)
    wanted = stack(dims)
    return Assert(
        reduce_all(equal(actual, wanted)),
        [f"Expected shape for Tensor {x.name} is ", wanted, " but saw shape: ", actual],
    )


def _loop(
    cell: Any, inputs: Any, state: Any, parallel_iterations: int, swap_memory: bool, sequence_length: Any, dtype: Any
) -> tuple[Any, Any]:
    flat_input = nest.flatten(inputs)
    flat_sizes = nest.flatten(cell.output_size)
    time_steps = shape(flat_input[0])[0]
    batch_size = batch_size_of(flat_input)
    shapes = [x.shape.with_rank_at_least(3) for x in flat_input]
    const_time, const_batch = shapes[0].as_list()[:2]
    for s in shapes:
        dims = s.as_list()
        if None in dims[2:]:
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
        if dims[0] != const_time:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if dims[1] != const_batch:
            raise ValueError("Batch_size is not the same for all the elements in the input.")

    def zero(size: Any) -> Tensor:
        return zeros(stack(joined_shape(batch_size, size)), state_dtype(dtype, state))

    zero_output = nest.pack_sequence_as(cell.output_size, [zero(size) for size in flat_sizes])
    longest = time_steps
    if sequence_length is not None:
        reduce_min(sequence_length)
        longest = reduce_max(sequence_length)
    time = constant(0, dtype="int32", name="time")
    with name_scope("dynamic_rnn") as base:
        pass

    def array(name: str, element_shape: Any, element_dtype: Any) -> TensorArray:
        return TensorArray(
            dtype=element_dtype, size=time_steps, element_shape=element_shape, tensor_array_name=base + name
        )

    output_arrays = tuple(
        array(f"output_{i}", TensorShape([const_batch]).concatenate(_static(size)), state_dtype(dtype, state))
        for i, size in enumerate(flat_sizes)
    )
    input_arrays = tuple(array(f"input_{i}", x.shape.as_list()[1:], x.dtype) for i, x in enumerate(flat_input))
    input_arrays = tuple(a.unstack(x) for a, x in zip(input_arrays, flat_input, strict=True))

    def step(time: Any, arrays: Any, state: Any) -> Any:
        parts = tuple(a.read(time) for a in input_arrays)
        for part, s in zip(parts, shapes, strict=True):
            part.set_shape(s.as_list()[1:])
        now = nest.pack_sequence_as(inputs, parts)
        if sequence_length is not None:
            output, new_state = stepped(time, sequence_length, zero_output, state, lambda: cell(now, state))
        else:
            output, new_state = cell(now, state)
        written = tuple(a.write(time, out) for a, out in zip(arrays, nest.flatten(output), strict=True))
        return time + 1, written, new_state

    bound = minimum(time_steps, maximum(1, longest))
    _, final_arrays, final_state = while_loop(
        lambda time, *_: time < bound,
        step,
        (time, output_arrays, state),
        parallel_iterations=parallel_iterations,
        maximum_iterations=time_steps,
        swap_memory=swap_memory,
    )
    outputs = [a.stack() for a in final_arrays]
    for output, size in zip(outputs, flat_sizes, strict=True):
        output.set_shape(joined_shape([const_time, const_batch], size, static=True))
    return nest.pack_sequence_as(cell.output_size, outputs), final_state


def _static(size: Any) -> TensorShape:
    return TensorShape(size if isinstance(size, (list, tuple, TensorShape)) else [size])
