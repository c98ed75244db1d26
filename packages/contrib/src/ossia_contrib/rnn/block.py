"""Cells of one op, and their gradients."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.rnn.sizes import LSTMStateTuple
from ossia_core.plugins.api_table import provides, public
from ossia_nn.layers.input_spec import InputSpec
from ossia_nn.rnn.cell import LayerRNNCell


def _known_depth(shape: Any) -> int:
    depth = tf.TensorShape(shape)[-1].value
    if depth is None:
        raise ValueError(f"Expecting inputs_shape[1] to be set: {shape}")
    return depth


@public("contrib.rnn.LSTMBlockCell")
class LSTMBlockCell(LayerRNNCell):
    """The LSTM cell as one op.

    Args:
      num_units: size of memory and output.
      forget_bias: added to the forget gate's input.
      cell_clip: limit of the memory's absolute value.
      use_peephole: whether the gates see the memory.
      dtype: dtype of the variables; the inputs' by default.
      reuse: whether to use existing variables.
      name: name of the cell.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: float | None = None, use_peephole: bool = False,
        dtype: Any = None, reuse: bool | None = None, name: str = "lstm_cell",
    ) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._names = {
            "W": "kernel", "b": "bias", "wci": "w_i_diag", "wcf": "w_f_diag", "wco": "w_o_diag", "scope": "lstm_cell"
        }
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        n, names = self._num_units, self._names
        self._kernel = self.add_variable(names["W"], [_known_depth(inputs_shape) + n, n * 4])
        self._bias = self.add_variable(names["b"], [n * 4], initializer=tf.constant_initializer(0.0))
        if self._use_peephole:
            self._w_i_diag, self._w_f_diag, self._w_o_diag = (
                self.add_variable(names[key], [n]) for key in ("wci", "wcf", "wco")
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the state is no pair.
        """
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        cs_prev, h_prev = state
        if self._use_peephole:
            diagonals = (self._w_i_diag, self._w_f_diag, self._w_o_diag)
        else:
            diagonals = (tf.zeros([self._num_units]),) * 3
        step = tf.raw_ops.LSTMBlockCell(
            x=inputs, cs_prev=cs_prev, h_prev=h_prev, w=self._kernel, wci=diagonals[0], wcf=diagonals[1],
            wco=diagonals[2], b=self._bias, forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return step.h, LSTMStateTuple(step.cs, step.h)


@provides("ossia_gradients", "LSTMBlockCell")
def lstm_block_cell_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradient of one step of the LSTM.

    Raises:
      ValueError: the depth of inputs or cell is not known.
    """
    x, cs_prev, h_prev, w, wci, wcf, wco, b = op.inputs
    i, cs, f, o, ci, co, _ = op.outputs
    batch_size, input_size, cell_size = x.shape[0].value or -1, x.shape[1].value, cs_prev.shape[1].value
    if input_size is None:
        raise ValueError("input_size from `x` must be statically inferred.")
    if cell_size is None:
        raise ValueError("cell_size from `cs_prev` must be statically inferred.")
    step = tf.raw_ops.LSTMBlockCellGrad(
        x=x, cs_prev=cs_prev, h_prev=h_prev, w=w, wci=wci, wcf=wcf, wco=wco, b=b, i=i, cs=cs, f=f, o=o, ci=ci, co=co,
        cs_grad=grads[1], h_grad=grads[6], use_peephole=op.get_attr("use_peephole"),
    )
    xh_grad = tf.matmul(step.dicfo, w, transpose_b=True)
    x_grad = tf.slice(xh_grad, (0, 0), (batch_size, input_size))
    h_prev_grad = tf.slice(xh_grad, (0, input_size), (batch_size, cell_size))
    w_grad = tf.matmul(tf.concat([x, h_prev], 1), step.dicfo, transpose_a=True)
    b_grad = tf.raw_ops.BiasAddGrad(out_backprop=step.dicfo)
    return [x_grad, step.cs_prev_grad, h_prev_grad, w_grad, step.wci_grad, step.wcf_grad, step.wco_grad, b_grad]


@public("contrib.rnn.GRUBlockCell")
class GRUBlockCell(LayerRNNCell):
    """The gated recurrent unit as one op.

    Args:
      num_units: size of state and output.
      cell_size: the same, of old.
      reuse: whether to use existing variables.
      name: name of the cell.

    Raises:
      ValueError: neither size is given, or both.
    """

    _gate_names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(
        self, num_units: int | None = None, cell_size: int | None = None, reuse: bool | None = None,
        name: str = "gru_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        if num_units is None:
            num_units = cell_size
        self._cell_size: Any = num_units
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> int:
        """Size of the state."""
        return self._cell_size

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._cell_size

    def build(self, input_shape: Any) -> None:
        """Make the variables.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        n, depth = self._cell_size, _known_depth(input_shape)
        w_ru, b_ru, w_c, b_c = self._gate_names
        self._gate_kernel = self.add_variable(w_ru, [depth + n, n * 2])
        self._gate_bias = self.add_variable(b_ru, [n * 2], initializer=tf.constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(w_c, [depth + n, n])
        self._candidate_bias = self.add_variable(b_c, [n], initializer=tf.constant_initializer(0.0))
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> Any:
        """One step."""
        step = tf.raw_ops.GRUBlockCell(
            x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel, b_ru=self._gate_bias,
            b_c=self._candidate_bias,
        )
        return step.h, step.h


@public("contrib.rnn.GRUBlockCellV2")
class GRUBlockCellV2(GRUBlockCell):
    """GRUBlockCell with the variable names of GRUCell, whose checkpoints it reads; arguments as there."""

    _gate_names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")


@provides("ossia_gradients", "GRUBlockCell")
def gru_block_cell_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradient of one step of the gated recurrent unit."""
    x, h_prev, w_ru, w_c, b_ru, b_c = op.inputs
    r, u, c, _ = op.outputs
    step = tf.raw_ops.GRUBlockCellGrad(
        x=x, h_prev=h_prev, w_ru=w_ru, w_c=w_c, b_ru=b_ru, b_c=b_c, r=r, u=u, c=c, d_h=grads[3]
    )
    d_w_ru = tf.matmul(tf.concat([x, h_prev], 1), step.d_r_bar_u_bar, transpose_a=True)
    d_b_ru = tf.raw_ops.BiasAddGrad(out_backprop=step.d_r_bar_u_bar)
    d_w_c = tf.matmul(tf.concat([x, h_prev * r], 1), step.d_c_bar, transpose_a=True)
    d_b_c = tf.raw_ops.BiasAddGrad(out_backprop=step.d_c_bar)
    return [step.d_x, step.d_h_prev, d_w_ru, d_w_c, d_b_ru, d_b_c]
