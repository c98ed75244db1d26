"""Checks of shapes that become part of the graph, and sums of several tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.framework.assert_scalar_int")
def assert_scalar_int(tensor: Any, name: str | None = None) -> tf.Tensor:
    """The tensor, which is an int32 or int64 scalar.

    Raises:
      ValueError: it is not.
    """
    with tf.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = tf.convert_to_tensor(tensor)
        if tensor.dtype.base_dtype not in (tf.int32, tf.int64):
            raise ValueError(f"Unexpected type {tensor.dtype.base_dtype} for {tensor.name}.")
        tf.debugging.assert_scalar(tensor, name=scope)
        return tensor


@public("contrib.framework.with_same_shape")
def with_same_shape(expected_tensor: Any, tensor: Any) -> tf.Tensor:
    """The tensor, checked to have the shape of another; see `with_shape`."""
    with tf.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        expected = expected_tensor.get_shape()
        shape = expected.as_list() if expected.is_fully_defined() else tf.shape(expected_tensor, name="expected_shape")
        return with_shape(shape, tensor)


@public("contrib.framework.with_shape")
def with_shape(expected_shape: Any, tensor: Any) -> tf.Tensor:
    """The tensor, checked to have a shape: at once if both are known, else when it runs.

    Args:
      expected_shape: a shape, a list, or an int32 vector; -1 fits any size.
      tensor: a tensor, or a sparse tensor.

    Raises:
      ValueError: the shape is another.
    """
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    if not isinstance(expected_shape, tf.Tensor):
        known = tf.TensorShape(expected_shape)
        if tensor.get_shape().is_fully_defined() or not known.is_fully_defined():
            tensor.set_shape(known)
            return tensor
    with tf.name_scope(f"{tensor.op.name}/", values=[tensor]):
        with tf.name_scope("assert_shape"):
            actual = tf.shape(tensor, name="actual")
            is_shape = _is_shape(expected_shape, actual, tensor)
            data = [f"Wrong shape for {tensor.name} [expected] [actual].", expected_shape, actual]
            for part in data:
                tf.convert_to_tensor(part)  # the original makes constants that it does not use
            check = tf.raw_ops.Assert(condition=is_shape, data=data)
        with tf.control_dependencies([check]):
            result = tf.identity(tensor)
    if not isinstance(expected_shape, tf.Tensor):
        result.set_shape(expected_shape)
    return result


def _is_shape(expected: Any, actual: Any, tensor: Any) -> Any:
    with tf.name_scope("is_shape") as scope:
        size = tf.size(expected)
        with tf.name_scope("is_rank") as rank_scope:
            is_rank = tf.equal(size, tf.rank(tensor, name="actual"), name=rank_scope)
        with tf.name_scope("shape_tensor_equal") as equal_scope:
            same = tf.logical_or(
                tf.equal(expected, -1), tf.equal(expected, actual, "equal_1"), name="exclude_partial_shape"
            )
            is_equal = tf.reduce_all(same, name=equal_scope)
        return tf.logical_and(is_rank, is_equal, name=scope)


@public("contrib.framework.reduce_sum_n")
def reduce_sum_n(tensors: Sequence[Any], name: str | None = None) -> tf.Tensor:
    """The sum of all elements of several tensors.

    Raises:
      ValueError: there are none.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with tf.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = []
        for tensor in tensors:
            sums.append(tf.reduce_sum(tensor, name=f"{tensor.op.name}/sum"))
        return sums[0] if len(sums) == 1 else tf.add_n(sums, name=scope)


@public("contrib.framework.zero_initializer")
def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """An op that fills a variable with zeros.

    Args:
      ref: the variable.
      use_locking: kept for the signature.
      name: name of the op.
    """
    return tf.assign(ref, tf.zeros(ref.shape, ref.dtype.base_dtype), use_locking=use_locking, name=name)


@public("contrib.framework.get_placeholders")
def get_placeholders(graph: Any) -> list[Any]:
    """All placeholders of a graph."""
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


@public("contrib.framework.py_func")
def py_func(
    func: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, output_types: Any = None,
    output_shapes: Any = None, stateful: bool = True, name: str | None = None,
) -> Any:
    """A Python function as an op, with named arguments and nested results.

    Args:
      func: the function, of arrays.
      args, kwargs: its arguments; tensors among them are given as arrays.
      output_types: dtypes of the results, in the structure that `func` returns.
      output_shapes: their shapes, or None.
      stateful: whether it may give another result for the same arguments.
      name: name of the op.

    Raises:
      ValueError: the structures of shapes and types differ.
    """
    if not callable(func):
        raise ValueError("`func` must be callable.")
    nest: Any = tf.contrib.framework.nest
    structure = {"args": list(args), "kwargs": kwargs or {}}
    flat = nest.flatten(structure)
    places = [place for place, value in enumerate(flat) if isinstance(value, tf.Tensor)]
    types = nest.flatten(output_types)

    def called(*arrays: Any) -> Any:
        values = list(flat)
        for place, array in zip(places, arrays):
            values[place] = array
        given = nest.pack_sequence_as(structure, values)
        return nest.flatten_up_to(output_types, func(*given["args"], **given["kwargs"]))

    results = tf.py_func(called, [flat[place] for place in places], types, stateful=stateful, name=name)
    if output_shapes is not None:
        shapes = output_shapes
        if isinstance(output_types, (list, tuple, dict)):
            shapes = nest.flatten_up_to(output_types, output_shapes)
        else:
            shapes = [output_shapes]
        for result, shape in zip(results, shapes, strict=True):
            result.set_shape(shape)
    return nest.pack_sequence_as(output_types, results)
