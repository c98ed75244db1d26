"""Adding a vector to the channels of a tensor, and the dense layers written with it."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like
from ossia_ops.array.shape import reshape, shape
from ossia_ops.nn.activation import relu

_NUMBERS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)
_FORMAT = "{'NHWC', 'NCHW'} = 'NHWC'"
_X, _B = np.arange(12, dtype="f4").reshape(2, 2, 3), np.array([1., 2., 3.], "f4")

bias_add_op = op("BiasAdd(value: T, bias: T) -> output: T", T=_NUMBERS, data_format=_FORMAT)


@bias_add_op.shape
def _(value, bias, *, data_format):
    dims = with_rank_at_least(value, 3 if data_format == b"NCHW" else 2).as_tuple()
    size = with_rank(bias, 1).as_tuple()[0]
    if dims is None:
        return TensorShape(None)
    axis = 1 if data_format == b"NCHW" else len(dims) - 1
    return TensorShape((*dims[:axis], merge_dim(dims[axis], size), *dims[axis + 1:]))


@bias_add_op.kernel
def _(value, bias, *, data_format):
    if value.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor must be at least 2D: {dims_text(value.shape)}")
    if bias.ndim != 1:
        raise InvalidArgumentError(None, None, f"Biases must be 1D: {dims_text(bias.shape)}")
    axis = 1 if data_format == b"NCHW" else -1
    if bias.shape[0] != value.shape[axis]:
        raise InvalidArgumentError(None, None, "Must provide as many biases as the last dimension of the input tensor: "
                                               f"{dims_text(bias.shape)} vs. {dims_text(value.shape)}")
    return np.add(value, bias if axis == -1 else bias.reshape(-1, *(1,) * (value.ndim - 2)))


@bias_add_op.gradient
def _(node, grad):
    return grad, bias_add_grad_op(grad, data_format=node.get_attr("data_format"))


bias_add_op.samples(last=sample(_X, _B), second=sample(_X, _B[:2], data_format="NCHW"), empty=sample(_X[:0], _B))


def _sum_but(x: np.ndarray, axis: int) -> np.ndarray:
    """The sum over all axes but the last or the second."""
    if axis == 1:
        return np.add.reduce(x, axis=(0, *range(2, x.ndim)), dtype=x.dtype)
    rows = x.reshape(-1, x.shape[-1]) if x.size else np.zeros((0, x.shape[-1]), x.dtype)
    if x.dtype.char in "fd":
        return np.dot(np.ones(rows.shape[0], x.dtype), rows)
    return np.add.reduce(rows, axis=0, dtype=x.dtype)


bias_add_grad_op = op("BiasAddGrad(out_backprop: T) -> output: T", T=_NUMBERS, data_format=_FORMAT)


@bias_add_grad_op.shape
def _(out_backprop, *, data_format):
    dims = with_rank_at_least(out_backprop, 3 if data_format == b"NCHW" else 2).as_tuple()
    return TensorShape([None if dims is None else dims[1 if data_format == b"NCHW" else -1]])


@bias_add_grad_op.kernel
def _(out_backprop, *, data_format):
    if out_backprop.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor must be at least 2D: {dims_text(out_backprop.shape)}")
    return _sum_but(out_backprop, 1 if data_format == b"NCHW" else -1)


@bias_add_grad_op.gradient
def _(node, grad):
    concat, tile = builder("concat"), builder("tile")
    full, bias = shape(node.inputs[0]), shape(grad)
    if node.get_attr("data_format") == b"NCHW":
        expanded = concat([ones_like(full[:1]), bias, ones_like(full[2:])], 0)
        multiples = concat([full[:1], [1], full[2:]], 0)
    else:
        expanded = concat([ones_like(full[:-1]), bias], 0)
        multiples = concat([full[:-1], [1]], 0)
    return tile(reshape(grad, expanded), multiples)


bias_add_grad_op.samples(last=sample(_X), second=sample(_X, data_format="NCHW"), empty=sample(_X[:0]))

bias_add_v1_op = op("BiasAddV1(value: T, bias: T) -> output: T", T=_NUMBERS)


@bias_add_v1_op.shape
def _(value, bias):
    dims = with_rank_at_least(value, 2).as_tuple()
    size = with_rank(bias, 1).as_tuple()[0]
    return TensorShape(None) if dims is None else TensorShape((*dims[:-1], merge_dim(dims[-1], size)))


@bias_add_v1_op.kernel
def _(value, bias):
    if value.ndim < 2 or bias.shape != value.shape[-1:]:
        raise InvalidArgumentError(
            None,
            None,
            f"Must provide as many biases as the last dimension of the input tensor: {dims_text(bias.shape)} vs. "
            f"{dims_text(value.shape)}",
        )
    return np.add(value, bias)


@bias_add_v1_op.gradient
def _(node, grad):
    from ossia_ops.array.shape import rank
    from ossia_ops.math.reduction import reduce_sum
    return grad, reduce_sum(grad, builder("range")(rank(grad) - 1))


bias_add_v1_op.samples(plain=sample(_X, _B))


@public("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """`value` with a bias added to each of its channels.

    Args:
      value: a tensor of at least two dimensions.
      bias: a vector, one number per channel, of the dtype of `value`.
      data_format: "N...C" (the default) if the channels are the last dimension, "NC..." if they are the second.
      name: name of the result.

    Raises:
      ValueError: another `data_format`, or sizes that do not fit.
    """
    with name_scope(name, "BiasAdd", [value, bias]) as name:
        if data_format is not None:
            if data_format.startswith("NC"):
                data_format = "NCHW"
            elif data_format.startswith("N") and data_format.endswith("C"):
                data_format = "NHWC"
            else:
                raise ValueError("data_format must be of the form `N...C` or `NC...`")
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return bias_add_op(value, bias, data_format=data_format, name=name)


@public("nn.xw_plus_b")
def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """`matmul(x, weights) + biases` for x [batch, in], weights [in, out] and biases [out]."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as name:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return bias_add(builder("matmul")(x, weights), biases, name=name)


@public("nn.relu_layer")
def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """`relu(matmul(x, weights) + biases)` for x [batch, in], weights [in, out] and biases [out]."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as name:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return relu(bias_add(builder("matmul")(x, weights), biases), name=name)
