"""`layers.utils`: arguments of layers over images, and the sizes that come of them."""

from __future__ import annotations

from typing import Any

from ossia_nn.layers import arguments

normalize_data_format = arguments.format_name


def normalize_padding(value: str) -> str:
    """The padding in lower case: "valid" or "same".

    Raises:
        ValueError: Another name.
    """
    padding = value.lower()
    if padding not in ("valid", "same"):
        raise ValueError(f'The `padding` argument must be one of "valid", "same". Received: {padding}')
    return padding


def normalize_tuple(value: Any, n: int, name: str) -> tuple[int, ...]:
    """An integer, or `n` of them, as a tuple of `n`.

    Raises:
        ValueError: It is neither.
    """
    return arguments.sizes(value, n, name)


def convert_data_format(data_format: str, ndim: int) -> str:
    """The format of an op's attribute, such as `NHWC`, for `channels_last` and so on, with `ndim` dimensions.

    Raises:
        ValueError: There is no such format.
    """
    try:
        return {"channels_last": ("NWC", "NHWC", "NDHWC"), "channels_first": ("NCW", "NCHW", "NCDHW")}[data_format][
            {3: 0, 4: 1, 5: 2}[ndim]
        ]
    except KeyError:
        if data_format in ("channels_last", "channels_first"):
            raise ValueError("Input rank not supported:", ndim) from None
        raise ValueError("Invalid data_format:", data_format) from None


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """How long the output of a convolution is; None for an unknown input.

    Raises:
        AssertionError: No such padding.
    """
    if input_length is not None and padding not in ("same", "valid", "full"):
        raise AssertionError(f"padding must be 'same', 'valid' or 'full', not {padding!r}")
    if padding == "full" and input_length is not None:
        return (input_length + (filter_size - 1) * dilation + stride - 1) // stride
    return arguments.convolved(input_length, filter_size, padding, stride, dilation)


def conv_input_length(output_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """How long the input of a convolution is that has an output of some length; None for an unknown one.

    Raises:
        AssertionError: No such padding.
    """
    if output_length is None:
        return None
    if padding not in ("same", "valid", "full"):
        raise AssertionError(f"padding must be 'same', 'valid' or 'full', not {padding!r}")
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(input_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """How long the output of a transposed convolution is; None for an unknown input."""
    if input_length is None:
        return None
    length = input_length * stride
    return length + max(filter_size - stride, 0) if padding == "valid" else length - (stride + filter_size - 2) * (
        padding == "full")
