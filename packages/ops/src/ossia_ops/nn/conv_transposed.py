"""Transposed convolutions: the gradients of convolutions, used as layers that enlarge."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, one_of, squeeze
from ossia_ops.nn.conv import conv2d_backprop_input_op, spatial_format
from ossia_ops.nn.conv3d import conv3d_backprop_input_v2_op
from ossia_ops.nn.windows import per_dimension


@public("nn.conv2d_transpose")
def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The transpose of `conv2d`: what multiplies its output's gradient on the way to its input.

    Args:
      value: [batch, height, width, in channels], or as `data_format` says.
      filter: [height, width, out channels, in channels].
      output_shape: shape of the result.
      strides: steps, one, two or four integers.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: name of the result.
      input, filters: newer names of `value` and `filter`.
      dilations: distance of the filter's elements.
    """
    value, filter = one_of("input", input, "value", value), one_of("filters", filters, "filter", filter)
    with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as name:
        if data_format is None:
            data_format = "NHWC"
        last = not data_format.startswith("NC")
        return conv2d_backprop_input_op(
            output_shape,
            filter,
            value,
            strides=per_dimension(strides, 2, last, "strides"),
            padding=padding,
            data_format=data_format,
            dilations=per_dimension(dilations, 2, last, "dilations"),
            name=name,
        )


@public("nn.conv3d_transpose")
def conv3d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The transpose of `conv3d`; arguments as for `conv2d_transpose`, with three spatial dimensions."""
    value, filter = one_of("input", input, "value", value), one_of("filters", filters, "filter", filter)
    with name_scope(name, "conv3d_transpose", [value, filter, output_shape]) as name:
        if data_format is None:
            data_format = "NDHWC"
        last = not data_format.startswith("NC")
        return conv3d_backprop_input_v2_op(
            output_shape,
            filter,
            value,
            strides=per_dimension(strides, 3, last, "strides"),
            padding=padding,
            data_format=data_format,
            dilations=per_dimension(dilations, 3, last, "dilations"),
            name=name,
        )


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`; arguments as for `conv2d_transpose`, with one spatial dimension."""
    with name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        if data_format not in ("NWC", "NCW", None):
            raise ValueError('data_format must be "NWC" or "NCW".')
        data_format, axis = spatial_format(data_format)
        strides = [1, *per_dimension(strides, 1, axis == 1, "strides")]
        dilations = [1, *per_dimension(dilations, 1, axis == 1, "dilations")]
        input = expand_dims(input, axis)
        filters = expand_dims(filters, 0)
        output_shape = list(output_shape) if isinstance(output_shape, (tuple, list)) else output_shape
        output_shape = builder("concat")([output_shape[:axis], [1], output_shape[axis:]], 0)
        result = conv2d_backprop_input_op(
            output_shape,
            filters,
            input,
            strides=strides,
            padding=padding,
            data_format=data_format,
            dilations=dilations,
            name=name,
        )
        return squeeze(result, axis)


@public("nn.conv_transpose")
def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, by the size of `output_shape`.

    Raises:
      ValueError: `output_shape` has not 3, 4 or 5 elements.
    """
    with name_scope(name, "conv_transpose", [input, filters, output_shape]) as name:
        size = output_shape.shape.as_list()[0] if isinstance(output_shape, Tensor) else len(output_shape)
        arguments: dict[str, Any] = {
            "strides": strides,
            "padding": padding,
            "data_format": data_format,
            "dilations": dilations,
            "name": name,
        }
        if size == 3:
            return conv1d_transpose(input, filters, output_shape, **arguments)
        if size not in (4, 5):
            raise ValueError(f"output_shape must be of length 3, 4 or 5 but was {size}.")
        function = conv2d_transpose if size == 4 else conv3d_transpose
        return function(input, filters, output_shape, **arguments)


@public("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: str, name: str | None = None
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    Args:
      value: [batch, height, width, in channels].
      filters: [height, width, out channels, in channels].
      output_shape: shape of the result, four integers or a tensor.
      rate: distance of the filter's elements.
      padding: "SAME" or "VALID".
      name: name of the result.

    Raises:
      ValueError: arguments that do not fit each other.
    """
    with name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as name:
        value = convert_to_tensor(value, name="value")
        filters = convert_to_tensor(filters, name="filters")
        if not value.shape.dims[3].is_compatible_with(filters.shape[3]):
            raise ValueError(
                f"value's input channels does not match filters' input channels, {value.shape.as_list()[3]} != "
                f"{filters.shape.as_list()[3]}"
            )
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        if rate == 1:
            return conv2d_transpose(
                value, filters, output_shape, strides=[1, 1, 1, 1], padding=padding, data_format="NHWC"
            )
        given = output_shape
        output_shape = convert_to_tensor(output_shape, name="output_shape")
        if not output_shape.shape.is_compatible_with([4]):
            raise ValueError(f"output_shape must have shape (4,), got {output_shape.shape}")
        sizes: Any = output_shape
        if isinstance(given, (list, np.ndarray)):
            if not filters.shape.dims[2].is_compatible_with(given[3]):
                raise ValueError(
                    f"output_shape does not match filter's output channels, {given[3]} != {filters.shape.as_list()[2]}"
                )
            sizes = given
        top, bottom, left, right = _around(filters, rate, padding)
        height = sizes[1] + top + bottom
        width = sizes[2] + left + right
        bottom_extra = (rate - height % rate) % rate
        right_extra = (rate - width % rate) % rate
        value = builder("space_to_batch")(input=value, paddings=[[0, bottom_extra], [0, right_extra]], block_size=rate)
        input_sizes = [rate * rate * sizes[0], (height + bottom_extra) // rate, (width + right_extra) // rate, sizes[3]]
        value = conv2d_backprop_input_op(
            input_sizes, filters, value, strides=[1, 1, 1, 1], padding="VALID", data_format="NHWC"
        )
        crops = [[top, bottom + bottom_extra], [left, right + right_extra]]
        return builder("batch_to_space")(input=value, crops=crops, block_size=rate)


def _around(filters: Tensor, rate: int, padding: str) -> tuple[Any, Any, Any, Any]:
    """Padding above, below, left and right."""
    if padding == "VALID":
        return 0, 0, 0, 0
    if padding != "SAME":
        raise ValueError(f"padding must be either VALID or SAME: {padding}")
    from ossia_ops.array.shape import shape
    if filters.shape.is_fully_defined():
        rows, cols = filters.shape.as_list()[:2]
    else:
        sizes = shape(filters)
        rows, cols = sizes[0], sizes[1]
    rows, cols = rows + (rows - 1) * (rate - 1), cols + (cols - 1) * (rate - 1)
    rows, cols = rows - 1, cols - 1
    top = rows // 2
    bottom = rows - top
    left = cols // 2
    return top, bottom, left, cols - left
