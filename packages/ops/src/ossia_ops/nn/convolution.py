"""Convolutions and pools of any rank with dilation, which is reduced to plain ones on blocks that go into the batch."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, one_of, shape, squeeze
from ossia_ops.nn.conv import conv1d, conv2d
from ossia_ops.nn.conv3d import conv3d
from ossia_ops.nn.pool import avg_pool, max_pool
from ossia_ops.nn.windows import per_dimension


def _first_channels(data_format: str | None) -> bool:
    return data_format is not None and data_format.startswith("NC")


class SpaceToBatch:
    """An op made for inputs of one shape: applied directly if the dilation is 1, else to the blocks of the input.

    Args:
      input_shape: static shape of the inputs.
      dilation_rate: vector of rates, one per dimension in `spatial_dims`.
      padding: "SAME" or "VALID".
      build_op: `f(number of spatial dimensions, padding)` returning `g(input, filter)`.
      filter_shape: shape of the filter, for "SAME".
      spatial_dims: the dimensions that are dilated.
      data_format: where the channels are.

    Raises:
      ValueError: arguments that do not fit each other.
    """

    def __init__(
        self,
        input_shape: TensorShape,
        dilation_rate: Any,
        padding: str,
        build_op: Callable,
        filter_shape: Any = None,
        spatial_dims: Sequence[int] | None = None,
        data_format: str | None = None,
    ) -> None:
        dilation_rate = convert_to_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
        if dilation_rate.shape.ndims not in (None, 1):
            raise ValueError("rate must be rank 1")
        if not dilation_rate.shape.is_fully_defined():
            raise ValueError("rate must have known shape")
        count = dilation_rate.shape.as_list()[0]
        first = 2 if _first_channels(data_format) else 1
        given = list(range(first, count + first) if spatial_dims is None else spatial_dims)
        self.spatial_dims = sorted({int(d) for d in given})
        if self.spatial_dims != given or any(d < 1 for d in given):
            raise ValueError("spatial_dims must be a montonically increasing sequence of positive integers")
        least = self.spatial_dims[-1] + (0 if _first_channels(data_format) else 1)
        try:
            input_shape.with_rank_at_least(least)
        except ValueError:
            raise ValueError(f"input tensor must have rank {least} at least") from None
        self.input_shape, self.dilation_rate, self.data_format = input_shape, dilation_rate, data_format
        self.base_paddings: Any = None
        rates = get_static_value(dilation_rate)
        self.rates: Any = dilation_rate if rates is None else rates
        if rates is not None:
            if (rates < 1).any():
                raise ValueError("dilation_rate must be positive")
            if (rates == 1).all():
                self.op, self.direct = build_op(count, padding), True
                return
        self.direct = False
        if padding == "SAME":
            if filter_shape is None:
                raise ValueError("filter_shape must be specified for SAME padding")
            filter_shape = convert_to_tensor(filter_shape, name="filter_shape")
            sizes = get_static_value(filter_shape)
            if sizes is not None:
                self.base_paddings = _base_paddings(sizes, count, self.rates)
        elif padding == "VALID":
            self.base_paddings = np.zeros([count, 2], np.int32)
        else:
            raise ValueError(f"Invalid padding method {padding!r}")
        self.op = build_op(count, "VALID")

    def __call__(self, inputs: Tensor, filter: Any = None) -> Tensor:
        """Apply the op to inputs of the shape that was given."""
        if self.direct:
            return self.op(inputs, filter)
        static = self.input_shape.as_tuple()
        sizes: Any = None if static is None else [static[d] for d in self.spatial_dims]
        if sizes is None or None in sizes:
            whole = shape(inputs)
            sizes = builder("stack")([whole[d] for d in self.spatial_dims])
        base = self.base_paddings
        if base is None:
            base = _base_paddings(shape(filter), len(self.spatial_dims), self.rates)
        paddings, crops = builder("required_space_to_batch_paddings")(
            input_shape=sizes, base_paddings=base, block_shape=self.dilation_rate
        )
        rates = _adjusted(self.dilation_rate, 1, self.spatial_dims)
        paddings, crops = _adjusted(paddings, 0, self.spatial_dims), _adjusted(crops, 0, self.spatial_dims)
        blocks = builder("space_to_batch_nd")(input=inputs, block_shape=rates, paddings=paddings)
        result = builder("batch_to_space_nd")(input=self.op(blocks, filter), block_shape=rates, crops=crops)
        if _first_channels(self.data_format) and filter is not None and result.shape.as_list()[1] is None:
            dims = result.shape.as_list()
            dims[1] = filter.shape.as_list()[-1]
            result.set_shape(dims)
        return result


def _base_paddings(filter_shape: Any, count: int, rates: Any) -> Tensor:
    extra = (filter_shape[:count] - 1) * rates
    start = extra // 2
    end = extra - start
    return builder("stack")([[start[i], end[i]] for i in range(count)])


def _adjusted(original: Tensor, fill: int, spatial_dims: Sequence[int]) -> Any:
    """Rows for the dimensions between the spatial ones, filled with `fill`."""
    row = original.shape.as_list()[1:]
    kind = original.dtype.as_numpy_dtype
    known = get_static_value(original)
    source: Any = original if known is None else known
    parts: list[Any] = []
    before = i = 0
    while i < len(spatial_dims):
        start = i
        if spatial_dims[i] > 1:
            parts.append(np.full([spatial_dims[i] - 1 - before, *row], fill, kind))
        while i + 1 < len(spatial_dims) and spatial_dims[i + 1] == spatial_dims[i] + 1:
            i += 1
        parts.append(source[start:i + 1])
        before = spatial_dims[i]
        i += 1
    return np.concatenate(parts) if known is not None else builder("concat")(parts, 0)


@public("nn.with_space_to_batch")
def with_space_to_batch(input: Any, dilation_rate: Any, padding: str, op: Callable, filter_shape: Any = None,
                        spatial_dims: Sequence[int] | None = None, data_format: str | None = None) -> Tensor:
    """`op` with its windows dilated: applied to the blocks of the input that `space_to_batch_nd` moves into the batch.

    Args:
      input: a tensor.
      dilation_rate: rates, one per spatial dimension.
      padding: "SAME" or "VALID".
      op: `f(input, number of spatial dimensions, padding)`.
      filter_shape: spatial sizes of the window, needed for "SAME".
      spatial_dims: the dimensions that are dilated; by default those that `data_format` says.
      data_format: "NC..." if the channels are the second dimension.

    Raises:
      ValueError: arguments that do not fit each other.
    """
    input = convert_to_tensor(input, name="input")

    def build_op(count: int, padding: str) -> Callable:
        return lambda inputs, _: op(inputs, count, padding)
    return SpaceToBatch(input.shape, dilation_rate, padding, build_op, filter_shape, spatial_dims, data_format)(input)


def strides_and_rates(count: int, strides: Any, rates: Any) -> tuple[np.ndarray, np.ndarray]:
    """Strides and dilation rates, one per spatial dimension, 1 by default.

    Raises:
      ValueError: another number of values, values below 1, or both larger than 1.
    """
    if rates is None:
        rates = [1] * count
    elif len(rates) != count:
        raise ValueError(f"len(dilation_rate)={len(rates)} but should be {count}")
    rates = np.array(rates, np.int32)
    if (rates < 1).any():
        raise ValueError("all values of dilation_rate must be positive")
    if strides is None:
        strides = [1] * count
    elif len(strides) != count:
        raise ValueError(f"len(strides)={len(strides)} but should be {count}")
    strides = np.array(strides, np.int32)
    if (strides < 1).any():
        raise ValueError("all values of strides must be positive")
    if (strides > 1).any() and (rates > 1).any():
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return strides, rates


class DilatedConvolution:
    """A convolution for inputs and filters of one shape, to be applied any number of times.

    Args:
      input_shape, filter_shape: static shapes.
      padding: "SAME" or "VALID".
      strides, dilation_rate: one integer per spatial dimension.
      name: name of the convolution op.
      data_format: where the channels are.

    Raises:
      ValueError: arguments that do not fit each other.
    """

    def __init__(
        self,
        input_shape: TensorShape,
        filter_shape: TensorShape,
        padding: str,
        strides: Any = None,
        dilation_rate: Any = None,
        name: str | None = None,
        data_format: str | None = None,
    ) -> None:
        rank = filter_shape.ndims or input_shape.ndims
        if rank is None:
            raise ValueError("rank of input or filter must be known")
        count = rank - 2
        try:
            input_shape.with_rank(count + 2)
        except ValueError:
            raise ValueError(f"input tensor must have rank {count + 2}") from None
        try:
            filter_shape.with_rank(count + 2)
        except ValueError:
            raise ValueError(f"filter tensor must have rank {count + 2}") from None
        first = _first_channels(data_format)
        channels = input_shape.with_rank(count + 2).dims[1 if first else count + 1]  # type: ignore[index]
        if not channels.is_compatible_with(filter_shape.with_rank(count + 2).dims[count]):  # type: ignore[index]
            raise ValueError(
                f"number of input channels does not match corresponding dimension of filter, {channels} != "
                f"{filter_shape[count]}"
            )
        self.strides, rates = strides_and_rates(count, strides, dilation_rate)
        self.data_format, self.name = data_format, name
        self.apply = SpaceToBatch(
            input_shape,
            rates,
            padding,
            self._build,
            filter_shape if filter_shape.is_fully_defined() else None,
            range(2, count + 2) if first else range(1, count + 1),
            data_format,
        )

    def _build(self, count: int, padding: str) -> Callable:
        strides = self.strides.tolist()
        if count == 1:
            return lambda x, w: conv1d(
                value=x, filters=w, stride=strides[0], padding=padding, data_format=self.data_format, name=self.name
            )
        wide = [1, 1, *strides] if _first_channels(self.data_format) else [1, *strides, 1]
        function, default = (conv2d, "NHWC") if count == 2 else (conv3d, "NDHWC")
        return lambda x, w: function(
            input=x, filter=w, strides=wide, padding=padding, data_format=self.data_format or default, name=self.name
        )

    def __call__(self, inputs: Tensor, filter: Tensor) -> Tensor:
        """The convolution of inputs and filter."""
        return self.apply(inputs, filter)


@public("nn.convolution")
def convolution(
    input: Any,
    filter: Any,
    padding: str,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """A convolution over one, two or three spatial dimensions.

    Args:
      input: [batch, *spatial, channels], or as `data_format` says.
      filter: [*spatial, in channels, out channels].
      padding: "SAME" or "VALID".
      strides: steps, one integer or one per spatial dimension.
      dilation_rate: distances of the filter's elements, one integer or one per spatial dimension.
      name: name of the result.
      data_format: "NC..." if the channels are the second dimension.
      filters, dilations: newer names of `filter` and `dilation_rate`.

    Raises:
      ValueError: arguments that do not fit each other.
    """
    dilation_rate = one_of("dilations", dilations, "dilation_rate", dilation_rate)
    filter = one_of("filters", filters, "filter", filter)
    rank = TensorShape(input.shape).ndims
    if rank is None:
        rank = TensorShape(filter.shape).ndims
        if rank is None:
            raise ValueError("rank of input or filter must be known")
    if rank not in (3, 4, 5):
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {rank}.")
    count = rank - 2
    with name_scope(name, "convolution", [input, filter]) as name:
        last = not _first_channels(data_format)
        steps, rates = (
            per_dimension(strides, count, last, "strides"),
            per_dimension(dilation_rate, count, last, "dilations"),
        )
        if all(rate == 1 for rate in rates):
            data_format = data_format or ("NWC", "NHWC", "NDHWC")[count - 1]
            if count == 1:
                return conv1d(
                    input, filter, stride=steps, padding=padding, data_format=data_format, dilations=rates, name=name
                )
            function = conv2d if count == 2 else conv3d
            return function(
                input, filter, strides=steps, padding=padding, data_format=data_format, dilations=rates, name=name
            )
        spatial = slice(1, -1) if last else slice(2, None)
        return DilatedConvolution(
            TensorShape(input.shape), TensorShape(filter.shape), padding, steps[spatial], rates[spatial], name,
            data_format,
        )(input, filter)


@public("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> Tensor:
    """A two-dimensional convolution with the same distance `rate` of the filter's elements in both dimensions.

    Args:
      value: [batch, height, width, channels].
      filters: [height, width, in channels, out channels].
      rate: a positive integer.
      padding: "SAME" or "VALID".
      name: name of the result.
    """
    return convolution(
        input=value, filter=filters, padding=padding, dilation_rate=np.broadcast_to(rate, (2,)).tolist(), name=name
    )


@public("nn.pool")
def pool(input: Any, window_shape: Any, pooling_type: str, padding: str, dilation_rate: Any = None, strides: Any = None,
         name: str | None = None, data_format: str | None = None, dilations: Any = None) -> Tensor:
    """The maximum or the mean of windows over one, two or three spatial dimensions.

    Args:
      input: [batch, *spatial, channels], or as `data_format` says.
      window_shape: window sizes, one per spatial dimension.
      pooling_type: "MAX" or "AVG".
      padding: "SAME" or "VALID".
      dilation_rate: distances of the window's elements, 1 by default.
      strides: steps, 1 by default.
      name: name of the result.
      data_format: "NC..." if the channels are the second dimension.
      dilations: the newer name of `dilation_rate`.

    Raises:
      ValueError: arguments that do not fit each other.
    """
    dilation_rate = one_of("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        count = len(window_shape)
        if count < 1 or count > 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        input.shape.with_rank(count + 2)
        steps, rates = strides_and_rates(count, strides, dilation_rate)
        if padding == "SAME" and (rates > 1).any():
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if (steps > window_shape).any():
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU implementations"
            )
        functions = (
            {"MAX": max_pool, "AVG": avg_pool}
            if count < 3
            else {"MAX": builder("nn.max_pool3d"), "AVG": builder("nn.avg_pool3d")}
        )
        if pooling_type not in functions:
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        first = _first_channels(data_format)
        spatial_dims = range(2, count + 2) if first else range(1, count + 1)
        window, wide = ([1, 1, *v] if first else [1, *v, 1] for v in (list(window_shape), steps.tolist()))
        if count == 1:
            if data_format not in (None, "NWC", "NCW"):
                raise ValueError('data_format must be either "NWC" or "NCW".')
            data_format = "NCHW" if data_format == "NCW" else "NHWC"
            window, wide = [1, *window], [1, *wide]

        def apply(x: Tensor, _: int, padding: str) -> Tensor:
            if count == 1:
                x = expand_dims(x, spatial_dims[0])
            result = functions[pooling_type](
                x, window, wide, padding, **({"data_format": data_format} if data_format else {}), name=scope
            )
            return squeeze(result, [spatial_dims[0]]) if count == 1 else result
        return with_space_to_batch(input, rates, padding, apply, window_shape, spatial_dims)
