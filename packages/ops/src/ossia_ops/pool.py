"""Maximum and average pooling over two spatial dimensions, and their gradients."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.builders import builder
from ossia_core.errors import InvalidArgumentError
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import constant, constant_shape, merge, with_rank
from ossia_core.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.sizes import elements
from ossia_ops.activation import FLOATS
from ossia_ops.fill import zeros
from ossia_ops.pool_kernels import Pooling
from ossia_ops.shape import shape
from ossia_ops.windows import output_size, per_dimension

_REAL = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
_POOLED = "{half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT"
_PADDING = "{'SAME', 'VALID'}"
_FORMAT = "{'NHWC', 'NCHW'} = 'NHWC'"
_WINDOW = {"ksize": "list(int) >= 4", "strides": "list(int) >= 4", "padding": _PADDING}
_X = (np.arange(2 * 5 * 5 * 2, dtype="f4") * 7 % 13).reshape(2, 5, 5, 2)
_ARGS: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1]}


def pooled_shape(
    x: Any, ksize: Sequence[int], strides: Sequence[int], padding: bytes, data_format: bytes, depth: bool
) -> TensorShape:
    """The static shape of a pool of a [batch, height, width, channels] or [batch, channels, height, width] tensor.

    Raises:
      ValueError: attributes of another length than 4, or windows that do not fit.
    """
    dims = list(with_rank(x, 4).as_tuple())
    if len(ksize) != 4:
        raise ValueError(f"Pool requires the ksize attribute to contain 4 values, but got: {len(ksize)}")
    if len(strides) != 4:
        raise ValueError(f"Pool requires the stride attribute to contain 4 values, but got: {len(strides)}")
    channels = 3 if data_format == b"NHWC" else 1
    for axis in range(1, 4):
        if axis != channels or depth:
            dims[axis] = output_size(dims[axis], ksize[axis], strides[axis], 1, padding)
    return TensorShape(dims)


def pooling_of(node: Any, depth: bool = False) -> Pooling:
    """The windows that a node's attributes describe."""
    attrs = node.attrs
    return Pooling(attrs["ksize"], attrs["strides"], attrs["padding"], depth=depth,
                   channels=1 if attrs.get("data_format", b"N").startswith(b"NC") else len(attrs["ksize"]) - 1)


def _with_rank(x: np.ndarray, rank: int, name: str = "tensor_in") -> None:
    if x.ndim != rank:
        raise InvalidArgumentError(None, None, f"{name} must be {rank}-dimensional")


def check_gradient(pooling: Pooling, x_shape: Sequence[int], grad: np.ndarray, name: str = "out_backprop") -> None:
    """Raises InvalidArgumentError unless `grad` has the shape that pooling an array of `x_shape` gives."""
    expected = pooling.out_shape(x_shape)
    if grad.shape != expected:
        raise InvalidArgumentError(
            None, None, f"Expected {name} to have shape {list(expected)}, but got {list(grad.shape)}"
        )


max_pool_op = op(
    "MaxPool(input: T) -> output: T", T=_POOLED, data_format="{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'", **_WINDOW
)


@max_pool_op.shape
def _(input, *, ksize, strides, padding, data_format):
    return pooled_shape(input, ksize, strides, padding, data_format, True)


@max_pool_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray) -> np.ndarray:
        _with_rank(x, 4)
        return pooling.maximum(x)
    return kernel


def _window_attrs(node: Any, *names: str) -> dict[str, Any]:
    return {name: node.get_attr(name) for name in ("ksize", "strides", "padding", *names)}


@max_pool_op.gradient
def _(node, grad):
    return max_pool_grad_op(node.inputs[0], node.outputs[0], grad, **_window_attrs(node, "data_format"))


max_pool_op.samples(
    same=sample(_X, padding="SAME", **_ARGS),
    valid=sample(_X, padding="VALID", **_ARGS),
    overlap=sample(_X, ksize=[1, 3, 2, 1], strides=[1, 1, 1, 1], padding="SAME"),
    depth=sample(_X, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="SAME"),
    empty=sample(_X[:0], padding="SAME", **_ARGS),
)

max_pool_grad_op = op(
    "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> output: T",
    data_format=_FORMAT,
    T=_REAL + " = DT_FLOAT",
    **_WINDOW,
)


@max_pool_grad_op.shape
def _(orig_input, orig_output, grad):
    return with_rank(orig_input, 4)


@max_pool_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        _with_rank(x, 4)
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
    return zeros_of(x), zeros_of(y), max_pool_grad_grad_op(x, y, grad, **_window_attrs(node, "data_format"))


_Y = np.ones((2, 3, 3, 2), "f4")
max_pool_grad_op.samples(plain=sample(_X, _Y, _Y, padding="SAME", **_ARGS))

max_pool_grad_grad_op = op(
    "MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T", data_format=_FORMAT, T=_REAL, **_WINDOW
)


@max_pool_grad_grad_op.shape
def _(orig_input, orig_output, grad, *, ksize, strides, padding, data_format):
    pooled_shape(orig_input, ksize, strides, padding, data_format, True)
    return merge(orig_output, pooled_shape(orig_input, ksize, strides, padding, data_format, True))


@max_pool_grad_grad_op.kernel_for
def _(node):
    pooling = pooling_of(node, depth=True)

    def kernel(x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        _with_rank(x, 4)
        check_gradient(pooling, x.shape, y, "orig_output")
        if grad.shape != x.shape:
            raise InvalidArgumentError(
                None, None, f"Expected grad shape to be {list(x.shape)}, but got {list(grad.shape)}"
            )
        return pooling.at_maximum(x, grad)
    return kernel


@max_pool_grad_grad_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.inputs[1]
    return zeros_of(x), zeros_of(y), max_pool_grad_op(x, y, grad, **_window_attrs(node, "data_format"))


max_pool_grad_grad_op.samples(plain=sample(_X, _Y, _X, padding="SAME", **_ARGS))

max_pool_v2_op = op("MaxPoolV2(input: T, ksize: int32, strides: int32) -> output: T", T=_POOLED, padding=_PADDING,
                    data_format="{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")


def _constant_window(*tensors: Tensor) -> list[list[int]] | None:
    values = [constant(t) for t in tensors]
    return None if any(v is None for v in values) else [v.tolist() for v in values]  # type: ignore[union-attr]


@max_pool_v2_op.shape
def _(input, ksize, strides, *, padding, data_format):
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
    _with_rank(input, 4)
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
    padding=_PADDING,
    data_format=_FORMAT,
    T=_REAL + " = DT_FLOAT",
)


@max_pool_grad_v2_op.shape
def _(orig_input, orig_output, grad, ksize, strides):
    return with_rank(orig_input, 4)


@max_pool_grad_v2_op.kernel
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    _with_rank(orig_input, 4)
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


max_pool_grad_v2_op.samples(plain=sample(_X, _Y, _Y, _K, _K, padding="SAME"))

max_pool_grad_grad_v2_op = op(
    "MaxPoolGradGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> output: T",
    padding=_PADDING,
    data_format=_FORMAT,
    T=_REAL,
)


@max_pool_grad_grad_v2_op.shape
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    window = _constant_window(ksize, strides)
    if window is None:
        return UNKNOWN_SHAPE
    return merge(orig_output, pooled_shape(orig_input, *window, padding, data_format, True))


@max_pool_grad_grad_v2_op.kernel
def _(orig_input, orig_output, grad, ksize, strides, *, padding, data_format):
    _with_rank(orig_input, 4)
    if grad.shape != orig_input.shape:
        raise InvalidArgumentError(
            None, None, f"Expected grad shape to be {list(orig_input.shape)}, but got {list(grad.shape)}"
        )
    return _pooling_v2(ksize, strides, padding, data_format).at_maximum(orig_input, grad)


max_pool_grad_grad_v2_op.samples(plain=sample(_X, _Y, _X, _K, _K, padding="SAME"))

avg_pool_op = op("AvgPool(value: T) -> output: T", data_format=_FORMAT, T=FLOATS, **_WINDOW)


@avg_pool_op.shape
def _(value, *, ksize, strides, padding, data_format):
    return pooled_shape(value, ksize, strides, padding, data_format, False)


@avg_pool_op.kernel_for
def _(node):
    pooling = pooling_of(node)

    def kernel(x: np.ndarray) -> np.ndarray:
        _with_rank(x, 4)
        return pooling.mean(x)
    return kernel


@avg_pool_op.gradient
def _(node, grad):
    return avg_pool_grad_op(shape(node.inputs[0]), grad, **_window_attrs(node, "data_format"))


avg_pool_op.samples(
    same=sample(_X, padding="SAME", **_ARGS),
    valid=sample(_X, padding="VALID", **_ARGS),
    overlap=sample(_X, ksize=[1, 3, 2, 1], strides=[1, 1, 1, 1], padding="SAME"),
    empty=sample(_X[:0], padding="SAME", **_ARGS),
)

avg_pool_grad_op = op(
    "AvgPoolGrad(orig_input_shape: int32, grad: T) -> output: T", data_format=_FORMAT, T=FLOATS, **_WINDOW
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
    return builder("stop_gradient")(node.inputs[0]), avg_pool_op(grad, **_window_attrs(node, "data_format"))


avg_pool_grad_op.samples(plain=sample(np.array([2, 5, 5, 2], "i4"), _Y, padding="SAME", **_ARGS))


def _argument(new: Any, old: Any, new_name: str, old_name: str) -> Any:
    """One of two names of an argument."""
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
    value = _argument(input, value, "input", "value")
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
        value = _argument(input, value, "input", "value")
        if data_format is None:
            data_format = "NHWC"
        last = not data_format.startswith("NC")
        ksize, strides = per_dimension(ksize, 2, last, "ksize"), per_dimension(strides, 2, last, "strides")
        return avg_pool_op(value, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)


max_pool_with_argmax_op = op(
    "MaxPoolWithArgmax(input: T) -> output: T, argmax: Targmax",
    Targmax="{int32, int64} = DT_INT64",
    include_batch_in_index="bool = false",
    T=_REAL,
    **_WINDOW,
)


@max_pool_with_argmax_op.shape
def _(input, *, ksize, strides, padding):
    pooled = pooled_shape(input, ksize, strides, padding, b"NHWC", True)
    return pooled, pooled


@max_pool_with_argmax_op.kernel_for
def _(node):
    pooling = pooling_of(node)
    kind, with_batch = node.attrs["Targmax"].as_numpy_dtype, node.attrs["include_batch_in_index"]

    def kernel(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        _with_rank(x, 4)
        places = np.arange(x.size if with_batch else x[:1].size, dtype=kind).reshape(
            x.shape if with_batch else x[:1].shape
        )
        return pooling.maximum(x), pooling.at_maximum(x, np.broadcast_to(places, x.shape))
    return kernel


@max_pool_with_argmax_op.gradient
def _(node, grad, unused_argmax_grad):
    return max_pool_grad_with_argmax_op(node.inputs[0], grad, node.outputs[1],
                                        **_window_attrs(node, "include_batch_in_index"))


max_pool_with_argmax_op.samples(
    same=sample(_X, padding="SAME", **_ARGS), batch=sample(_X, padding="VALID", include_batch_in_index=True, **_ARGS)
)

max_pool_grad_with_argmax_op = op("MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T",
                                  include_batch_in_index="bool = false", Targmax="{int32, int64}", T=_REAL, **_WINDOW)


@max_pool_grad_with_argmax_op.shape
def _(input, grad, argmax):
    return with_rank(input, 4)


def _places(x: np.ndarray, argmax: np.ndarray, with_batch: bool) -> np.ndarray:
    places = argmax.astype(np.int64)
    if not with_batch:
        image = x[:1].size
        places = places + np.arange(0, x.shape[0] * image, image or 1).reshape(-1, 1, 1, 1)
    if places.size and (places.min() < 0 or places.max() >= x.size):
        raise InvalidArgumentError(None, None, f"Invalid index in argmax: it must be in [0, {x.size})")
    return places


@max_pool_grad_with_argmax_op.kernel
def _(input, grad, argmax, *, include_batch_in_index):
    _with_rank(input, 4)
    if grad.shape != argmax.shape:
        raise InvalidArgumentError(
            None, None, f"grad and argmax must have the same shape: {list(grad.shape)} vs. {list(argmax.shape)}"
        )
    result = np.zeros(input.shape, grad.dtype)
    np.add.at(result.reshape(-1), _places(input, argmax, include_batch_in_index).reshape(-1), grad.reshape(-1))
    return result


max_pool_grad_with_argmax_op.samples(
    plain=sample(_X, _Y, np.arange(36).reshape(2, 3, 3, 2) % 18, padding="SAME", **_ARGS)
)

max_pool_grad_grad_with_argmax_op = op(
    "MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T",
    include_batch_in_index="bool = false",
    Targmax="{int32, int64}",
    T=_REAL,
    **_WINDOW,
)


@max_pool_grad_grad_with_argmax_op.shape
def _(input, grad, argmax, *, ksize, strides, padding):
    return merge(argmax, pooled_shape(input, ksize, strides, padding, b"NHWC", True))


@max_pool_grad_grad_with_argmax_op.kernel
def _(input, grad, argmax, *, include_batch_in_index):
    _with_rank(input, 4)
    if grad.shape != input.shape:
        raise InvalidArgumentError(
            None, None, f"Expected grad shape to be {list(input.shape)}, but got {list(grad.shape)}"
        )
    return grad.reshape(-1)[_places(input, argmax, include_batch_in_index)]


max_pool_grad_grad_with_argmax_op.samples(
    plain=sample(_X, _X, np.arange(36).reshape(2, 3, 3, 2) % 18, padding="SAME", **_ARGS)
)


@public("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:
    """The largest element of each window and its place, `(y * width + x) * channels + c`.

    Args:
      input: [batch, height, width, channels].
      ksize: window sizes, four integers.
      strides: steps, four integers.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      Targmax: the old name of `output_dtype`.
      name: name of the result.
      output_dtype: int32 or int64 (the default), dtype of the places.
      include_batch_in_index: count places over the whole batch, instead of per image.

    Returns:
      A pair: output, argmax.

    Raises:
      ValueError: another data format, or both names of the dtype.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    kind = _argument(output_dtype, Targmax, "output_dtype", "Targmax")
    return max_pool_with_argmax_op(
        input,
        ksize=ksize,
        strides=strides,
        padding=padding,
        Targmax=dtypes.int64 if kind is None else kind,
        include_batch_in_index=include_batch_in_index,
        name=name,
    )


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
    from ossia_ops.shape import expand_dims, squeeze
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
