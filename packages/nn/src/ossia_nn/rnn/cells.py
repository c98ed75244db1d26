"""The plain recurrent cell and the gated recurrent unit."""
from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_nn import keras_initializers
from ossia_nn.initializers import Constant, Zeros
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.rnn.cell import LayerRNNCell, config_of
from ossia_ops.array.concat import concat
from ossia_ops.array.split import split
from ossia_ops.linalg.matmul import matmul
from ossia_ops.nn.bias import bias_add

KERNEL, BIAS = "kernel", "bias"


def activation_of(activation: Any) -> Any:
    """The function that an activation argument names; tanh by default."""
    if callable(activation):
        return activation
    from ossia_core.plugins.manager import api_table, load
    table = api_table()
    name = activation or "tanh"
    for known in (f"nn.{name}", f"math.{name}", name):
        if known in table:
            return load(table[known])
    raise ValueError(f"Unknown activation function: {activation}")


def depth_of(input_shape: Any) -> int:
    """The last size of the inputs; ValueError if it is not known."""
    shape = (
        input_shape[0]
        if isinstance(input_shape, (list, tuple)) and not isinstance(input_shape[0], (int, type(None)))
        else input_shape
    )
    dims = shape.as_list() if hasattr(shape, "as_list") else list(shape)
    if dims[-1] is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {tuple(dims)}")
    return dims[-1]


@public("nn.rnn_cell.BasicRNNCell")
class BasicRNNCell(LayerRNNCell):
    """output = new state = activation(W [input, state] + b) (Elman 1990).

    Args:
      num_units: size of state and output.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      name: name of the layer.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return config_of(self, self._activation, {}, num_units=self._num_units)

    @property
    def state_size(self) -> int:
        """Size of the state."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel = self.add_variable(KERNEL, shape=[depth_of(input_shape) + n, n])
        self._bias = self.add_variable(BIAS, shape=[n], initializer=Zeros(dtype=self.variable_dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # type: ignore[override]
        """One step."""
        gates = bias_add(matmul(concat([inputs, state], 1), self._kernel), self._bias)
        output = self._activation(gates)
        return output, output


@public("nn.rnn_cell.GRUCell")
class GRUCell(LayerRNNCell):
    """The gated recurrent unit (Cho et al. 2014).

    Args:
      num_units: size of state and output.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      kernel_initializer: initializer of the weights.
      bias_initializer: initializer of the biases.
      name: name of the layer.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation)
        self._kernel_initializer = keras_initializers.get(kernel_initializer)
        self._bias_initializer = keras_initializers.get(bias_initializer)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        initializers = {"kernel_initializer": self._kernel_initializer, "bias_initializer": self._bias_initializer}
        return config_of(self, self._activation, initializers, num_units=self._num_units)

    @property
    def state_size(self) -> int:
        """Size of the state."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Make the variables."""
        n, depth = self._num_units, depth_of(input_shape)
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_variable("gates/kernel", shape=[depth + n, 2 * n], initializer=kernel)
        self._gate_bias = self.add_variable(
            "gates/bias",
            shape=[2 * n],
            initializer=Constant(1.0, dtype=self.variable_dtype) if bias is None else bias,
        )
        self._candidate_kernel = self.add_variable("candidate/kernel", shape=[depth + n, n], initializer=kernel)
        self._candidate_bias = self.add_variable(
            "candidate/bias", shape=[n], initializer=Zeros(dtype=self.variable_dtype) if bias is None else bias
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # type: ignore[override]
        """One step."""
        from ossia_ops.math.exponential import sigmoid
        value = sigmoid(bias_add(matmul(concat([inputs, state], 1), self._gate_kernel), self._gate_bias))
        reset, update = split(value=value, num_or_size_splits=2, axis=1)
        reset_state = reset * state
        candidate = bias_add(matmul(concat([inputs, reset_state], 1), self._candidate_kernel), self._candidate_bias)
        c = self._activation(candidate)
        output = update * state + (1 - update) * c
        return output, output
