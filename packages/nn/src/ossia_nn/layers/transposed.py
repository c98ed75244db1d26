"""Transposed convolution layers, which enlarge their inputs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.api_table import public
from ossia_core.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.shapes import TensorShape
from ossia_nn.layers.arguments import op_format, transposed, wide
from ossia_nn.layers.convolution import ZEROS, Convolution
from ossia_nn.layers.input_spec import InputSpec
from ossia_ops.bias import bias_add
from ossia_ops.conv_transposed import conv2d_transpose as transpose2d
from ossia_ops.conv_transposed import conv3d_transpose as transpose3d
from ossia_ops.shape import shape


class TransposedConvolution(Convolution):
    """What transposed convolution layers share."""

    def build(self, input_shape: Any) -> None:
        if len(TensorShape(input_shape)) != self.rank + 2:
            raise ValueError(f"Inputs should have rank {self.rank + 2}. Received input shape: {input_shape}")
        channels = self.channels_of(input_shape)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self.channel_axis: channels})
        self.kernel = self.add_kernel(
            "kernel",
            (*self.kernel_size, self.filters, channels),
            self.kernel_initializer,
            self.kernel_regularizer,
            self.kernel_constraint,
        )
        self.bias = self.add_bias()
        self.built = True

    def output_sizes(self, inputs: Any) -> Tensor:
        """The shape of the output as a tensor."""
        whole = shape(inputs)
        batch = whole[0]
        first = 1 if self.data_format == "channels_last" else 2
        spatial = [whole[first + i] for i in range(self.rank)]
        out = [
            transposed(n, k, self.padding, s) for n, k, s in zip(spatial, self.kernel_size, self.strides, strict=True)
        ]
        dims = [batch, *out, self.filters] if self.data_format == "channels_last" else [batch, self.filters, *out]
        return builder("stack")(dims)

    def finished(self, outputs: Tensor, inputs: Any) -> Tensor:
        """The outputs with static shape, bias and activation."""
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            outputs = bias_add(outputs, self.bias, data_format=op_format(self.data_format, 4))
        return self.activated(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        dims = TensorShape(input_shape).as_list()
        spatial = dims[1:-1] if self.data_format == "channels_last" else dims[2:]
        out = [
            transposed(n, k, self.padding, s) for n, k, s in zip(spatial, self.kernel_size, self.strides, strict=True)
        ]
        return TensorShape(
            [dims[0], *out, self.filters] if self.data_format == "channels_last" else [dims[0], self.filters, *out]
        )

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "output_padding": None}


@public("layers.Conv2DTranspose")
class Conv2DTranspose(TransposedConvolution):
    """The transpose of a convolution of [batch, height, width, channels], with a learned kernel.

    Args:
      filters: number of output channels.
      kernel_size, strides: one integer or one per spatial dimension.
      padding: "valid" or "same".
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
            1,
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

    def call(self, inputs: Any) -> Tensor:
        transpose = builder("transpose")
        sizes: Any = self.output_sizes(inputs)
        first = self.data_format == "channels_first"
        x = inputs
        if first:
            x = transpose(inputs, (0, 2, 3, 1))
            sizes = builder("stack")([sizes[0], sizes[2], sizes[3], sizes[1]])
        else:
            _ = sizes[0]  # the original asks whether this is None, which leaves a node
        outputs = transpose2d(
            x,
            self.kernel,
            sizes,
            list(wide(self.strides, "channels_last")),
            padding=self.padding.upper(),
            data_format="NHWC",
        )
        if first:
            outputs = transpose(outputs, (0, 3, 1, 2))
        return self.finished(outputs, inputs)


@public("layers.Conv3DTranspose")
class Conv3DTranspose(TransposedConvolution):
    """The transpose of a convolution of [batch, depth, height, width, channels]; arguments as for `Conv2DTranspose`."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        data_format: str | None = "channels_last",
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
            1,
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

    def call(self, inputs: Any) -> Tensor:
        outputs = transpose3d(
            inputs,
            self.kernel,
            self.output_sizes(inputs),
            list(wide(self.strides, self.data_format)),
            padding=self.padding.upper(),
            data_format=op_format(self.data_format, 5),
        )
        return self.finished(outputs, inputs)

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        del config["dilation_rate"]
        return config


@public("layers.conv2d_transpose")
def conv2d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str | None = "channels_last",
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
    """Call a new `Conv2DTranspose` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return Conv2DTranspose(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
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


@public("layers.conv3d_transpose")
def conv3d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str | None = "channels_last",
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
    """Call a new `Conv3DTranspose` layer on `inputs`; with `reuse`, on the variables of the scope `name`."""
    return Conv3DTranspose(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
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
