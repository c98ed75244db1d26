"""Maximum and average pooling over two spatial dimensions, and their gradients."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, merge, merge_dim, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.nn.activation import FLOATS
from ossia_ops.nn.pool_kernels import Pooling
from ossia_ops.nn.windows import output_size, per_dimension

REALS = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
POOLED = "{half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT"
PADDING = "{'SAME', 'VALID'}"
FORMAT = "{'NHWC', 'NCHW'} = 'NHWC'"
WINDOW = {"ksize": "list(int32) >= 4", "strides": "list(int32) >= 4", "padding": PADDING}
_X = (np.arange(2 * 5 * 5 * 2, dtype="f4") * 7 % 13).reshape(2, 5, 5, 2)
_NAN = np.where(_X < 8, np.float32(np.nan), _X)
_ARGS: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1]}


def pooled_shape(
    x: Any, ksize: Sequence[int], strides: Sequence[int], padding: bytes, data_format: bytes, depth: bool
) -> TensorShape:
    """The static shape of a pool of a [batch, height, width, channels] or [batch, channels, height, width] tensor.

    Raises:
      ValueError: attributes of another length than 4, or windows that do not fit.
    """
    packed = data_format == b"NCHW_VECT_C"  # four channels each in a fifth dimension
    dims = list(with_rank(x, 5 if packed else 4).as_tuple())
    if packed:
        dims[4] = merge_dim(dims[4], 4)
    kind = "Max" if depth else "Avg"
    if len(ksize) != 4:
        raise ValueError(f"{kind}Pool requires the ksize attribute to contain 4 values, but got: {len(ksize)}")
    if len(strides) != 4:
        raise ValueError(f"{kind}Pool requires the stride attribute to contain 4 values, but got: {len(strides)}")
    channels = 3 if data_format == b"NHWC" else 1
    for axis in range(1, 4):
        if axis != channels or depth:
            dims[axis] = output_size(dims[axis], ksize[axis], strides[axis], 1, padding)
    return TensorShape(dims)


def pooling_of(node: Any, depth: bool = False) -> Pooling:
    """The windows that a node's attributes describe."""
    attrs = node.attrs
    if attrs.get("data_format") == b"NCHW_VECT_C":
        raise InvalidArgumentError(None, None, "Default MaxPoolingOp only supports NHWC on device type CPU")
    return Pooling(attrs["ksize"], attrs["strides"], attrs["padding"], depth=depth,
                   channels=1 if attrs.get("data_format", b"N").startswith(b"NC") else len(attrs["ksize"]) - 1)


def check_rank(x: np.ndarray, rank: int, name: str = "tensor_in") -> None:
    """Raises InvalidArgumentError unless the array has the rank."""
    if x.ndim != rank:
        raise InvalidArgumentError(None, None, f"{name} must be {rank}-dimensional")


def check_images(x: np.ndarray) -> None:
    """Raises InvalidArgumentError unless the array has the rank of a batch of images."""
    if x.ndim != 4:
        raise InvalidArgumentError(None, None, f"tensor_in_shape must have 2 spatial dimensions. {x.ndim} 0")


def check_gradient(pooling: Pooling, x_shape: Sequence[int], grad: np.ndarray, name: str = "out_backprop") -> None:
    """Raises InvalidArgumentError unless `grad` has the shape that pooling an array of `x_shape` gives."""
    expected = pooling.out_shape(x_shape)
    if grad.shape != expected:
        raise InvalidArgumentError(
            None, None, f"Expected {name} to have shape {dims_text(expected)}, but got {dims_text(grad.shape)}"
        )


max_pool_op = op(
    "MaxPool(input: T) -> output: T", T=POOLED, **WINDOW, data_format="{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
)


@max_pool_op.shape
def _(input, *, ksize, strides, padding, data_format):
    return pooled_shape(input, ksize, strides, padding, data_format, True)


@max_pool_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray) -> np.ndarray:
        check_images(x)
        return pooling.maximum(x)
    return kernel


def window_attrs(node: Any, *names: str) -> dict[str, Any]:
    """The attributes of a node that describe its windows, and others by name."""
    return {name: node.get_attr(name) for name in ("ksize", "strides", "padding", *names)}


@max_pool_op.gradient
def _(node, grad):
    return max_pool_grad_op(node.inputs[0], node.outputs[0], grad, **window_attrs(node, "data_format"))


max_pool_op.samples(
    same=sample(_X, padding="SAME", **_ARGS),
    valid=sample(_X, padding="VALID", **_ARGS),
    overlap=sample(_X, ksize=[1, 3, 2, 1], strides=[1, 1, 1, 1], padding="SAME"),
    depth=sample(_X, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="SAME"),
    empty=sample(_X[:0], padding="SAME", **_ARGS),
    nan=sample(_NAN, padding="SAME", **_ARGS),
    nan_depth=sample(_NAN, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="SAME"),
    refused_depth=sample(_X, ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3], padding="SAME"),
)

max_pool_grad_op = op(
    "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> output: T",
    **WINDOW,
    data_format=FORMAT,
    T=REALS + " = DT_FLOAT",
)


@max_pool_grad_op.shape
def _(orig_input, orig_output, grad):
    return with_rank(orig_input, 4)


@max_pool_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        check_rank(x, 4)
        check_rank(y, 4, "tensor_out")
        check_rank(grad, 4, "out_backprop")
        check_gradient(pooling, x.shape, y, "orig_output")
        check_gradient(pooling, x.shape, grad)
        return pooling.maximum_gradient(x, grad)
    return kernel


def zeros_of(x: Tensor) -> Tensor:
    """Zeros of the shape of `x`, as gradients of pools make them."""
    return zeros(shape=shape(x), dtype=x.dtype)


@max_pool_grad_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.inputs[1]
    return zeros_of(x), zeros_of(y), max_pool_grad_grad_op(x, y, grad, **window_attrs(node, "data_format"))


_Y = np.ones((2, 3, 3, 2), "f4")
_LARGEST = Pooling([1, 2, 2, 1], [1, 2, 2, 1], b"SAME", depth=True, channels=3).maximum(_X)
max_pool_grad_op.samples(
    plain=sample(_X, _LARGEST, _Y, padding="SAME", **_ARGS), nan=sample(_NAN, _LARGEST, _Y, padding="SAME", **_ARGS)
)

max_pool_grad_grad_op = op(
    "MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T", **WINDOW, data_format=FORMAT, T=REALS
)


@max_pool_grad_grad_op.shape
def _(orig_input, orig_output, grad, *, ksize, strides, padding, data_format):
    merge(orig_input, grad)
    pooled = pooled_shape(orig_input, ksize, strides, padding, data_format, True)
    merge(orig_input, grad), merge(orig_output, pooled)
    return pooled


@max_pool_grad_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        check_rank(x, 4)
        check_gradient(pooling, x.shape, y, "orig_output")
        if grad.shape != x.shape:
            raise InvalidArgumentError(
                None, None, f"Expected grad shape to be {dims_text(x.shape)}, but got {dims_text(grad.shape)}"
            )
        return pooling.at_output(x, y, grad)
    return kernel


@max_pool_grad_grad_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.inputs[1]
    return zeros_of(x), zeros_of(y), max_pool_grad_op(x, y, grad, **window_attrs(node, "data_format"))


max_pool_grad_grad_op.samples(plain=sample(_X, _LARGEST, _X, padding="SAME", **_ARGS))

avg_pool_op = op("AvgPool(value: T) -> output: T", **WINDOW, data_format=FORMAT, T=FLOATS)


@avg_pool_op.shape
def _(value, *, ksize, strides, padding, data_format):
    return pooled_shape(value, ksize, strides, padding, data_format, False)


@avg_pool_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(x: np.ndarray) -> np.ndarray:
        check_images(x)
        return pooling.mean(x)
    return kernel


@avg_pool_op.gradient
def _(node, grad):
    return avg_pool_grad_op(shape(node.inputs[0]), grad, **window_attrs(node, "data_format"))


avg_pool_op.samples(
    same=sample(_X, padding="SAME", **_ARGS),
    valid=sample(_X, padding="VALID", **_ARGS),
    overlap=sample(_X, ksize=[1, 3, 2, 1], strides=[1, 1, 1, 1], padding="SAME"),
    empty=sample(_X[:0], padding="SAME", **_ARGS),
)

avg_pool_grad_op = op(
    "AvgPoolGrad(orig_input_shape: int32, grad: T) -> output: T", **WINDOW, data_format=FORMAT, T=FLOATS
)


@avg_pool_grad_op.shape
def _(orig_input_shape, grad):
    return with_rank(constant_shape(orig_input_shape), 4)


@avg_pool_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(sizes: np.ndarray, grad: np.ndarray) -> np.ndarray:
        if sizes.shape != (4,):
            raise InvalidArgumentError(
                None, None, "out_backprop must be 4-dimensional: orig_input_shape must hold 4 sizes"
            )
        dims = sizes.tolist()
        elements(dims)
        check_gradient(pooling, dims, grad)
        return pooling.mean_gradient(dims, grad)
    return kernel


@avg_pool_grad_op.gradient
def _(node, grad):
    return builder("stop_gradient")(node.inputs[0]), avg_pool_op(grad, **window_attrs(node, "data_format"))


avg_pool_grad_op.samples(plain=sample(np.array([2, 5, 5, 2], "i4"), _Y, padding="SAME", **_ARGS))


def one_of_two(new: Any, old: Any, new_name: str, old_name: str) -> Any:
    """The value of an argument that has two names."""
    if new is not None:
        if old is not None:
            raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
        return new
    return old


@public("nn.max_pool")
def max_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: Any = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The largest element of each window.

    Args:
      value: [batch, height, width, channels], or as `data_format` says.
      ksize: window sizes: one, two or four integers.
      strides: steps: one, two or four integers.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: name of the result.
      input: the newer name of `value`.

    Raises:
      ValueError: a window of size 0, or another number of sizes.
    """
    value = one_of_two(input, value, "input", "value")
    with name_scope(name, "MaxPool", [value]) as name:
        if data_format is None:
            data_format = "NHWC"
        last = not data_format.startswith("NC")
        ksize, strides = per_dimension(ksize, 2, last, "ksize"), per_dimension(strides, 2, last, "strides")
        if 0 in ksize:
            raise ValueError("ksize cannot be zero.")
        return max_pool_op(value, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)


@public("nn.max_pool2d")
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: Any = "NHWC", name: str | None = None
) -> Tensor:
    """Like `max_pool`."""
    with name_scope(name, "MaxPool2d", [input]) as name:
        if data_format is None:
            data_format = "NHWC"
        last = not data_format.startswith("NC")
        ksize, strides = per_dimension(ksize, 2, last, "ksize"), per_dimension(strides, 2, last, "strides")
        return max_pool_op(input, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)


@public("nn.avg_pool", "nn.avg_pool2d")
def avg_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: Any = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The mean of each window's elements that lie inside the image.

    Args:
      value: [batch, height, width, channels], or as `data_format` says.
      ksize: window sizes: one, two or four integers.
      strides: steps: one, two or four integers.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: name of the result.
      input: the newer name of `value`.
    """
    with name_scope(name, "AvgPool", [value]) as name:
        value = one_of_two(input, value, "input", "value")
        if data_format is None:
            data_format = "NHWC"
        last = not data_format.startswith("NC")
        ksize, strides = per_dimension(ksize, 2, last, "ksize"), per_dimension(strides, 2, last, "strides")
        return avg_pool_op(value, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)


@public("nn.max_pool_v2")
def max_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: Any = None, name: str | None = None
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of `input`.

    Raises:
      ValueError: a rank that is unknown or not 3, 4 or 5.
    """
    return _by_rank(input, "max_pool", ksize, strides, padding, data_format, name)


@public("nn.avg_pool_v2")
def avg_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: Any = None, name: str | None = None
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of `input`.

    Raises:
      ValueError: a rank that is unknown or not 3, 4 or 5.
    """
    return _by_rank(input, "avg_pool", ksize, strides, padding, data_format, name)


def _by_rank(
    input: Any, kind: str, ksize: Any, strides: Any, padding: str, data_format: Any, name: str | None
) -> Tensor:
    static = input.shape if hasattr(input, "shape") else convert_to_tensor(input).shape
    dims = len(static)
    if dims not in (3, 4, 5):
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {dims}.")
    data_format = data_format or ("NWC", "NHWC", "NDHWC")[dims - 3]
    suffix = "" if dims == 4 else f"{dims - 2}d"
    return builder(f"nn.{kind}{suffix}")(
        input, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name
    )


@public("nn.max_pool1d")
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: Any = "NWC", name: str | None = None
) -> Tensor:
    """The largest element of each window of `[batch, width, channels]`; arguments as for `max_pool`."""
    return _pool1d(max_pool_op, "MaxPool1d", input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool1d")
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: Any = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window of `[batch, width, channels]`; arguments as for `avg_pool`."""
    return _pool1d(avg_pool_op, "AvgPool1D", input, ksize, strides, padding, data_format, name)


def _pool1d(
    definition: Any,
    default: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: Any,
    name: str | None,
) -> Tensor:
    from ossia_ops.array.shape import expand_dims, squeeze
    with name_scope(name, default, [input]) as name:
        if data_format is None:
            data_format = "NWC"
        last = not data_format.startswith("NC")
        ksize = [1, *per_dimension(ksize, 1, last, "ksize")]
        strides = [1, *per_dimension(strides, 1, last, "strides")]
        axis = 1 if last else 2
        expanded = expand_dims(input, axis)
        result = definition(
            expanded, ksize=ksize, strides=strides, padding=padding, data_format="NHWC" if last else "NCHW", name=name
        )
        return squeeze(result, axis)
