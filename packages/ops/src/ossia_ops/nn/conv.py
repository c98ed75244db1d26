"""Convolutions over two spatial dimensions, their gradients, and the functions built on them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, one_of, shape, shape_n, squeeze
from ossia_ops.nn.activation import FLOATS
from ossia_ops.nn.conv_kernels import Convolution
from ossia_ops.nn.windows import output_size, per_dimension

_ATTRS = {
    "strides": "list(int32)",
    "use_cudnn_on_gpu": "bool = true",
    "padding": "{'SAME', 'VALID', 'EXPLICIT'}",
    "explicit_paddings": "list(int) = []",
    "data_format": "{'NHWC', 'NCHW'} = 'NHWC'",
    "dilations": "list(int32) = [1, 1, 1, 1]",
}


def convolution_of(node: Any) -> Convolution:
    """What a node's attributes mean for arrays.

    Raises:
      InvalidArgumentError: attributes that do not fit, or steps over batches or channels.
    """
    a = node.attrs
    rank = len(a["strides"]) - 2
    explicit, channels_last = a.get("explicit_paddings", []), a["data_format"].endswith(b"C")
    try:
        found = Convolution(rank, a["strides"], a["dilations"], a["padding"], explicit, channels_last)
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    if not found.spatial_only:
        channels = -1 if channels_last else 1
        rates = "dilations" if rank == 2 else "dilation rates"
        what = "strides" if a["strides"][0] != 1 or a["strides"][channels] != 1 else rates
        raise InvalidArgumentError(
            None, None, f"Current implementation does not yet support {what} in the batch and depth dimensions."
        )
    return found


def convolved_shape(x: Any, weights: Any, convolution: Convolution) -> TensorShape:
    """The static shape of a convolution.

    Raises:
      ValueError: ranks or sizes that do not fit.
    """
    rank = len(convolution.strides)
    dims = list(with_rank(x, rank + 2).as_tuple())
    *window, depth, out_depth = with_rank(weights, rank + 2).as_tuple()
    if not convolution.channels_last:
        dims = [dims[0], *dims[2:], dims[1]]
    channels = dims[-1]
    if channels is not None and depth is not None and depth > 0 and channels % depth:
        raise ValueError(f"Depth of input ({channels}) is not a multiple of input depth of filter ({depth})")
    if channels and depth and out_depth is not None and out_depth % (channels // depth):
        groups = channels // depth
        raise ValueError(f"Depth of output ({out_depth}) is not a multiple of the number of groups ({groups})")
    pads = [convolution.explicit[i:i + 2] for i in range(0, 2 * rank, 2)] if convolution.explicit else [()] * rank
    spatial = [
        output_size(n, k, s, d, convolution.padding, p)
        for n, k, s, d, p in zip(dims[1:-1], window, convolution.strides, convolution.dilations, pads, strict=True)
    ]
    return TensorShape([dims[0], *spatial, out_depth] if convolution.channels_last else [dims[0], out_depth, *spatial])


def _checked_sizes(sizes: np.ndarray, rank: int, name: str) -> list[int]:
    if sizes.shape != (rank,):
        raise InvalidArgumentError(None, None, f"{name} must hold {rank} sizes, got shape {dims_text(sizes.shape)}")
    dims = [int(n) for n in sizes]
    elements(dims)
    return dims


def _with_rank(rank: int, **arrays: np.ndarray) -> None:
    for name, array in arrays.items():
        if array.ndim != rank:
            separator = "" if name == "input" else ": "
            shown = f"{separator}{dims_text(array.shape)}" if rank == 4 else ""
            raise InvalidArgumentError(None, None, f"{name} must be {rank}-dimensional{shown}")


def forward_kernel(node: Any) -> Callable:
    """The kernel of a convolution node."""
    convolution = convolution_of(node)
    rank = len(convolution.strides) + 2

    def kernel(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        _with_rank(rank, input=x, filter=weights)
        return convolution.restored(convolution.forward(convolution.last(x), weights))
    return kernel


def input_gradient_kernel(node: Any) -> Callable:
    """The kernel of a node that computes the gradient of a convolution's input from sizes, filter and gradient."""
    convolution = convolution_of(node)
    rank = len(convolution.strides) + 2

    def kernel(sizes: np.ndarray, weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        _with_rank(rank, filter=weights, out_backprop=grad)
        shape = _checked_sizes(sizes, rank, "input_sizes")
        if not convolution.channels_last:
            shape = [shape[0], *shape[2:], shape[1]]
        return convolution.restored(convolution.input_gradient(shape, weights, convolution.last(grad)))
    return kernel


def filter_gradient_kernel(node: Any) -> Callable:
    """The kernel of a node that computes the gradient of a convolution's filter from input, sizes and gradient."""
    convolution = convolution_of(node)
    rank = len(convolution.strides) + 2

    def kernel(x: np.ndarray, sizes: np.ndarray, grad: np.ndarray) -> np.ndarray:
        _with_rank(rank, input=x, out_backprop=grad)
        shape = _checked_sizes(sizes, rank, "filter_sizes")
        return convolution.filter_gradient(convolution.last(x), tuple(shape), convolution.last(grad))
    return kernel


conv2d_op = op("Conv2D(input: T, filter: T) -> output: T", T=FLOATS, **_ATTRS)


@conv2d_op.shape
def _(input, filter, *, strides, padding, explicit_paddings, data_format, dilations):
    return convolved_shape(
        input, filter, Convolution(2, strides, dilations, padding, explicit_paddings, data_format == b"NHWC")
    )


conv2d_op.kernel_for(forward_kernel)


@conv2d_op.gradient
def _(node, grad):
    x, weights = node.inputs
    attrs = _attrs_of(node)
    x_shape, weights_shape = shape_n([x, weights])
    return conv2d_backprop_input_op(x_shape, weights, grad, **attrs), conv2d_backprop_filter_op(
        x, weights_shape, grad, **attrs
    )


conv2d_backprop_input_op = op(
    "Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T", T=FLOATS, **_ATTRS
)


@conv2d_backprop_input_op.shape
def _(input_sizes, filter, out_backprop):
    return with_rank(constant_shape(input_sizes), 4)


conv2d_backprop_input_op.kernel_for(input_gradient_kernel)


@conv2d_backprop_input_op.gradient
def _(node, grad):
    attrs = _attrs_of(node)
    _, weights, backprop = node.inputs
    return None, conv2d_backprop_filter_op(grad, shape(weights), backprop, **attrs), conv2d_op(grad, weights, **attrs)


conv2d_backprop_filter_op = op(
    "Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T", T=FLOATS, **_ATTRS
)


@conv2d_backprop_filter_op.shape
def _(input, filter_sizes, out_backprop):
    return with_rank(constant_shape(filter_sizes), 4)


conv2d_backprop_filter_op.kernel_for(filter_gradient_kernel)


@conv2d_backprop_filter_op.gradient
def _(node, grad):
    attrs = _attrs_of(node)
    x, _, backprop = node.inputs
    return conv2d_backprop_input_op(shape(x), grad, backprop, **attrs), None, conv2d_op(x, grad, **attrs)


def _attrs_of(node: Any) -> dict[str, Any]:
    return {name: node.get_attr(name) for name in _ATTRS}


_X, _W = (
    np.arange(2 * 4 * 5 * 2, dtype="f4").reshape(2, 4, 5, 2) / 10,
    np.arange(3 * 2 * 2 * 3, dtype="f4").reshape(3, 2, 2, 3) / 10,
)
conv2d_op.samples(
    same=sample(_X, _W, strides=[1, 1, 1, 1], padding="SAME"),
    valid=sample(_X, _W, strides=[1, 1, 2, 1], padding="VALID"),
    dilated=sample(_X, _W[:2], strides=[1, 1, 1, 1], padding="SAME", dilations=[1, 2, 2, 1]),
    explicit=sample(_X, _W, strides=[1, 2, 1, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0]),
    empty=sample(_X[:0], _W, strides=[1, 1, 1, 1], padding="SAME"),
)
_SIZES, _FILTER_SIZES = np.array(_X.shape, np.int32), np.array(_W.shape, np.int32)
_DY = np.arange(2 * 4 * 5 * 3, dtype="f4").reshape(2, 4, 5, 3) / 10
_ONE: dict[str, Any] = {"strides": [1, 1, 1, 1], "padding": "SAME"}
_TWO: dict[str, Any] = {"strides": [1, 2, 2, 1], "padding": "VALID"}
_EXPLICIT: dict[str, Any] = {
    "strides": [1, 2, 1, 1], "padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 0, 1, 0, 0]
}


def _hostile(first: Any, second: Any, gradient: Any) -> dict[str, Any]:
    """Samples to be refused: the two inputs that are not the gradient, for both gradients of a convolution."""
    return {
        "refused_rank": sample(first, second, gradient[0], **_ONE),
        "refused_batch": sample(first, second, gradient[:1], **_ONE),
        "refused_depth": sample(first, second, gradient[..., :2], **_ONE),
        "refused_rows": sample(first, second, gradient[:, :3], **_ONE),
        "refused_stride": sample(first, second, gradient, strides=[1, 0, 1, 1], padding="SAME"),
        "refused_batch_stride": sample(first, second, gradient, strides=[2, 1, 1, 1], padding="SAME"),
        "refused_strides": sample(first, second, gradient, strides=[1, 1], padding="SAME"),
        "refused_dilation": sample(first, second, gradient, dilations=[1, 0, 1, 1], **_ONE),
        "refused_paddings": sample(
            first, second, gradient, strides=[1, 1, 1, 1], padding="EXPLICIT",
            explicit_paddings=[0, 0, -1, 1, 0, 0, 0, 0]
        ),
    }


conv2d_backprop_input_op.samples(
    same=sample(_SIZES, _W, _DY, **_ONE), valid=sample(_SIZES, _W, _DY[:, :1, :2], **_TWO),
    explicit=sample(_SIZES, _W, _DY[:, :3], **_EXPLICIT),
    empty=sample(np.array([0, 4, 5, 2], np.int32), _W, _DY[:0], **_ONE),
    double=sample(_SIZES, _W.astype("f8"), _DY.astype("f8"), **_ONE),
    half=sample(_SIZES, _W.astype("f2"), _DY.astype("f2"), **_ONE),
    refused_sizes=sample(_SIZES[:3], _W, _DY, **_ONE), refused_negative=sample(-_SIZES, _W, _DY, **_ONE),
    refused_huge=sample(np.array([2, 2**30, 2**30, 2], np.int32), _W, _DY, **_ONE),
    refused_channels=sample(np.array([2, 4, 5, 3], np.int32), _W, _DY, **_ONE),
    refused_filter=sample(_SIZES, _W[0], _DY, **_ONE),
    refused_no_filter=sample(_SIZES, _W[:0], _DY, **_ONE),
    **_hostile(_SIZES, _W, _DY),
)
conv2d_backprop_filter_op.samples(
    same=sample(_X, _FILTER_SIZES, _DY, **_ONE), valid=sample(_X, _FILTER_SIZES, _DY[:, :1, :2], **_TWO),
    explicit=sample(_X, _FILTER_SIZES, _DY[:, :3], **_EXPLICIT),
    empty=sample(_X[:0], _FILTER_SIZES, _DY[:0], **_ONE),
    double=sample(_X.astype("f8"), _FILTER_SIZES, _DY.astype("f8"), **_ONE),
    half=sample(_X.astype("f2"), _FILTER_SIZES, _DY.astype("f2"), **_ONE),
    refused_sizes=sample(_X, _FILTER_SIZES[:3], _DY, **_ONE), refused_negative=sample(_X, -_FILTER_SIZES, _DY, **_ONE),
    refused_huge=sample(_X, np.array([2**30, 2**30, 2, 3], np.int32), _DY, **_ONE),
    refused_channels=sample(_X, np.array([3, 2, 5, 3], np.int32), _DY, **_ONE),
    refused_input=sample(_X[0], _FILTER_SIZES, _DY, **_ONE),
    **_hostile(_X, _FILTER_SIZES, _DY),
)


def converted_padding(padding: Any) -> tuple[Any, list[int]]:
    """The padding attributes of an explicit list of pairs, or of a name.

    Raises:
      ValueError: a list that is not four pairs.
    """
    explicit: list[int] = []
    if padding == "EXPLICIT":
        raise ValueError(
            '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding '
            'parameter must be a '
            "list."
        )
    if isinstance(padding, (list, tuple)):
        for i, pair in enumerate(padding):
            of_two = isinstance(pair, (list, tuple)) and len(pair) == 2
            if not of_two:
                what = f"has size {len(pair)}" if isinstance(pair, (list, tuple)) else "is not a list/tuple"
                raise ValueError(
                    "When padding is a list, each element of padding must be a list/tuple of size 2. Element with "
                    f"index {i} of padding {what}"
                )
            explicit.extend(pair)
        if len(padding) != 4:
            raise ValueError(f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}")
        padding = "EXPLICIT"
    return padding, explicit


@public("nn.conv2d")
def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str | None = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """A two-dimensional convolution.

    Args:
      input: [batch, height, width, channels], or as `data_format` says.
      filter: [height, width, in channels, out channels].
      strides: step per dimension: one, two or four integers.
      padding: "SAME", "VALID", or four pairs of amounts.
      use_cudnn_on_gpu: an attribute of the op.
      data_format: "NHWC" or "NCHW".
      dilations: distance of the filter's elements per dimension.
      name: name of the result.
      filters: the newer name of `filter`.
    """
    filter = one_of("filters", filters, "filter", filter)
    padding, explicit = converted_padding(padding)
    last = data_format is None or not data_format.startswith("NC")
    return conv2d_op(
        input,
        filter,
        strides=per_dimension(strides, 2, last, "strides"),
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format or "NHWC",
        dilations=per_dimension(dilations, 2, last, "dilations"),
        name=name,
    )


@public("nn.conv2d_backprop_input")
def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its input, of the shape `input_sizes`."""
    filter = one_of("filters", filters, "filter", filter)
    padding, explicit = converted_padding(padding)
    return conv2d_backprop_input_op(
        input_sizes,
        filter,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


@public("nn.conv2d_backprop_filter")
def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its filter, of the shape `filter_sizes`."""
    padding, explicit = converted_padding(padding)
    return conv2d_backprop_filter_op(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )


@public("nn.conv1d")
def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool | None = None,
    data_format: str | None = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """A one-dimensional convolution, computed as a two-dimensional one of height 1.

    Args:
      value: [batch, width, channels], or as `data_format` says.
      filters: [width, in channels, out channels].
      stride: step, one or three integers.
      padding: "SAME" or "VALID".
      use_cudnn_on_gpu: an attribute of the op.
      data_format: "NWC" (the default) or "NCW".
      name: name of the result.
      input: the newer name of `value`.
      dilations: distance of the filter's elements.

    Raises:
      ValueError: another data format.
    """
    value = one_of("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as name:
        data_format, axis = spatial_format(data_format)
        stride = [1, *per_dimension(stride, 1, axis == 1, "stride")]
        dilations = [1, *per_dimension(dilations, 1, axis == 1, "dilations")]
        value = expand_dims(value, axis)
        filters = expand_dims(filters, 0)
        result = conv2d_op(
            value,
            filters,
            strides=stride,
            padding=padding,
            use_cudnn_on_gpu=use_cudnn_on_gpu,
            data_format=data_format,
            dilations=dilations,
            name=name,
        )
        return squeeze(result, [axis])


def spatial_format(data_format: str | None) -> tuple[str, int]:
    """The two-dimensional format for a one-dimensional one, and where the height is inserted."""
    if data_format is None or data_format in ("NHWC", "NWC"):
        return "NHWC", 1
    if data_format in ("NCHW", "NCW"):
        return "NCHW", 2
    raise ValueError('data_format must be "NWC" or "NCW".')
