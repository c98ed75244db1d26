"""Separable convolution layers: each channel by itself, then across channels."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_nn import constraints, keras_initializers, regularizers
from ossia_nn.layers.arguments import op_format, wide
from ossia_nn.layers.convolution import ZEROS, Convolution
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.named_objects import serialized
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_ops.nn.bias import bias_add
from ossia_ops.nn.depthwise import separable_conv2d as separable_convolution


class SeparableConvolution(Convolution):
    """What separable convolution layers share; arguments as for `SeparableConv2D`, after the number of spatial
    dimensions."""

    def __init__(
        self,
        rank: int,
        filters: int,
        kernel_size: Any,
        strides: Any,
        padding: str,
        data_format: str | None,
        dilation_rate: Any,
        depth_multiplier: int,
        activation: Any,
        use_bias: bool,
        depthwise_initializer: Any,
        pointwise_initializer: Any,
        bias_initializer: Any,
        depthwise_regularizer: Callable | None,
        pointwise_regularizer: Callable | None,
        bias_regularizer: Callable | None,
        activity_regularizer: Callable | None,
        depthwise_constraint: Callable | None,
        pointwise_constraint: Callable | None,
        bias_constraint: Callable | None,
        trainable: bool,
        name: str | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            rank,
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            kernel_initializer="glorot_uniform",
            bias_initializer=bias_initializer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint,
            trainable=trainable,
            name=name,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = keras_initializers.get(depthwise_initializer)
        self.pointwise_initializer = keras_initializers.get(pointwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)
        self.pointwise_constraint = constraints.get(pointwise_constraint)

    def build(self, input_shape: Any) -> None:
        channels = self.channels_of(input_shape)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self.channel_axis: channels})
        self.depthwise_kernel = self.add_kernel(
            "depthwise_kernel",
            (*self.kernel_size, channels, self.depth_multiplier),
            self.depthwise_initializer,
            self.depthwise_regularizer,
            self.depthwise_constraint,
        )
        self.pointwise_kernel = self.add_kernel(
            "pointwise_kernel",
            (1,) * self.rank + (self.depth_multiplier * channels, self.filters),
            self.pointwise_initializer,
            self.pointwise_regularizer,
            self.pointwise_constraint,
        )
        self.bias = self.add_bias()
        self.built = True

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "depth_multiplier": self.depth_multiplier,
            "depthwise_initializer": serialized(self.depthwise_initializer),
            "pointwise_initializer": serialized(self.pointwise_initializer),
            "depthwise_regularizer": serialized(self.depthwise_regularizer),
            "pointwise_regularizer": serialized(self.pointwise_regularizer),
            "depthwise_constraint": serialized(self.depthwise_constraint),
            "pointwise_constraint": serialized(self.pointwise_constraint),
        }


@public("layers.SeparableConv1D")
class SeparableConv1D(SeparableConvolution):
    """A separable convolution of [batch, width, channels]; arguments as for `SeparableConv2D`."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        depthwise_regularizer: Callable | None = None,
        pointwise_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        depthwise_constraint: Callable | None = None,
        pointwise_constraint: Callable | None = None,
        bias_constraint: Callable | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1,
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            depth_multiplier,
            activation,
            use_bias,
            depthwise_initializer,
            pointwise_initializer,
            bias_initializer,
            depthwise_regularizer,
            pointwise_regularizer,
            bias_regularizer,
            activity_regularizer,
            depthwise_constraint,
            pointwise_constraint,
            bias_constraint,
            trainable,
            name,
            **kwargs,
        )

    def call(self, inputs: Any) -> Tensor:
        if self.padding == "causal":
            inputs = builder("pad")(inputs, self.causal_paddings())
        axis = 1 if self.data_format == "channels_last" else 2
        inputs = expand_dims(inputs, axis)
        depthwise, pointwise = expand_dims(self.depthwise_kernel, 0), expand_dims(self.pointwise_kernel, 0)
        padding = "VALID" if self.padding == "causal" else self.padding.upper()
        data_format = op_format(self.data_format, 4)
        outputs = separable_convolution(
            inputs,
            depthwise,
            pointwise,
            strides=list(wide(self.strides * 2, self.data_format)),
            padding=padding,
            rate=(1, *self.dilation_rate),
            data_format=data_format,
        )
        if self.use_bias:
            outputs = bias_add(outputs, self.bias, data_format=data_format)
        return self.activated(squeeze(outputs, [axis]))


@public("layers.SeparableConv2D")
class SeparableConv2D(SeparableConvolution):
    """A convolution of each channel by itself, then one across channels, of [batch, height, width, channels].

    Args:
      filters: number of output channels.
      kernel_size, strides, dilation_rate: one integer or one per spatial dimension.
      padding: "valid" or "same" ("causal" as well for one dimension).
      data_format: "channels_last" or "channels_first".
      depth_multiplier: filters per channel.
      activation: function of the result, or its name.
      use_bias: whether to add a bias.
      depthwise_initializer, pointwise_initializer, bias_initializer: initializers.
      depthwise_regularizer, pointwise_regularizer, bias_regularizer: functions of the variables whose values are
      losses.
      activity_regularizer: function of the output whose value is a loss.
      depthwise_constraint, pointwise_constraint, bias_constraint: projections that optimizers apply after updates.
      trainable: whether the variables are trained.
      name: name of the layer.
      **kwargs: as for `Layer`.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = (1, 1),
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        depthwise_regularizer: Callable | None = None,
        pointwise_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        depthwise_constraint: Callable | None = None,
        pointwise_constraint: Callable | None = None,
        bias_constraint: Callable | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            2,
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            depth_multiplier,
            activation,
            use_bias,
            depthwise_initializer,
            pointwise_initializer,
            bias_initializer,
            depthwise_regularizer,
            pointwise_regularizer,
            bias_regularizer,
            activity_regularizer,
            depthwise_constraint,
            pointwise_constraint,
            bias_constraint,
            trainable,
            name,
            **kwargs,
        )

    def call(self, inputs: Any) -> Tensor:
        data_format = op_format(self.data_format, 4)
        outputs = separable_convolution(
            inputs,
            self.depthwise_kernel,
            self.pointwise_kernel,
            strides=list(wide(self.strides, self.data_format)),
            padding=self.padding.upper(),
            rate=self.dilation_rate,
            data_format=data_format,
        )
        if self.use_bias:
            outputs = bias_add(outputs, self.bias, data_format=data_format)
        return self.activated(outputs)


@public("layers.separable_conv1d")
def separable_conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    dilation_rate: Any = 1,
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = ZEROS,
    depthwise_regularizer: Callable | None = None,
    pointwise_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    depthwise_constraint: Callable | None = None,
    pointwise_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `SeparableConv1D` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return SeparableConv1D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        depth_multiplier,
        activation,
        use_bias,
        depthwise_initializer,
        pointwise_initializer,
        bias_initializer,
        depthwise_regularizer,
        pointwise_regularizer,
        bias_regularizer,
        activity_regularizer,
        depthwise_constraint,
        pointwise_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    ).apply(inputs)


@public("layers.separable_conv2d")
def separable_conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str | None = "channels_last",
    dilation_rate: Any = (1, 1),
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = ZEROS,
    depthwise_regularizer: Callable | None = None,
    pointwise_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    depthwise_constraint: Callable | None = None,
    pointwise_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `SeparableConv2D` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return SeparableConv2D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        depth_multiplier,
        activation,
        use_bias,
        depthwise_initializer,
        pointwise_initializer,
        bias_initializer,
        depthwise_regularizer,
        pointwise_regularizer,
        bias_regularizer,
        activity_regularizer,
        depthwise_constraint,
        pointwise_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    ).apply(inputs)
