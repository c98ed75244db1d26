"""LSTM cells that go through the frequencies of their inputs."""

from __future__ import annotations

import collections
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import sharded
from ossia_contrib.rnn.sizes import SizedCell, gated_memory
from ossia_core.plugins.api_table import public


def _depth_of_features(inputs: Any) -> int:
    depth = inputs.shape.with_rank(2)[-1].value
    if depth is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return depth


@public("contrib.rnn.TimeFreqLSTMCell")
class TimeFreqLSTMCell(SizedCell):
    """The LSTM cell over time and frequency (Li et al. 2016).

    Args:
      num_units: size of memory and output of each window of frequencies.
      use_peepholes: whether the gates see the memory.
      cell_clip: limit of the memory's absolute value.
      initializer: initializer of the weights.
      num_unit_shards: number of parts that the weights are kept in.
      forget_bias: added to the forget gate's input.
      feature_size: width of a window of frequencies.
      frequency_skip: by how much windows are shifted.
      reuse: whether to use existing variables.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: float | None = None, initializer: Any = None,
        num_unit_shards: int = 1, forget_bias: float = 1.0, feature_size: int | None = None, frequency_skip: int = 1,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_unit_shards, self._forget_bias = initializer, num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._state_size, self._output_size = 2 * num_units, num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known.
        """
        n, dtype = self._num_units, inputs.dtype
        windows = self._windows(inputs)
        depth = windows[0].shape.as_list()[1]
        weights = sharded("W", [depth + 2 * n, 4 * n], dtype, self._num_unit_shards)
        bias = tf.get_variable("B", shape=[4 * n], initializer=tf.zeros_initializer(), dtype=dtype)
        diagonals = None
        if self._use_peepholes:
            w_f, w_i, w_o = (tf.get_variable(f"W_{gate}_diag", shape=[n], dtype=dtype) for gate in "FIO")
            diagonals = (w_f, w_i)
        below = tf.zeros([inputs.shape[0].value or tf.shape(inputs)[0], n], dtype)
        states, outputs = [], []
        for place, window in enumerate(windows):
            c_prev = tf.slice(state, [0, 2 * place * n], [-1, n])
            m_prev = tf.slice(state, [0, (2 * place + 1) * n], [-1, n])
            seen = tf.concat([window, m_prev, below], 1)
            gates = tf.nn.bias_add(tf.matmul(seen, weights), bias)
            i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=1)
            c = gated_memory(c_prev, (i, j, f), self._forget_bias, diagonals, tf.tanh)
            if self._cell_clip is not None:
                c = tf.clip_by_value(c, -self._cell_clip, self._cell_clip)
            m = tf.sigmoid(o + w_o * c if diagonals else o) * tf.tanh(c)
            below = m
            states.append(tf.concat([c, m], 1) if place == 0 else tf.concat([states[-1], c, m], 1))
            outputs.append(m if place == 0 else tf.concat([outputs[-1], m], 1))
        return outputs[-1], states[-1]

    def _windows(self, inputs: Any) -> list[tf.Tensor]:
        depth = _depth_of_features(inputs)
        number = int((depth - self._feature_size) / self._frequency_skip) + 1
        return [
            tf.slice(inputs, [0, place * self._frequency_skip], [-1, self._feature_size]) for place in range(number)
        ]


@public("contrib.rnn.GridLSTMCell")
class GridLSTMCell(SizedCell):
    """The grid LSTM cell: at each window of frequencies one LSTM along time and one along frequency (Kalchbrenner et
    al. 2015).

    Args:
      num_units: size of memory and output of each window of frequencies.
      use_peepholes: whether the gates see the memories.
      share_time_frequency_weights: whether both LSTMs have the same weights.
      cell_clip: limit of the memories' absolute values.
      initializer: initializer of the variables.
      num_unit_shards: number of parts that the weights are kept in.
      forget_bias: added to the forget gates' inputs.
      feature_size: width of a window of frequencies.
      frequency_skip: by how much windows are shifted.
      num_frequency_blocks: for each block of frequencies, the number of its windows.
      start_freqindex_list, end_freqindex_list: for each block, where it begins and ends.
      couple_input_forget_gates: whether forget gates are what input gates leave.
      state_is_tuple: whether the state is a named tuple, or one tensor.
      reuse: whether to use existing variables.

    Raises:
      ValueError: there are no blocks, or no feature size.
    """

    _prefixes: tuple[str, ...] = ("state",)
    _state_type = "GridLSTMStateTuple"

    def __init__(
        self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
        cell_clip: float | None = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
        feature_size: int | None = None, frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None, start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None, couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True, reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            tf.logging.warning("%s: Using a concatenated state is slower. Use state_is_tuple=True.", self)
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._share, self._coupled = share_time_frequency_weights, couple_input_forget_gates
        self._state_is_tuple, self._cell_clip, self._initializer = state_is_tuple, cell_clip, initializer
        self._num_unit_shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._starts, self._ends = start_freqindex_list, end_freqindex_list
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._blocks = num_frequency_blocks
        total = sum(num_frequency_blocks)
        names = [
            f"{prefix}_f{place:02d}_b{block:02d}_{part}"
            for prefix in self._prefixes for block, windows in enumerate(num_frequency_blocks)
            for place in range(windows) for part in "cm"
        ]
        self._state_tuple_type: Any = collections.namedtuple(self._state_type, names) if state_is_tuple else None
        width = num_units * total * len(self._prefixes)
        self._state_size = self._state_tuple_type(*[num_units] * len(names)) if state_is_tuple else 2 * width
        self._output_size = 2 * width

    @property
    def state_tuple_type(self) -> Any:
        """The type of the state; None where it is one tensor."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> Any:
        """One step.

        Raises:
          ValueError: the depth of the inputs is not known, or blocks and their places do not fit.
        """
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        outputs, states = [], []
        for block, windows in enumerate(self._windows(inputs)):
            output, new_state = self._compute(windows, block, state, batch, state_is_tuple=self._state_is_tuple)
            outputs += output
            states += new_state
        joined = self._state_tuple_type(*states) if self._state_is_tuple else tf.concat(states, 1)
        return tf.concat(outputs, 1), joined

    def _windows(self, inputs: Any, slice_offset: int = 0) -> list[list[tf.Tensor]]:
        depth = _depth_of_features(inputs)
        if slice_offset:
            behind, before = max(slice_offset, 0), max(-slice_offset, 0)
            paddings = tf.constant([0, 0, before, behind], shape=[2, 2], dtype=tf.int32)
            inputs, slice_offset = tf.pad(inputs, paddings, "CONSTANT"), behind
        if not self._starts:
            if len(self._blocks) != 1:
                raise ValueError(f"Length of num_frequency_blocks is not 1, but instead is {len(self._blocks)}")
            number = int((depth - self._feature_size) / self._frequency_skip) + 1
            if number != self._blocks[0]:
                raise ValueError(f"Invalid num_frequency_blocks, requires {self._blocks[0]} but gets {number}, please "
                                 "check the input size and filter config are correct.")
            starts, numbers = [0], [number]
        else:
            if len(self._starts) != len(self._ends) or len(self._starts) != len(self._blocks):
                raise ValueError(
                    f"Length of start_freqindex_list ({self._starts}), end_freqindex_list ({self._ends}) and "
                    f"num_frequency_blocks ({self._blocks}) differ"
                )
            starts, numbers = self._starts, []
            for block, (start, end) in enumerate(zip(self._starts, self._ends)):
                number = int((end - start - self._feature_size) / self._frequency_skip) + 1
                if number != self._blocks[block]:
                    raise ValueError(f"Invalid num_frequency_blocks, requires {self._blocks[block]} but gets {number}, "
                                     "please check the input size and filter config are correct.")
                numbers.append(number)
        return [
            [
                tf.slice(inputs, [0, slice_offset + start + place * self._frequency_skip], [-1, self._feature_size])
                for place in range(number)
            ]
            for start, number in zip(starts, numbers)
        ]

    def _peepholes(self, block: int, dtype: Any) -> dict[str, Any]:
        if not self._use_peepholes:
            return {}
        made = {}
        for side in ("freq",) if self._share else ("freq", "time"):
            for gate in "IO" if self._coupled else "FIO":
                for seen in "ft":
                    key = f"W_{gate}_diag_{side}{seen}"
                    made[key] = tf.get_variable(f"{key}_{block}", shape=[self._num_units], dtype=dtype)
        if self._share:
            made |= {key.replace("_freq", "_time"): value for key, value in made.items()}
        return made

    def _compute(
        self, windows: list[tf.Tensor], block: int, state: Any, batch: Any, state_prefix: str = "state",
        state_is_tuple: bool = True,
    ) -> tuple[list[tf.Tensor], list[tf.Tensor]]:
        """Outputs and states of the windows of a block."""
        n, number, dtype = self._num_units, 3 if self._coupled else 4, windows[0].dtype
        depth = windows[0].shape.as_list()[1]
        maps = {}
        for side in "f" if self._share else "ft":
            maps[side] = (
                sharded(f"W_{side}_{block}", [depth + 2 * n, number * n], dtype, self._num_unit_shards),
                tf.get_variable(
                    f"B_{side}_{block}", shape=[number * n], initializer=tf.zeros_initializer(), dtype=dtype
                ),
            )
        w = self._peepholes(block, dtype)
        m_freq = tf.zeros([batch, n], dtype)
        c_freq = tf.zeros([batch, n], dtype)
        outputs, states = [], []
        for place, window in enumerate(windows):
            if state_is_tuple:
                name = f"{state_prefix}_f{place:02d}_b{block:02d}"
                c_time, m_time = getattr(state, f"{name}_c"), getattr(state, f"{name}_m")
            else:
                c_time = tf.slice(state, [0, 2 * place * n], [-1, n])
                m_time = tf.slice(state, [0, (2 * place + 1) * n], [-1, n])
            seen = tf.concat([window, m_time, m_freq], 1)
            gates = {
                side: tf.split(value=tf.nn.bias_add(tf.matmul(seen, kernel), bias), num_or_size_splits=number, axis=1)
                for side, (kernel, bias) in maps.items()
            }
            gates.setdefault("t", gates["f"])
            memories = (c_freq, c_time)
            c_freq = self._memory("freq", gates["f"], c_freq, memories, w)
            c_time = self._memory("time", gates["t"], c_time, memories, w)
            m_freq = self._output("freq", gates["f"][-1], c_freq, (c_freq, c_time), w)
            m_time = self._output("time", gates["t"][-1], c_time, (c_freq, c_time), w)
            outputs += [m_time, m_freq]
            states += [c_time, m_time]
        return outputs, states

    def _seen(self, gate: str, side: str, value: Any, memories: tuple[Any, Any], w: dict[str, Any]) -> Any:
        """The input of a gate with what its peepholes add."""
        if not w:
            return value
        return value + w[f"W_{gate}_diag_{side}f"] * memories[0] + w[f"W_{gate}_diag_{side}t"] * memories[1]

    def _memory(self, side: str, gates: Any, before: Any, memories: tuple[Any, Any], w: dict[str, Any]) -> tf.Tensor:
        written = tf.sigmoid(self._seen("I", side, gates[0], memories, w))
        if self._coupled:
            kept = 1.0 - written
        else:
            kept = tf.sigmoid(self._seen("F", side, gates[2] + self._forget_bias, memories, w))
        c = kept * before + written * tf.tanh(gates[1])
        return c if self._cell_clip is None else tf.clip_by_value(c, -self._cell_clip, self._cell_clip)

    def _output(self, side: str, gate: Any, c: Any, memories: tuple[Any, Any], w: dict[str, Any]) -> tf.Tensor:
        return tf.sigmoid(self._seen("O", side, gate, memories, w)) * tf.tanh(c)


@public("contrib.rnn.BidirectionalGridLSTMCell")
class BidirectionalGridLSTMCell(GridLSTMCell):
    """The grid LSTM cell that goes through the frequencies in both directions (Li et al. 2016).

    Args:
      backward_slice_offset: by how much the frequencies of the backward direction are shifted.

    The other arguments are those of GridLSTMCell; the state is a tuple.
    """

    _prefixes = ("fwd_state", "bwd_state")
    _state_type = "BidirectionalGridLSTMStateTuple"

    def __init__(
        self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
        cell_clip: float | None = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
        feature_size: int | None = None, frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None, start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None, couple_input_forget_gates: bool = False,
        backward_slice_offset: int = 0, reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards,
            forget_bias, feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, True, reuse,
        )
        self._backward_slice_offset = backward_slice_offset

    def call(self, inputs: Any, state: Any) -> Any:
        """One step; raises as GridLSTMCell does."""
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        forward = self._windows(inputs)
        backward = self._windows(inputs, self._backward_slice_offset) if self._backward_slice_offset else forward
        results: dict[str, tuple[list, list]] = {}
        for direction, blocks in (("fwd", forward), ("bwd", backward)):
            outputs: list[Any] = []
            states: list[Any] = []
            with tf.variable_scope(direction):
                for block, windows in enumerate(blocks):
                    ordered = windows if direction == "fwd" else windows[::-1]
                    output, new_state = self._compute(
                        ordered, block, state, batch, state_prefix=f"{direction}_state", state_is_tuple=True
                    )
                    outputs += output
                    states += new_state
            results[direction] = outputs, states
        (out_fwd, state_fwd), (out_bwd, state_bwd) = results["fwd"], results["bwd"]
        return tf.concat([*out_fwd, *out_bwd], 1), self._state_tuple_type(*state_fwd, *state_bwd)
