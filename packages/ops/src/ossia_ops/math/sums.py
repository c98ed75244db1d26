"""Sums of many tensors of one shape."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import merge
from ossia_core.graph.composites import IndexedSlices, SparseTensor, convert_to_tensor_or_indexed_slices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import as_shape
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import NUMBERS

_NEEDED = "inputs must be a list of at least one {what} with the same dtype and shape"


add_n_op = op("AddN(inputs: N * T) -> sum: T", N="int >= 1",
              T="{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, "
              "uint16, complex128, half, uint32, uint64, variant}")


@add_n_op.shape
def _(inputs):
    merged = inputs[-1].shape
    for i in range(len(inputs) - 2, -1, -1):
        try:
            merged = merge(merged, inputs[i])
        except ValueError:
            try:
                merge(inputs[i], merged)
            except ValueError as e:
                raise ValueError(f"{e}\n\tFrom merging shape {i} with other shapes.") from None
    return merged


@add_n_op.kernel
def _(inputs, *, node):
    first = inputs[0]
    if not isinstance(first, (np.ndarray, np.generic)):
        return first.add_n(inputs)
    shape = first.shape
    for i, other in enumerate(inputs):
        if other.shape != shape:
            raise InvalidArgumentError(
                None,
                None,
                f"Inputs to operation {node.name} of type AddN must have the same size and shape.  Input 0: "
                f"{str(list(shape)).replace(' ', '')} != input {i}: {str(list(other.shape)).replace(' ', '')}",
            )
    if len(inputs) == 1:
        return np.array(first)
    if not shape:
        return np.add.reduce(inputs, dtype=first.dtype)
    total = np.add(first, inputs[1])
    for other in inputs[2:]:
        total += other
    return total


@add_n_op.gradient
def _(node, grad):
    return [grad] * len(node.inputs)


add_n_op.samples(three=([[1., 2.], [3., 4.], [5., 6.]],), one=([[1, 2]],), overflow=([np.uint8(200), np.uint8(100)],))


@public("add_n", "math.add_n")
@dispatches
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors (or IndexedSlices) of one shape and dtype.

    Raises:
      ValueError: the list is empty, or shapes or dtypes differ.
    """
    inputs = list(inputs)
    if not inputs or any(isinstance(value, SparseTensor) for value in inputs):
        raise ValueError(_NEEDED.format(what="Tensor/IndexedSlices"))
    inputs = [convert_to_tensor_or_indexed_slices(value) for value in inputs]
    if len(inputs) == 1:
        value = convert_to_tensor(inputs[0]) if isinstance(inputs[0], IndexedSlices) else inputs[0]
        return lookup("Identity")(value, name=name) if name else value
    return add_n_op(inputs, name=name)


accumulate_n_v2_op = op("AccumulateNV2(inputs: N * T) -> sum: T", N="int >= 1", T=NUMBERS, shape="shape")


@accumulate_n_v2_op.shape
def _(inputs, *, shape):
    return shape


accumulate_n_v2_op.kernel(lambda inputs, *, node: add_n_op.kernel_fn(inputs, node=node))  # type: ignore[misc]


@accumulate_n_v2_op.gradient
def _(node, grad):
    return [grad] * len(node.inputs)


accumulate_n_v2_op.samples(two=sample([[1., 2.], [3., 4.]], shape=[2]))


@public("accumulate_n", "math.accumulate_n")
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape, which may become available one after the other.

    Args:
      inputs: a list of tensors of one dtype.
      shape: their shape, where it cannot be inferred.
      tensor_dtype: their dtype; checked.
      name: name of the result.

    Raises:
      ValueError: no tensors, or of different shapes or dtypes.
      TypeError: they are not of `tensor_dtype`.
    """
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError(_NEEDED.format(what="Tensor"))
    inputs = [convert_to_tensor_or_indexed_slices(value) for value in inputs]
    if not all(isinstance(x, Tensor) for x in inputs) or not all(x.dtype == inputs[0].dtype for x in inputs):
        raise ValueError(_NEEDED.format(what="Tensor"))
    static = as_shape(shape)
    for x in inputs:
        static = static.merge_with(x.shape)
    if tensor_dtype is not None and dtypes.as_dtype(tensor_dtype) != inputs[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {inputs[0].dtype}")
    if len(inputs) == 1:
        return inputs[0] if name is None else lookup("Identity")(inputs[0], name=name)
    return accumulate_n_v2_op(inputs, shape=static, name=name)
