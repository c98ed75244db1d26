"""Maximum pooling whose windows are tensors, and its gradients."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge, with_rank, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_ops.nn.pool import FORMAT, PADDING, POOLED, REALS, check_gradient, check_rank, pooled_shape, zeros_of
from ossia_ops.nn.pool_kernels import Pooling

_X = (np.arange(2 * 5 * 5 * 2, dtype="f4") * 7 % 13).reshape(2, 5, 5, 2)
_Y = np.ones((2, 3, 3, 2), "f4")
_LARGEST = Pooling([1, 2, 2, 1], [1, 2, 2, 1], b"SAME", depth=True, channels=3).maximum(_X)

max_pool_v2_op = op("MaxPoolV2(input: T, ksize: int32, strides: int32) -> output: T", T=POOLED, padding=PADDING,
                    data_format="{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")


def _constant_window(*tensors: Tensor) -> list[list[int]] | None:
    values = [constant(t) for t in tensors]
    return None if any(v is None for v in values) else [v.tolist() for v in values]  # type: ignore[union-attr]


@max_pool_v2_op.shape
def _(input, ksize, strides, *, padding, data_format):
    for tensor in (ksize, strides):
        with_value(with_rank(tensor, 1).as_tuple()[0], 4)
    window = _constant_window(ksize, strides)
    return UNKNOWN_SHAPE if window is None else pooled_shape(input, *window, padding, data_format, True)


def _pooling_v2(ksize: np.ndarray, strides: np.ndarray, padding: bytes, data_format: bytes) -> Pooling:
    if ksize.shape != (4,) or strides.shape != (4,):
        raise InvalidArgumentError(None, None, "Sliding window ksize and strides fields must specify 4 dimensions")
    return Pooling(
        ksize.tolist(), strides.tolist(), padding, depth=True, channels=1 if data_format.startswith(b"NC") else 3
    )


@max_pool_v2_op.kernel
def _(input, ksize, strides, *, padding, data_format):
    check_rank(input, 4)
    return _pooling_v2(ksize, strides, padding, data_format).maximum(input)


@max_pool_v2_op.gradient
def _(node, grad):
    x, ksize, strides = node.inputs
    return max_pool_grad_v2_op(x, node.outputs[0], grad, ksize, strides, padding=node.get_attr("padding"),
                               data_format=node.get_attr("data_format")), None, None


_K = np.array([1, 2, 2, 1], "i4")
max_pool_v2_op.samples(plain=sample(_X, _K, _K, padding="SAME"))

max_pool_grad_v2_op = op(
    "MaxPoolGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> output: T",
    padding=PADDING,
    data_format=FORMAT,
    T=REALS + " = DT_FLOAT",
)


@max_pool_grad_v2_op.shape
def _(orig_input, orig_output, grad, ksize, strides):
    return with_rank(orig_input, 4)


@max_pool_grad_v2_op.kernel
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    check_rank(orig_input, 4)
    pooling = _pooling_v2(ksize, strides, padding, data_format)
    check_gradient(pooling, orig_input.shape, grad)
    return pooling.maximum_gradient(orig_input, grad)


@max_pool_grad_v2_op.gradient
def _(node, grad):
    x, y, _, ksize, strides = node.inputs
    return (
        zeros_of(x),
        zeros_of(y),
        max_pool_grad_grad_v2_op(
            x, y, grad, ksize, strides, padding=node.get_attr("padding"), data_format=node.get_attr("data_format")
        ),
        None,
        None,
    )


max_pool_grad_v2_op.samples(plain=sample(_X, _LARGEST, _Y, _K, _K, padding="SAME"))

max_pool_grad_grad_v2_op = op(
    "MaxPoolGradGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> output: T",
    padding=PADDING,
    data_format=FORMAT,
    T=REALS,
)


@max_pool_grad_grad_v2_op.shape
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    pooled = max_pool_v2_op.shape_fn(orig_input, ksize, strides, padding=padding, data_format=data_format)
    merge(orig_input, grad), merge(orig_output, pooled)
    return pooled


@max_pool_grad_grad_v2_op.kernel
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    check_rank(orig_input, 4)
    if grad.shape != orig_input.shape:
        raise InvalidArgumentError(
            None, None, f"Expected grad shape to be {dims_text(orig_input.shape)}, but got {dims_text(grad.shape)}"
        )
    pooling = _pooling_v2(ksize, strides, padding, data_format)
    check_gradient(pooling, orig_input.shape, orig_output, "orig_output")
    return pooling.at_output(orig_input, orig_output, grad)


max_pool_grad_grad_v2_op.samples(plain=sample(_X, _LARGEST, _X, _K, _K, padding="SAME"))
