"""Long short-term memory cells."""
from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.plugins.api_table import public
from ossia_nn import keras_initializers
from ossia_nn.initializers import Zeros
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.rnn.cell import LayerRNNCell, config_of
from ossia_nn.rnn.cells import BIAS, KERNEL, activation_of, depth_of
from ossia_ops.array.concat import concat
from ossia_ops.array.part import slice_
from ossia_ops.array.split import split
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.arithmetic import add, multiply
from ossia_ops.math.clip import clip_by_value
from ossia_ops.math.exponential import sigmoid
from ossia_ops.nn.bias import bias_add

_State = namedtuple("LSTMStateTuple", ["c", "h"])  # type: ignore[name-match]


@public("nn.rnn_cell.LSTMStateTuple")
class LSTMStateTuple(_State):
    """The state of an LSTM cell: the memory `c` and the output `h`."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """Dtype of both; TypeError if they differ."""
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


@public("nn.rnn_cell.BasicLSTMCell")
class BasicLSTMCell(LayerRNNCell):
    """The LSTM cell without peepholes (Zaremba et al. 2014).

    Args:
      num_units: size of memory and output.
      forget_bias: added to the forget gate's input.
      state_is_tuple: whether the state is an LSTMStateTuple, or both parts in one tensor.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      name: name of the layer.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias, self._state_is_tuple = num_units, forget_bias, state_is_tuple
        self._activation = activation_of(activation)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return config_of(self, self._activation, {}, num_units=self._num_units, forget_bias=self._forget_bias,
                         state_is_tuple=self._state_is_tuple)

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel = self.add_variable(KERNEL, shape=[depth_of(input_shape) + n, 4 * n])
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=Zeros(dtype=self.variable_dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # type: ignore[override]
        """One step."""
        one = constant(1, dtype="int32")
        c, h = state if self._state_is_tuple else split(value=state, num_or_size_splits=2, axis=one)
        gates = bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = split(value=gates, num_or_size_splits=4, axis=one)
        forget_bias = constant(self._forget_bias, dtype=f.dtype)
        new_c = add(multiply(c, sigmoid(add(f, forget_bias))), multiply(sigmoid(i), self._activation(j)))
        new_h = multiply(self._activation(new_c), sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else concat([new_c, new_h], 1)


@public("nn.rnn_cell.LSTMCell")
class LSTMCell(LayerRNNCell):
    """The LSTM cell with optional peepholes, clipping and projection (Sak et al. 2014).

    Args:
      num_units: size of the memory.
      use_peepholes: whether the gates see the memory.
      cell_clip: limit of the memory's absolute value.
      initializer: initializer of the weights.
      num_proj: size of the output, projected by a matrix; `num_units` if None.
      proj_clip: limit of the projected output's absolute value.
      num_unit_shards, num_proj_shards: numbers of parts that the weights are kept in.
      forget_bias: added to the forget gate's input.
      state_is_tuple: whether the state is an LSTMStateTuple, or both parts in one tensor.
      activation: a function or its name; tanh by default.
      reuse: whether to use existing variables.
      name: name of the layer.
      dtype: dtype of the variables; the inputs' by default.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peepholes, self._cell_clip, self._initializer = (
            num_units,
            use_peepholes,
            cell_clip,
            keras_initializers.get(initializer),
        )
        self._num_proj, self._proj_clip, self._forget_bias, self._state_is_tuple = (
            num_proj,
            proj_clip,
            forget_bias,
            state_is_tuple,
        )
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._activation = activation_of(activation)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return config_of(
            self, self._activation, {"initializer": self._initializer}, num_units=self._num_units,
            use_peepholes=self._use_peepholes, cell_clip=self._cell_clip, num_proj=self._num_proj,
            proj_clip=self._proj_clip, num_unit_shards=self._num_unit_shards, num_proj_shards=self._num_proj_shards,
            forget_bias=self._forget_bias, state_is_tuple=self._state_is_tuple,
        )

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        output = self.output_size
        return LSTMStateTuple(self._num_units, output) if self._state_is_tuple else self._num_units + output

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_proj or self._num_units

    def build(self, input_shape: Any) -> None:
        """Make the variables."""
        n = self._num_units
        self._kernel = self.add_variable(
            KERNEL,
            shape=[depth_of(input_shape) + self.output_size, 4 * n],
            initializer=self._initializer,
            partitioner=_parts(self._num_unit_shards),
        )
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=Zeros(dtype=self.variable_dtype))
        if self._use_peepholes:
            self._w_f, self._w_i, self._w_o = (
                self.add_variable(f"w_{gate}_diag", shape=[n], initializer=self._initializer) for gate in "fio"
            )
        if self._num_proj is not None:
            self._projection = self.add_variable(
                f"projection/{KERNEL}",
                shape=[n, self._num_proj],
                initializer=self._initializer,
                partitioner=_parts(self._num_proj_shards),
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # type: ignore[override]
        """One step."""
        width = self.output_size
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = slice_(state, [0, 0], [-1, self._num_units])
            m_prev = slice_(state, [0, self._num_units], [-1, width])
        gates = bias_add(matmul(concat([inputs, m_prev], 1), self._kernel), self._bias)
        i, j, f, o = split(value=gates, num_or_size_splits=4, axis=1)
        if self._use_peepholes:
            c = sigmoid(f + self._forget_bias + self._w_f * c_prev) * c_prev + sigmoid(
                i + self._w_i * c_prev
            ) * self._activation(j)
        else:
            c = sigmoid(f + self._forget_bias) * c_prev + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = clip_by_value(c, -self._cell_clip, self._cell_clip)
        m = (
            sigmoid(o + self._w_o * c) * self._activation(c)
            if self._use_peepholes
            else sigmoid(o) * self._activation(c)
        )
        if self._num_proj is not None:
            m = matmul(m, self._projection)
            if self._proj_clip is not None:
                m = clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else concat([c, m], 1)


def _parts(shards: int | None) -> Any:
    if shards is None:
        return None
    from ossia_ops.state.partitioners import fixed_size_partitioner
    return fixed_size_partitioner(shards)
