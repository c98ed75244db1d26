"""The fully connected layer."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.literals import single
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_nn import activations, constraints, keras_initializers, regularizers
from ossia_nn.initializers import Zeros
from ossia_nn.layers.base import Layer
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.named_objects import serialized
from ossia_ops.math.cast import cast
from ossia_ops.nn.bias import bias_add

_ZEROS = Zeros()


@public("layers.Dense")
class Dense(Layer):
    """`activation(inputs * kernel + bias)`, with kernel [last dimension of inputs, units] and bias [units].

    Args:
      units: size of the output's last dimension.
      activation: function of the result, or its name; none by default.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers; the scope's, and zeros, by default.
      kernel_regularizer, bias_regularizer: functions of the variables whose values are losses.
      activity_regularizer: function of the output whose value is a loss.
      kernel_constraint, bias_constraint: projections that optimizers apply after updates.
      trainable: whether the variables are trained.
      name: name of the layer.
      **kwargs: `dtype`, `_scope`, `_reuse`, as for `Layer`.
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = _ZEROS,
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
        self.units = int(single(units))
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = keras_initializers.get(kernel_initializer)
        self.bias_initializer = keras_initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        kind = dtypes.as_dtype(self._dtype or dtypes.float32)
        if not (kind.is_floating or kind.is_complex):
            raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {kind}")
        size = TensorShape(input_shape).as_tuple()[-1]
        if size is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel",
            shape=[size, self.units],
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            dtype=self.dtype,
            trainable=True,
        )
        self.bias = (
            self.add_weight(
                "bias",
                shape=[self.units],
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                dtype=self.dtype,
                trainable=True,
            )
            if self.use_bias
            else None
        )
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        rank = inputs.shape.ndims
        if rank > 2:
            outputs = builder("tensordot")(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape([*inputs.shape.as_list()[:-1], self.units])
        else:
            inputs = cast(inputs, dtypes.as_dtype(self._dtype or dtypes.float32))
            if isinstance(inputs, SparseTensor):
                outputs = builder("sparse.sparse_dense_matmul")(inputs, self.kernel)
            else:
                outputs = lookup("MatMul")(inputs, self.kernel)
        if self.use_bias:
            outputs = bias_add(outputs, self.bias)
        return outputs if self.activation is activations.linear else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).with_rank_at_least(2)
        dims = shape.as_tuple()
        if dims is None or dims[-1] is None:
            raise ValueError(f"The innermost dimension of input_shape must be defined, but saw: {shape}")
        return TensorShape([*shape.as_list()[:-1], self.units])

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
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


@public("layers.dense")
def dense(
    inputs: Any,
    units: int,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Callable | None = None,
    bias_regularizer: Callable | None = None,
    activity_regularizer: Callable | None = None,
    kernel_constraint: Callable | None = None,
    bias_constraint: Callable | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Call a new `Dense` layer on `inputs`; with `reuse`, on the variables of the scope `name`. Arguments as for
    `Dense`."""
    layer = Dense(
        units,
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
        _scope=name,
        _reuse=reuse,
    )
    return layer.apply(inputs)
