"""Maximum and average pooling over three spatial dimensions, and their gradients."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, merge, with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import shape
from ossia_ops.nn.activation import FLOATS
from ossia_ops.nn.pool import check_gradient, pooling_of, zeros_of
from ossia_ops.nn.pool_kernels import Pooling
from ossia_ops.nn.windows import output_size, per_dimension

_ATTRS = {"ksize": "list(int32) >= 5", "strides": "list(int32) >= 5", "padding": "{'SAME', 'VALID'}",
          "data_format": "{'NDHWC', 'NCDHW'} = 'NDHWC'"}
_X = (np.arange(2 * 3 * 4 * 5 * 2, dtype="f4") * 7 % 13).reshape(2, 3, 4, 5, 2)
_Y = np.ones((2, 2, 2, 3, 2), "f4")
_ARGS: dict[str, Any] = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "SAME"}
_LARGEST = Pooling(_ARGS["ksize"], _ARGS["strides"], b"SAME", depth=False, channels=4).maximum(_X)


def _pooled(x: Any, ksize: Sequence[int], strides: Sequence[int], padding: bytes, data_format: bytes) -> TensorShape:
    dims = list(with_rank(x, 5).as_tuple())
    if len(strides) != 5:
        raise ValueError(f"Pool3D ops require the stride attribute to contain 5 values, but got: {len(strides)}")
    if len(ksize) != 5:
        raise ValueError(f"Pool3D requires the ksize attribute to contain 5 values, but got: {len(ksize)}")
    for axis in range(1, 5):
        if axis != (4 if data_format == b"NDHWC" else 1):
            dims[axis] = output_size(dims[axis], ksize[axis], strides[axis], 1, padding)
    return TensorShape(dims)


def _attrs_of(node: Any) -> dict[str, Any]:
    return {name: node.get_attr(name) for name in _ATTRS}


def _ranked(x: np.ndarray) -> np.ndarray:
    if x.ndim != 5:
        raise InvalidArgumentError(None, None, "tensor_in must be 5-dimensional")
    return x


max_pool3d_op = op("MaxPool3D(input: T) -> output: T", **_ATTRS, T="{half, bfloat16, float}")


@max_pool3d_op.shape
def _(input, *, ksize, strides, padding, data_format):
    return _pooled(input, ksize, strides, padding, data_format)


@max_pool3d_op.kernel_for
def _(node):
    pooling = pooling_of(node)
    return lambda x: pooling.maximum(_ranked(x))


@max_pool3d_op.gradient
def _(node, grad):
    return max_pool3d_grad_op(node.inputs[0], node.outputs[0], grad, **_attrs_of(node))


_NAN = np.where(_X < 10, np.float32(np.nan), _X)
max_pool3d_op.samples(plain=sample(_X, **_ARGS), nan=sample(_NAN, **_ARGS), empty=sample(_X[:0], **_ARGS))

max_pool3d_grad_op = op("MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> output: T",
                        **_ATTRS, T="{half, bfloat16, float} = DT_FLOAT", TInput="{half, bfloat16, float} = DT_FLOAT")


@max_pool3d_grad_op.shape
def _(orig_input, orig_output, grad):
    return with_rank(orig_input, 5)


@max_pool3d_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        check_gradient(pooling, _ranked(x).shape, y, "orig_output")
        check_gradient(pooling, x.shape, grad)
        return pooling.shared_gradient(x, y, grad)
    return kernel


@max_pool3d_grad_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.inputs[1]
    return zeros_of(x), zeros_of(y), max_pool3d_grad_grad_op(x, y, grad, **_attrs_of(node))


max_pool3d_grad_op.samples(plain=sample(_X, _LARGEST, _Y, **_ARGS))

max_pool3d_grad_grad_op = op(
    "MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T",
    **_ATTRS,
    T="{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
)


@max_pool3d_grad_grad_op.shape
def _(orig_input, orig_output, grad, *, ksize, strides, padding, data_format):
    pooled = _pooled(orig_input, ksize, strides, padding, data_format)
    merge(orig_input, grad), merge(orig_output, pooled)
    return pooled


@max_pool3d_grad_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        if grad.shape != _ranked(x).shape:
            raise InvalidArgumentError(
                None, None, f"Expected grad shape to be {dims_text(x.shape)}, but got {dims_text(grad.shape)}"
            )
        check_gradient(pooling, x.shape, y, "orig_output")
        return pooling.at_output(x, y, grad)
    return kernel


@max_pool3d_grad_grad_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.inputs[1]
    return zeros_of(x), zeros_of(y), max_pool3d_grad_op(x, y, grad, **_attrs_of(node))


max_pool3d_grad_grad_op.samples(plain=sample(_X, _LARGEST, _X, **_ARGS))

avg_pool3d_op = op("AvgPool3D(input: T) -> output: T", **_ATTRS, T=FLOATS)


@avg_pool3d_op.shape
def _(input, *, ksize, strides, padding, data_format):
    return _pooled(input, ksize, strides, padding, data_format)


@avg_pool3d_op.kernel_for
def _(node):
    pooling = pooling_of(node)
    return lambda x: pooling.mean(_ranked(x))


@avg_pool3d_op.gradient
def _(node, grad):
    return avg_pool3d_grad_op(shape(node.inputs[0]), grad, **_attrs_of(node))


avg_pool3d_op.samples(plain=sample(_X, **_ARGS), empty=sample(_X[:0], **_ARGS))

avg_pool3d_grad_op = op("AvgPool3DGrad(orig_input_shape: int32, grad: T) -> output: T", **_ATTRS, T=FLOATS)


@avg_pool3d_grad_op.shape
def _(orig_input_shape, grad):
    return with_rank(constant_shape(orig_input_shape), 5)


@avg_pool3d_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(sizes: np.ndarray, grad: np.ndarray) -> np.ndarray:
        if sizes.shape != (5,):
            raise InvalidArgumentError(None, None, "orig_input_shape must be 1-dimensional and 5 elements")
        dims = sizes.tolist()
        elements(dims)
        check_gradient(pooling, dims, grad)
        return pooling.mean_gradient(dims, grad)
    return kernel


@avg_pool3d_grad_op.gradient
def _(node, grad):
    return builder("stop_gradient")(node.inputs[0]), avg_pool3d_op(grad, **_attrs_of(node))


avg_pool3d_grad_op.samples(plain=sample(np.array(_X.shape, "i4"), _Y, **_ARGS))


def _pool(
    definition: Any,
    default: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    with name_scope(name, default, [input]) as name:
        if data_format is None:
            data_format = "NDHWC"
        last = not data_format.startswith("NC")
        return definition(
            input,
            ksize=per_dimension(ksize, 3, last, "ksize"),
            strides=per_dimension(strides, 3, last, "strides"),
            padding=padding,
            data_format=data_format,
            name=name,
        )


@public("nn.max_pool3d")
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The largest element of each window of [batch, depth, height, width, channels].

    Args:
      input: a tensor of five dimensions, in the order of `data_format`.
      ksize: window sizes: one, three or five integers.
      strides: steps: one, three or five integers.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      name: name of the result.
    """
    return _pool(max_pool3d_op, "MaxPool3D", input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool3d")
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of [batch, depth, height, width, channels]; arguments as for `max_pool3d`."""
    return _pool(avg_pool3d_op, "AvgPool3D", input, ksize, strides, padding, data_format, name)
