"""Recurrent layers whose weights are one vector, as cuDNN has them, on CPUs."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.cudnn_rnn.ops import cudnn_rnn_op
from ossia_contrib.cudnn_rnn.recurrence import Layout
from ossia_core.plugins.api_table import public

_DIRECTIONS = ("unidirectional", "bidirectional")
_INPUT_MODES = ("linear_input", "skip_input", "auto_select")


class _CudnnRNN(tf.layers.Layer):
    """Layers of cells over sequences `[time, batch, depth]`.

    Args:
      num_layers: how many layers.
      num_units: size of state and output of each.
      input_mode: "linear_input" or "auto_select"; "skip_input" is refused when it runs.
      direction: "unidirectional" or "bidirectional".
      dropout: share of outputs left out between layers; only 0 runs on a CPU.
      seed: seed of the dropout.
      dtype: dtype of the weights.
      kernel_initializer: initializer of the matrices, `glorot_uniform_initializer` by default.
      bias_initializer: initializer of the biases, zeros by default.
      name: name of the layer.

    Raises:
      ValueError: there is no such direction, mode, dtype or dropout.
    """

    _rnn_mode = ""

    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = "linear_input", direction: str = "unidirectional",
        dropout: float = 0.0, seed: int | None = None, dtype: Any = tf.float32, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        if direction not in _DIRECTIONS:
            raise ValueError(f"Invalid direction: {direction}, expecting {' or '.join(_DIRECTIONS)}")
        if input_mode not in _INPUT_MODES:
            raise ValueError(f"Invalid input_mode: {input_mode}, expect one of ({', '.join(_INPUT_MODES)})")
        if dtype not in (tf.float16, tf.float32, tf.float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        self._num_layers, self._num_units, self._input_mode = num_layers, num_units, input_mode
        self._direction, self._dropout, self._plain_dtype = direction, dropout, dtype
        self._seed, self._seed2 = tf.get_seed(seed)
        self._seed, self._seed2 = self._seed or 0, self._seed2 or 0
        self._kernel_initializer = kernel_initializer or tf.glorot_uniform_initializer(dtype=dtype)
        self._bias_initializer = bias_initializer or tf.constant_initializer(0.0, dtype=dtype)
        self._input_size: int | None = None

    @property
    def num_layers(self) -> int:
        """How many layers there are."""
        return self._num_layers

    @property
    def num_units(self) -> int:
        """Size of state and output."""
        return self._num_units

    @property
    def input_mode(self) -> str:
        """How the first layer takes its input."""
        return self._input_mode

    @property
    def direction(self) -> str:
        """Whether layers go in one direction or in both."""
        return self._direction

    @property
    def num_dirs(self) -> int:
        """In how many directions each layer goes."""
        return 1 + _DIRECTIONS.index(self._direction)

    @property
    def rnn_mode(self) -> str:
        """The kind of cell."""
        return self._rnn_mode

    @property
    def input_size(self) -> int:
        """Depth of the inputs.

        Raises:
          ValueError: it is not known yet.
        """
        if self._input_size is None:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._input_size

    @property
    def _layout(self) -> Layout:
        return Layout(self._rnn_mode, self._num_layers, self._num_units, self.input_size, self.num_dirs)

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, int]]:
        """Shapes of the matrices."""
        return self._layout.weight_shapes()

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """Shapes of the biases."""
        return [[self._num_units]] * self._layout.bias_count()

    @property
    def saveable(self) -> Any:
        """Raises NotImplementedError: weights are saved as the one vector that they are."""
        raise NotImplementedError(f"{type(self).__name__}.saveable: weights are saved as one vector, opaque_kernel.")

    def build(self, input_shape: Any) -> None:
        """Make the variable.

        Raises:
          ValueError: the inputs have another rank, or no depth that is known.
        """
        shape = tf.TensorShape(input_shape)
        if shape.ndims != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {shape.ndims}")
        if shape[-1].value is None:
            raise ValueError("The last dimension of the inputs to `CudnnRNN` should be defined. Found `None`.")
        self._input_size = shape[-1].value
        dtype = self._plain_dtype
        size = self._layout.size()

        def initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
            weights = [tf.reshape(self._kernel_initializer(each, dtype=dtype), [-1])
                       for each in self.canonical_weight_shapes]
            biases = [self._bias_initializer(each, dtype=dtype) for each in self.canonical_bias_shapes]
            return tf.concat([*weights, *biases], 0)

        self.kernel = self.add_variable("opaque_kernel", shape=[size], initializer=initializer, dtype=dtype)
        self.built = True

    def _state_shape(self, batch_size: Any) -> tuple[Any, ...]:
        shape = [self._num_layers * self.num_dirs, batch_size, self._num_units]
        return (shape, shape) if self._rnn_mode == "lstm" else (shape,)

    def state_shape(self, batch_size: Any) -> tuple[Any, ...]:
        """Shapes of the states."""
        return self._state_shape(batch_size)

    def call(
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]:
        """Outputs and last states.

        Args:
          inputs: `[time, batch, depth]`, or `[batch, time, depth]` if not `time_major`.
          initial_state: states to start with, zeros by default.
          sequence_lengths: lengths of the sequences; only whole ones run on a CPU.
          time_major: whether time comes first.
          training: whether gradients are wanted.

        Raises:
          NotImplementedError: lengths are given.
        """
        if sequence_lengths is not None:
            raise NotImplementedError(f"{type(self).__name__}: sequence_lengths; sequences are taken whole on a CPU.")
        inputs = tf.convert_to_tensor(inputs, dtype=self._plain_dtype)
        if not time_major:
            inputs = tf.transpose(inputs, [1, 0, 2])
        if initial_state is None:
            batch = tf.shape(inputs)[1]
            initial_state = tuple(tf.zeros(shape, dtype=inputs.dtype) for shape in self._state_shape(batch))
        h, *rest = initial_state
        result = cudnn_rnn_op(
            inputs, h, rest[0] if rest else tf.constant([], dtype=inputs.dtype), self.kernel, rnn_mode=self._rnn_mode,
            input_mode=self._input_mode, direction=self._direction, dropout=self._dropout, seed=self._seed,
            seed2=self._seed2, is_training=training,
        )
        output = result[0] if time_major else tf.transpose(result[0], [1, 0, 2])
        return output, (result[1], result[2]) if rest else (result[1],)


@public("contrib.cudnn_rnn.CudnnLSTM")
class CudnnLSTM(_CudnnRNN):
    """Layers of LSTMs."""

    _rnn_mode = "lstm"


@public("contrib.cudnn_rnn.CudnnGRU")
class CudnnGRU(_CudnnRNN):
    """Layers of gated recurrent units, which reset the state after its product with the weights."""

    _rnn_mode = "gru"


@public("contrib.cudnn_rnn.CudnnRNNTanh")
class CudnnRNNTanh(_CudnnRNN):
    """Layers of plain cells with a hyperbolic tangent."""

    _rnn_mode = "rnn_tanh"


@public("contrib.cudnn_rnn.CudnnRNNRelu")
class CudnnRNNRelu(_CudnnRNN):
    """Layers of plain cells with a rectifier."""

    _rnn_mode = "rnn_relu"
