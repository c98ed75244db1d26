"""Generalized divisive normalization (Balle, Laparra and Simoncelli 2016)."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import provides, public

_OVERRIDE = "GDNLowerBound"


@provides("ossia_gradients", _OVERRIDE)
def lower_bound_gradient(op: Any, grad: Any) -> list[Any]:
    """The gradient where the input is above its bound, or would move there."""
    value, bound = op.inputs
    passes = tf.logical_or(tf.greater_equal(value, bound), tf.less(grad, 0))
    return [tf.cast(passes, grad.dtype) * grad, None]


@public("contrib.layers.GDN")
class GDN(tf.layers.Layer):
    """Divides each channel by the root of `beta` plus the sum of all squared channels, times `gamma`.

    Args:
      inverse: whether it multiplies instead.
      beta_min: the least beta.
      gamma_init: the diagonal of gamma at first.
      reparam_offset: keeps gradients of small betas and gammas from zero.
      data_format: "channels_last" or "channels_first".
      activity_regularizer: a regularizer of the output.
      trainable: whether variables are trained.
      name: name of the layer.

    Raises:
      ValueError: there is no such format.
    """

    def __init__(
        self, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1, reparam_offset: float = 2**-18,
        data_format: str = "channels_last", activity_regularizer: Any = None, trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        if data_format not in ("channels_first", "channels_last"):
            raise ValueError(f"Unknown data format: '{data_format}'.")
        self.inverse, self._beta_min, self._gamma_init = inverse, beta_min, gamma_init
        self._reparam_offset, self.data_format = reparam_offset, data_format
        self.input_spec = tf.layers.InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self) -> int:
        return {"channels_first": 1, "channels_last": -1}[self.data_format]

    def _bounded(self, variable: Any, bound: Any, pedestal: Any) -> Any:
        with tf.get_default_graph().gradient_override_map({"Maximum": _OVERRIDE}):
            limited = tf.maximum(variable, bound, name=_OVERRIDE)
        return tf.square(limited) - pedestal

    def build(self, input_shape: Any) -> None:
        """Make the variables.

        Raises:
          ValueError: the number of channels is not known.
        """
        shape = tf.TensorShape(input_shape)
        axis = self._channel_axis()
        channels = shape.dims[axis].value if shape.dims is not None else None
        if channels is None:
            raise ValueError("The channel dimension of the inputs to `GDN` must be defined.")
        self.input_spec = tf.layers.InputSpec(ndim=shape.ndims, axes={axis: channels})
        offset = self._reparam_offset
        pedestal = tf.constant(offset**2, dtype=self.dtype)
        beta_bound = tf.constant((self._beta_min + offset**2) ** 0.5, dtype=self.dtype)
        gamma_bound = tf.constant(offset, dtype=self.dtype)

        def beta_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
            start = tf.constant(offset**2, dtype=dtype)
            return tf.sqrt(tf.ones(shape, dtype=dtype) + start)

        def gamma_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
            diagonal = tf.eye(shape[0], dtype=dtype)
            start = tf.constant(offset**2, dtype=dtype)
            return tf.sqrt(self._gamma_init * diagonal + start)

        beta = self.add_variable(
            "reparam_beta", shape=[channels], initializer=beta_initializer, dtype=self.dtype, trainable=True
        )
        self.beta = self._bounded(beta, beta_bound, pedestal)
        gamma = self.add_variable(
            "reparam_gamma", shape=[channels, channels], initializer=gamma_initializer, dtype=self.dtype,
            trainable=True,
        )
        self.gamma = self._bounded(gamma, gamma_bound, pedestal)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The normalized inputs."""
        inputs = tf.convert_to_tensor(inputs, dtype=self.dtype)
        rank = inputs.get_shape().ndims
        channels = self.gamma.get_shape().as_list()[0]
        first = self.data_format == "channels_first"
        spaces = "DHW"[5 - rank :]
        layout = f"NC{spaces}" if first else f"N{spaces}C"
        kernel = tf.reshape(self.gamma, [1] * (rank - 2) + [channels, channels])
        norms = tf.nn.convolution(tf.square(inputs), kernel, "VALID", data_format=layout)
        if first and rank != 4:
            norms += tf.reshape(self.beta, [channels] + [1] * (rank - 2))
        else:
            norms = tf.nn.bias_add(norms, self.beta, data_format="NCHW" if first else "NHWC")
        norms = tf.sqrt(norms)
        outputs = inputs * norms if self.inverse else inputs / norms
        outputs.set_shape(inputs.get_shape())
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the inputs."""
        return tf.TensorShape(input_shape)


@public("contrib.layers.gdn")
def gdn(
    inputs: Any, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1,
    reparam_offset: float = 2**-18, data_format: str = "channels_last", activity_regularizer: Any = None,
    trainable: bool = True, name: str | None = None, reuse: bool | None = None,
) -> Any:
    """Generalized divisive normalization of inputs.

    Args:
      inputs: features `[batch, ..., channels]`, of rank 3 to 5.
      inverse, beta_min, gamma_init, reparam_offset, data_format, activity_regularizer, trainable, name: as of GDN.
      reuse: whether to use existing variables.
    """
    layer = GDN(
        inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset,
        data_format=data_format, activity_regularizer=activity_regularizer, trainable=trainable, name=name,
        dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse,
    )
    return layer.apply(inputs)
