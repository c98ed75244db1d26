"""`parallel_for`: functions called for numbers, their results stacked, and Jacobians made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf


def for_loop(loop_fn: Callable[[Any], Any], loop_fn_dtypes: Any, iters: Any, parallel_iterations: int | None = None
             ) -> Any:
    """What `loop_fn` gives for the numbers below `iters`, stacked; None for operations.

    Args:
        loop_fn: Takes a number, returns tensors and operations in the structure of `loop_fn_dtypes`.
        loop_fn_dtypes: The dtypes of the results.
        iters: How many numbers there are.
        parallel_iterations: Iterations that may run at once.
    """
    _, values = _looped(loop_fn, loop_fn_dtypes, iters, parallel_iterations)
    return tf.nest.pack_sequence_as(loop_fn_dtypes, values)


def _looped(
    loop_fn: Callable[[Any], Any], dtypes: Any, iters: Any, parallel_iterations: int | None
) -> tuple[Any, list[Any]]:
    """The loop's last number and its stacked results, None for operations and for None."""
    kinds = tf.nest.flatten(dtypes)
    is_none: list[bool] = []

    def body(number: Any, *arrays: Any) -> tuple[Any, ...]:
        results = tf.nest.flatten(loop_fn(number))
        operations = [r for r in results if isinstance(r, tf.Operation)]
        is_none[:] = [r is None or isinstance(r, tf.Operation) for r in results]
        if len(results) != len(kinds):
            raise ValueError(
                f"Number of expected outputs, {len(kinds)}, does not match the number of actual outputs, "
                f"{len(results)}, from loop_fn"
            )
        written = [
            array if none else array.write(number, tf.expand_dims(result, 0))
            for array, result, none in zip(arrays, results, is_none, strict=True)
        ]
        with tf.control_dependencies(operations):
            return (tf.identity(number + 1) if operations else number + 1, *written)

    if parallel_iterations is None:
        parallel_iterations = 10
    arrays = [tf.TensorArray(kind.base_dtype, iters) for kind in kinds]
    found = tf.while_loop(
        lambda number, *_: number < iters, body, [0, *arrays], parallel_iterations=parallel_iterations
    )
    return found[0], [None if none else array.concat() for array, none in zip(found[1:], is_none, strict=True)]


def pfor(loop_fn: Callable[..., Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """What `loop_fn` gives for the numbers below `iters`, stacked.

    Raises:
        ValueError: `parallel_iterations` is not above 1.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError("parallel_iterations must be None or a positive integer")
    if parallel_iterations == 1:
        raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
    found: list[Any] = []

    def probed(number: Any) -> list[Any]:
        structure = loop_fn(number)
        found[:] = [
            result if result is None or isinstance(result, tf.Operation) else tf.convert_to_tensor(result)
            for result in tf.nest.flatten(structure)
        ]
        found.append(structure)
        return [result for result in found[:-1] if isinstance(result, tf.Tensor)]

    # What the results are is known when they have been made once, in a graph of their own.
    tf.function(probed).get_concrete_function(tf.TensorSpec([], tf.int32))
    structure = found.pop()
    kinds = [result.dtype if isinstance(result, tf.Tensor) else tf.float32 for result in found]
    count = tf.get_static_value(iters) if tf.is_tensor(iters) else iters
    last, values = _looped(loop_fn, kinds, iters, parallel_iterations)
    for i, value in enumerate(values):
        if value is not None:
            value.set_shape(tf.TensorShape([count]).concatenate(value.shape[1:]))
        elif isinstance(found[i], tf.Operation):
            values[i] = tf.group(last)
    return tf.nest.pack_sequence_as(structure, values)


def jacobian(output: Any, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """The gradients of each element of a tensor by other tensors.

    Args:
        output: A tensor.
        inputs: Tensors, nested.
        use_pfor: Without effect: the elements are gone through in a loop.
        parallel_iterations: Iterations that may run at once.

    Returns:
        In the structure of `inputs`, tensors of the shape of `output` followed by that of the input; None where there
        is no gradient.
    """
    flat_inputs = tf.nest.flatten(inputs)
    output_shape = tf.shape(output)
    flat = tf.reshape(output, [-1])
    size = flat.shape[0].value if flat.shape[0].value is not None else tf.shape(flat)[0]

    def gradients(number: Any) -> list[Any]:
        return tf.gradients(tf.gather(flat, number), flat_inputs)

    found = for_loop(gradients, [x.dtype for x in flat_inputs], size, parallel_iterations)
    for i, (rows, x) in enumerate(zip(found, flat_inputs, strict=True)):
        if isinstance(rows, tf.Tensor):
            shape = tf.concat([output_shape, tf.shape(rows)[1:]], axis=0)
            rows = tf.reshape(rows, shape)
            rows.set_shape(output.shape.concatenate(x.shape))
            found[i] = rows
    return tf.nest.pack_sequence_as(inputs, found)


def batch_jacobian(output: Any, inp: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """The Jacobian of each element of a batch by the same element of another.

    Raises:
        ValueError: The first sizes differ.
    """
    output_shape = output.shape
    if not output_shape[0].is_compatible_with(inp.shape[0]):
        raise ValueError(f"Need first dimension of output shape ({output.shape}) and inp shape ({inp.shape}) to match.")
    if output_shape.is_fully_defined():
        batch_size: Any = int(output_shape[0])
        row_size: Any = output_shape.num_elements() // batch_size
    else:
        batch_size = tf.shape(output)[0]
        row_size = tf.size(output) // batch_size
    in_shape = tf.shape(inp)
    with tf.control_dependencies([tf.assert_equal(batch_size, in_shape[0])]):
        rows = tf.reshape(output, [batch_size, row_size])

    def gradients(number: Any) -> Any:
        return tf.gradients(tf.gather(rows, number, axis=1), inp)[0]

    found = for_loop(gradients, output.dtype, row_size, parallel_iterations)
    if found is None:
        return None
    found = tf.reshape(found, [row_size, batch_size, -1])
    found = tf.transpose(found, [1, 0, 2])
    result = tf.reshape(found, tf.concat([tf.shape(output), in_shape[1:]], axis=0))
    result.set_shape(output.shape.concatenate(inp.shape[1:]))
    return result
