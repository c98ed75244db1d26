"""`parallel_for`: functions called for numbers, their results stacked, and Jacobians made of them."""

from __future__ import annotations

import functools
import inspect
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
    _, values = _looped(loop_fn, tf.nest.flatten(loop_fn_dtypes), iters, parallel_iterations)
    return tf.nest.pack_sequence_as(loop_fn_dtypes, values)


def _looped(
    loop_fn: Callable[[Any], Any], kinds: list[Any], iters: Any, parallel_iterations: int | None
) -> tuple[Any, list[Any]]:
    """The number after the last one, and the results of all, flat."""
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
    values = [None if none else array.concat() for array, none in zip(found[1:], is_none, strict=True)]
    return found[0], values


class PForConfig:
    """What a function gets as `pfor_config`: reductions over all iterations, of which each gets the result.

    Args:
        known: The results of its first reductions.
    """

    def __init__(self, known: list[Any]) -> None:
        self._known = known
        self._reduced: list[tuple[Any, Callable[[Any], Any]]] = []

    def _reduce(self, x: Any, reduction: Callable[[Any], Any]) -> Any:
        x = tf.convert_to_tensor(x)
        at = len(self._reduced)
        self._reduced.append((x, reduction))
        return self._known[at] if at < len(self._known) else reduction(tf.expand_dims(x, 0))

    def reduce_concat(self, x: Any) -> Any:
        """The values of `x` in all iterations, stacked."""
        return self._reduce(x, tf.identity)

    def reduce_mean(self, x: Any) -> Any:
        """The mean of `x` over all iterations."""
        return self._reduce(x, lambda rows: tf.reduce_mean(rows, axis=0))

    def reduce_sum(self, x: Any) -> Any:
        """The sum of `x` over all iterations."""
        return self._reduce(x, lambda rows: tf.reduce_sum(rows, axis=0))


def pfor(loop_fn: Callable[..., Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """What `loop_fn` gives for the numbers below `iters`, stacked.

    Args:
        loop_fn: Takes a number, and a `PForConfig` if it has an argument `pfor_config`; returns tensors, sparse
            tensors, operations and None, nested.
        iters: How many numbers there are.
        parallel_iterations: Iterations that may run at once.

    Returns:
        In the structure of the results, tensors with one more axis, the first; for operations, one that runs those of
        all iterations.

    Raises:
        ValueError: `parallel_iterations` is not above 1, or given for a function that reduces over all iterations.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError("parallel_iterations must be None or a positive integer")
    if parallel_iterations == 1:
        raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
    if not _takes_config(loop_fn):
        return _stacked(loop_fn, iters, parallel_iterations)
    if parallel_iterations is not None:
        raise ValueError(
            "Setting parallel_iterations currently unsupported if reductions across iterations are performed."
        )
    known: list[Any] = []  # a loop for each reduction: its operand may depend on the results of those before
    while len(known) < _reductions(loop_fn, known):

        def operand(number: Any, at: int = len(known)) -> Any:
            config = PForConfig(known[:at])
            loop_fn(number, pfor_config=config)
            return config._reduced[at][0]

        reduction = _reduction(loop_fn, known)
        known.append(reduction(_stacked(operand, iters, None)))
    return _stacked(lambda number: loop_fn(number, pfor_config=PForConfig(known)), iters, None)


def _takes_config(loop_fn: Callable[..., Any]) -> bool:
    given = loop_fn.keywords if isinstance(loop_fn, functools.partial) else {}
    return "pfor_config" in inspect.signature(loop_fn).parameters and "pfor_config" not in given


def _probed(function: Callable[[Any], Any]) -> Any:
    """What `function` returns for a number, made in a graph of its own that is never run."""
    results: list[Any] = []

    def probe(number: Any) -> Any:
        results.append(function(number))
        return number

    tf.function(probe).get_concrete_function(tf.TensorSpec([], tf.int32))
    return results[-1]


def _reductions(loop_fn: Callable[..., Any], known: list[Any]) -> int:
    config = PForConfig(known)
    _probed(lambda number: loop_fn(number, pfor_config=config))
    return len(config._reduced)


def _reduction(loop_fn: Callable[..., Any], known: list[Any]) -> Callable[[Any], Any]:
    config = PForConfig(known)
    _probed(lambda number: loop_fn(number, pfor_config=config))
    return config._reduced[len(known)][1]


def _stacked(function: Callable[[Any], Any], iters: Any, parallel_iterations: int | None) -> Any:
    """What `function` gives for the numbers below `iters`, stacked, also operations and sparse tensors."""
    structure = _probed(function)
    examples = [
        x if x is None or isinstance(x, (tf.Operation, tf.SparseTensor)) else tf.convert_to_tensor(x)
        for x in tf.nest.flatten(structure)
    ]

    def rows(number: Any) -> list[Any]:
        found = tf.nest.flatten(function(number))
        return [tf.io.serialize_sparse(x) if isinstance(x, tf.SparseTensor) else x for x in found]

    kinds = [
        tf.string if isinstance(x, tf.SparseTensor) else x.dtype if isinstance(x, tf.Tensor) else tf.int32
        for x in examples
    ]
    done, values = _looped(rows, kinds, iters, parallel_iterations)
    size = tf.get_static_value(tf.convert_to_tensor(iters))
    for i, (example, value) in enumerate(zip(examples, values, strict=True)):
        if isinstance(example, tf.Operation):
            values[i] = tf.group(done)
        elif isinstance(example, tf.SparseTensor):
            rank = None if example.shape.ndims is None else example.shape.ndims + 1
            values[i] = tf.io.deserialize_many_sparse(tf.reshape(value, [-1, 3]), example.dtype, rank)
        elif isinstance(example, tf.Tensor):
            value.set_shape(tf.TensorShape([size]).concatenate(example.shape))
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
