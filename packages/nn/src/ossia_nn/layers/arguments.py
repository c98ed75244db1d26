"""The arguments that spatial layers share: sizes per dimension, paddings, data formats, and the sizes that follow from
them."""

from __future__ import annotations

from typing import Any

_FORMATS = {"channels_last": {3: "NWC", 4: "NHWC", 5: "NDHWC"}, "channels_first": {3: "NCW", 4: "NCHW", 5: "NCDHW"}}


def sizes(value: Any, count: int, name: str) -> tuple[int, ...]:
    """`count` integers from one integer or a sequence of `count`.

    Raises:
      ValueError: anything else.
    """
    if isinstance(value, int):
        return (value,) * count
    wrong = f"The `{name}` argument must be a tuple of {count} integers. Received: {value}"
    try:
        found = tuple(value)
    except TypeError:
        raise ValueError(wrong) from None
    if len(found) != count:
        raise ValueError(wrong)
    for item in found:
        try:
            int(item)
        except (ValueError, TypeError):
            raise ValueError(f"{wrong} including element {item} of type {type(item)}") from None
    return found


def padding_name(value: Any) -> Any:
    """The padding in lower case: "valid", "same" or "causal".

    Raises:
      ValueError: another name.
    """
    if isinstance(value, (list, tuple)):
        return value
    padding = value.lower()
    if padding not in ("valid", "same", "causal"):
        raise ValueError(
            'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D). '
            'Received: '
            f"{padding}"
        )
    return padding


def format_name(value: str | None) -> str:
    """"channels_last" (the default) or "channels_first".

    Raises:
      ValueError: another name.
    """
    if value is None:
        return "channels_last"
    data_format = value.lower()
    if data_format not in _FORMATS:
        raise ValueError(
            f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
        )
    return data_format


def op_format(data_format: str, rank: int) -> str:
    """The `data_format` of the ops on tensors of `rank` dimensions, e.g. "NHWC"."""
    return _FORMATS[data_format][rank]


def wide(values: tuple[int, ...], data_format: str) -> tuple[int, ...]:
    """Values per spatial dimension with 1 for batch and channels."""
    return (1, *values, 1) if data_format == "channels_last" else (1, 1, *values)


def convolved(size: int | None, window: int, padding: str, stride: int, dilation: int = 1) -> int | None:
    """The size of a convolution's or a pool's output along a dimension."""
    if size is None:
        return None
    reach = window + (window - 1) * (dilation - 1)
    length = size if padding in ("same", "causal") else size - reach + 1
    return (length + stride - 1) // stride


def transposed(
    size: Any, window: int, padding: str, stride: int, dilation: int = 1, beyond: int | None = None
) -> Any:
    """The size (an integer or a tensor) of a transposed convolution's output along a dimension; `beyond` is the output
    padding, which says it where several sizes would give `size`."""
    if size is None:
        return None
    window = window + (window - 1) * (dilation - 1)
    if beyond is not None:
        return (size - 1) * stride + window - (2 * (window // 2) if padding == "same" else 0) + beyond
    size = size * stride
    return size + max(window - stride, 0) if padding == "valid" else size
