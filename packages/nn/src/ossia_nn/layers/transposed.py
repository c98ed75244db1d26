"""Transposed convolution layers, which enlarge their inputs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_nn.layers.arguments import op_format, sizes, transposed, wide
from ossia_nn.layers.convolution import ZEROS, Convolution
from ossia_nn.layers.input_spec import InputSpec
from ossia_ops.array.shape import shape
from ossia_ops.nn.bias import bias_add
from ossia_ops.nn.conv_transposed import atrous_conv2d_transpose
from ossia_ops.nn.conv_transposed import conv2d_transpose as transpose2d
from ossia_ops.nn.conv_transposed import conv3d_transpose as transpose3d


class TransposedConvolution(Convolution):
    """What transposed convolution layers share.

    Args:
      rank, filters, kernel_size, strides, padding, data_format: as for `Convolution`.
      output_padding: what is added to the size along each spatial dimension, less than the stride; None for sizes that
        depend on the padding alone.
      dilation_rate: distance of the kernel's elements along each spatial dimension.
      **kwargs: as for `Convolution`.

    Raises:
      ValueError: arguments out of range.
    """

    def __init__(
        self,
        rank: int,
        filters: int,
        kernel_size: Any,
        strides: Any,
        padding: str,
        data_format: str | None,
        output_padding: Any = None,
        dilation_rate: Any = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(rank, filters, kernel_size, strides, padding, data_format, dilation_rate, **kwargs)
        self.output_padding = None
        if output_padding is not None:
            self.output_padding = sizes(output_padding, self.rank, "output_padding")
            if any(stride <= beyond for stride, beyond in zip(self.strides, self.output_padding, strict=True)):
                raise ValueError(f"Stride {self.strides} must be greater than output padding {self.output_padding}")

    def enlarged(self, size: Any, i: int) -> Any:
        """The size of the output along a spatial dimension, for a size of the input that may be a tensor or None."""
        beyond = None if self.output_padding is None else self.output_padding[i]
        return transposed(size, self.kernel_size[i], self.padding, self.strides[i], beyond=beyond)

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
        out = [self.enlarged(size, i) for i, size in enumerate(spatial)]
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
        first = self.data_format == "channels_first"
        dims[1 if first else self.rank + 1] = self.filters
        for i in range(self.rank):
            place = i + (2 if first else 1)
            dims[place] = self.enlarged(dims[place], i)
        return TensorShape(dims)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "output_padding": self.output_padding}


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
      **kwargs: `dilation_rate`, `output_padding`, and what `Layer` takes.
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
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
            trainable=trainable,
            name=name,
            **kwargs,
        )

    def enlarged(self, size: Any, i: int) -> Any:
        beyond = None if self.output_padding is None else self.output_padding[i]
        return transposed(size, self.kernel_size[i], self.padding, self.strides[i], self.dilation_rate[i], beyond)

    def call(self, inputs: Any) -> Tensor:
        transpose = builder("transpose")
        wanted: Any = self.output_sizes(inputs)
        first = self.data_format == "channels_first"
        x = inputs
        if first:
            x = transpose(inputs, (0, 2, 3, 1))
            wanted = builder("stack")([wanted[0], wanted[2], wanted[3], wanted[1]])
        else:
            _ = wanted[0]  # the original asks whether this is None, which leaves a node
        padding = self.padding.upper()
        if self.dilation_rate == (1, 1):
            strides = list(wide(self.strides, "channels_last"))
            outputs = transpose2d(x, self.kernel, wanted, strides, padding=padding, data_format="NHWC")
        elif self.dilation_rate[0] != self.dilation_rate[1]:
            raise AssertionError(f"dilation_rate must be the same in both dimensions, not {self.dilation_rate}")
        else:
            outputs = atrous_conv2d_transpose(x, self.kernel, wanted, rate=self.dilation_rate[0], padding=padding)
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
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
            trainable=trainable,
            name=name,
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
