"""Pooling layers over one, two and three spatial dimensions."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_nn.layers.arguments import convolved, format_name, op_format, padding_name, sizes, wide
from ossia_nn.layers.base import Layer
from ossia_nn.layers.input_spec import InputSpec
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_ops.nn.pool import avg_pool, max_pool
from ossia_ops.nn.pool3d import avg_pool3d, max_pool3d


class Pooling(Layer):
    """What pooling layers share.

    Args:
      rank: number of spatial dimensions.
      pool_size, strides: one integer or one per spatial dimension.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: name of the layer.
      **kwargs: as for `Layer`.

    Raises:
      ValueError: arguments out of range.
    """

    def __init__(
        self,
        rank: int,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        self.rank = rank
        self.pool_size = sizes(pool_size, rank, "pool_size")
        self.strides = sizes(strides, rank, "strides")
        self.padding, self.data_format = padding_name(padding), format_name(data_format)
        self.input_spec = InputSpec(ndim=rank + 2)

    @staticmethod
    def function(rank: int) -> Any:
        """The pooling function over `rank` dimensions, 2 or 3."""
        raise NotImplementedError

    def call(self, inputs: Any) -> Tensor:
        if self.rank == 2:
            return self.function(2)(
                inputs,
                list(wide(self.pool_size, self.data_format)),
                list(wide(self.strides, self.data_format)),
                padding=self.padding.upper(),
                data_format=op_format(self.data_format, 4),
            )
        if self.rank == 1:
            axis = 2 if self.data_format == "channels_last" else 3
            return squeeze(self._last(expand_dims(inputs, axis), (*self.pool_size, 1), (*self.strides, 1)), axis)
        return self._last(inputs, self.pool_size, self.strides)

    def _last(self, x: Any, pool_size: tuple[int, ...], strides: tuple[int, ...]) -> Tensor:
        """The pool of a tensor whose channels are brought last."""
        rank = len(pool_size)
        first = self.data_format == "channels_first"
        if first:
            x = builder("transpose")(x, (0, *range(2, rank + 2), 1))
        x = self.function(rank)(
            x,
            [1, *pool_size, 1],
            [1, *strides, 1],
            padding=self.padding.upper(),
            data_format="NHWC" if rank == 2 else "NDHWC",
        )
        return builder("transpose")(x, (0, rank + 1, *range(1, rank + 1))) if first else x

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        dims = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        out = [
            convolved(dims[i + (2 if first else 1)], self.pool_size[i], self.padding, self.strides[i])
            for i in range(self.rank)
        ]
        return TensorShape([dims[0], dims[1], *out] if first else [dims[0], *out, dims[self.rank + 1]])

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "pool_size": self.pool_size,
            "padding": self.padding,
            "strides": self.strides,
            "data_format": self.data_format,
        }


class Maximum(Pooling):
    """What layers of maxima share."""

    @staticmethod
    def function(rank: int) -> Any:
        return max_pool if rank == 2 else max_pool3d


class Average(Pooling):
    """What layers of means share."""

    @staticmethod
    def function(rank: int) -> Any:
        return avg_pool if rank == 2 else avg_pool3d


@public("layers.MaxPooling1D")
class MaxPooling1D(Maximum):
    """The largest element of each window of [batch, width, channels]; arguments as for `MaxPooling2D`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(1, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.MaxPooling2D")
class MaxPooling2D(Maximum):
    """The largest element of each window of [batch, height, width, channels].

    Args:
      pool_size, strides: one integer or one per spatial dimension.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: name of the layer.
      **kwargs: as for `Layer`.
    """

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(2, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.MaxPooling3D")
class MaxPooling3D(Maximum):
    """The largest element of each window of [batch, depth, height, width, channels]; arguments as for
    `MaxPooling2D`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(3, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.AveragePooling1D")
class AveragePooling1D(Average):
    """The mean of each window of [batch, width, channels]; arguments as for `MaxPooling2D`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(1, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.AveragePooling2D")
class AveragePooling2D(Average):
    """The mean of each window of [batch, height, width, channels]; arguments as for `MaxPooling2D`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(2, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.AveragePooling3D")
class AveragePooling3D(Average):
    """The mean of each window of [batch, depth, height, width, channels]; arguments as for `MaxPooling2D`."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(3, pool_size, strides, padding, data_format, name, **kwargs)


@public("layers.max_pooling1d")
def max_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `MaxPooling1D` layer on `inputs`."""
    return MaxPooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@public("layers.max_pooling2d")
def max_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `MaxPooling2D` layer on `inputs`."""
    return MaxPooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


@public("layers.max_pooling3d")
def max_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `MaxPooling3D` layer on `inputs`."""
    return MaxPooling3D(pool_size, strides, padding, data_format, name).apply(inputs)


@public("layers.average_pooling1d")
def average_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `AveragePooling1D` layer on `inputs`."""
    return AveragePooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@public("layers.average_pooling2d")
def average_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `AveragePooling2D` layer on `inputs`."""
    return AveragePooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


@public("layers.average_pooling3d")
def average_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    name: str | None = None,
) -> Tensor:
    """Call a new `AveragePooling3D` layer on `inputs`."""
    return AveragePooling3D(pool_size, strides, padding, data_format, name).apply(inputs)
