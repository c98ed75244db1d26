"""Convolution layers over one, two and three spatial dimensions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_nn import activations, constraints, keras_initializers, regularizers
from ossia_nn.initializers import Zeros
from ossia_nn.layers.arguments import convolved, format_name, op_format, padding_name, sizes
from ossia_nn.layers.base import Layer
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.named_objects import serialized
from ossia_ops.array.shape import reshape
from ossia_ops.nn.bias import bias_add
from ossia_ops.nn.convolution import DilatedConvolution

ZEROS = Zeros()


class Convolution(Layer):
    """What convolution layers of all ranks share.

    Args:
      rank: number of spatial dimensions.
      filters: number of output channels.
      kernel_size, strides, dilation_rate: one integer or one per spatial dimension.
      padding: "valid", "same", or "causal" for one dimension.
      data_format: "channels_last" or "channels_first".
      activation: function of the result, or its name.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers.
      kernel_regularizer, bias_regularizer: functions of the variables whose values are losses.
      activity_regularizer: function of the output whose value is a loss.
      kernel_constraint, bias_constraint: projections that optimizers apply after updates.
      trainable: whether the variables are trained.
      name: name of the layer.
      **kwargs: as for `Layer`.

    Raises:
      ValueError: arguments out of range.
    """

    def __init__(
        self,
        rank: int,
        filters: int | None,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        kernel_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        kernel_constraint: Callable | None = None,
        bias_constraint: Callable | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        activity_regularizer = regularizers.get(activity_regularizer)
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.rank, self.filters = rank, filters
        self.kernel_size = sizes(kernel_size, rank, "kernel_size")
        self.strides = sizes(strides, rank, "strides")
        self.padding = padding_name(padding)
        if self.padding == "causal" and rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
        self.data_format = format_name(data_format)
        self.dilation_rate = sizes(dilation_rate, rank, "dilation_rate")
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = keras_initializers.get(kernel_initializer)
        self.bias_initializer = keras_initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(ndim=rank + 2)

    @property
    def channel_axis(self) -> int:
        """The dimension of the channels."""
        return 1 if self.data_format == "channels_first" else -1

    def channels_of(self, input_shape: Any) -> int:
        """The number of input channels.

        Raises:
          ValueError: it is not known.
        """
        channels = TensorShape(input_shape).as_tuple()[self.channel_axis]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return channels

    def add_kernel(self, name: str, shape: Any, initializer: Any, regularizer: Any, constraint: Any) -> Any:
        """A trained variable of the layer's dtype."""
        return self.add_weight(
            name=name,
            shape=shape,
            initializer=initializer,
            regularizer=regularizer,
            constraint=constraint,
            trainable=True,
            dtype=self.dtype,
        )

    def add_bias(self) -> Any:
        """The bias, or None."""
        if not self.use_bias:
            return None
        return self.add_kernel(
            "bias", (self.filters,), self.bias_initializer, self.bias_regularizer, self.bias_constraint
        )

    def build(self, input_shape: Any) -> None:
        channels = self.channels_of(input_shape)
        self.kernel = self.add_kernel(
            "kernel",
            (*self.kernel_size, channels, self.filters),
            self.kernel_initializer,
            self.kernel_regularizer,
            self.kernel_constraint,
        )
        self.bias = self.add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self.channel_axis: channels})
        padding = "valid" if self.padding == "causal" else self.padding
        self._convolution = DilatedConvolution(
            TensorShape(input_shape),
            filter_shape=self.kernel.shape,
            dilation_rate=self.dilation_rate,
            strides=self.strides,
            padding=padding.upper() if isinstance(padding, str) else padding,
            data_format=op_format(self.data_format, self.rank + 2),
        )
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        if self.padding == "causal":
            inputs = builder("pad")(inputs, self.causal_paddings())
        return self.activated(self.biased(self._convolution(inputs, self.kernel)))

    def causal_paddings(self) -> list[list[int]]:
        """Paddings that make each output depend on no later input."""
        before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        return [[0, 0], [before, 0], [0, 0]] if self.data_format == "channels_last" else [[0, 0], [0, 0], [before, 0]]

    def biased(self, outputs: Tensor) -> Tensor:
        """The outputs with the bias added to their channels."""
        if not self.use_bias:
            return outputs
        if self.data_format == "channels_first" and self.rank == 1:
            return outputs + reshape(self.bias, (1, self.filters, 1))
        return bias_add(outputs, self.bias, data_format="NCHW" if self.data_format == "channels_first" else "NHWC")

    def activated(self, outputs: Tensor) -> Tensor:
        """The activation of the outputs."""
        return outputs if self.activation is activations.linear else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        dims = TensorShape(input_shape).as_list()
        spatial = dims[1:-1] if self.data_format == "channels_last" else dims[2:]
        out = [
            convolved(size, self.kernel_size[i], self.padding, self.strides[i], self.dilation_rate[i])
            for i, size in enumerate(spatial)
        ]
        return TensorShape(
            [dims[0], *out, self.filters] if self.data_format == "channels_last" else [dims[0], self.filters, *out]
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "filters": self.filters,
            "kernel_size": self.kernel_size,
            "strides": self.strides,
            "padding": self.padding,
            "data_format": self.data_format,
            "dilation_rate": self.dilation_rate,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": serialized(self.kernel_initializer),
            "bias_initializer": serialized(self.bias_initializer),
            "kernel_regularizer": serialized(self.kernel_regularizer),
            "bias_regularizer": serialized(self.bias_regularizer),
            "activity_regularizer": serialized(self.activity_regularizer),
            "kernel_constraint": serialized(self.kernel_constraint),
            "bias_constraint": serialized(self.bias_constraint),
        }


@public("layers.Conv1D")
class Conv1D(Convolution):
    """A convolution of [batch, width, channels] with a learned kernel; arguments as for `Conv2D`, which has one
    dimension more."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        kernel_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        kernel_constraint: Callable | None = None,
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
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            trainable,
            name,
            **kwargs,
        )


@public("layers.Conv2D")
class Conv2D(Convolution):
    """A convolution of [batch, height, width, channels] with a learned kernel.

    Args:
      filters: number of output channels.
      kernel_size, strides, dilation_rate: one integer or one per spatial dimension.
      padding: "valid" or "same" ("causal" as well for one dimension).
      data_format: "channels_last" or "channels_first".
      activation: function of the result, or its name.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers.
      kernel_regularizer, bias_regularizer: functions of the variables whose values are losses.
      activity_regularizer: function of the output whose value is a loss.
      kernel_constraint, bias_constraint: projections that optimizers apply after updates.
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
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        kernel_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        kernel_constraint: Callable | None = None,
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
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            trainable,
            name,
            **kwargs,
        )


@public("layers.Conv3D")
class Conv3D(Convolution):
    """A convolution of [batch, depth, height, width, channels] with a learned kernel; arguments as for `Conv2D`."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        data_format: str | None = "channels_last",
        dilation_rate: Any = (1, 1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = ZEROS,
        kernel_regularizer: Callable | None = None,
        bias_regularizer: Callable | None = None,
        activity_regularizer: Callable | None = None,
        kernel_constraint: Callable | None = None,
        bias_constraint: Callable | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            3,
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            trainable,
            name,
            **kwargs,
        )


@public("layers.conv1d")
def conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = "channels_last",
    dilation_rate: Any = 1,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = ZEROS,
    kernel_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    kernel_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `Conv1D` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return Conv1D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    ).apply(inputs)


@public("layers.conv2d")
def conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str | None = "channels_last",
    dilation_rate: Any = (1, 1),
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = ZEROS,
    kernel_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    kernel_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `Conv2D` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return Conv2D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    ).apply(inputs)


@public("layers.conv3d")
def conv3d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str | None = "channels_last",
    dilation_rate: Any = (1, 1, 1),
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = ZEROS,
    kernel_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    kernel_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `Conv3D` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return Conv3D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    ).apply(inputs)
