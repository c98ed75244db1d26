"""Cells around cells: several layers, dropout, residual connections, placement."""
from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import device as device_scope
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.rnn.cell import RNNCell, assert_like_cell
from ossia_nn.rnn.lstm import LSTMStateTuple
from ossia_ops.array.concat import concat
from ossia_ops.array.part import slice_
from ossia_ops.control.tensor_array import TensorArray
from ossia_ops.math.division import div
from ossia_ops.math.elementwise import floor
from ossia_ops.nn.dropout import dropout_v2
from ossia_ops.random.uniform import random_uniform


class Dependency(NamedTuple):
    """An object that another one holds, and the name that checkpoints of objects have for it."""

    name: str
    ref: Any


@public("nn.rnn_cell.MultiRNNCell")
class MultiRNNCell(RNNCell):
    """Cells one above the other.

    Args:
      cells: the cells, lowest first.
      state_is_tuple: whether the state is a tuple of the cells' states, or one tensor.

    Raises:
      ValueError: no cells, or cells with tuple states while the state is one tensor.
      TypeError: `cells` is no sequence.
    """

    def __init__(self, cells: Sequence[Any], state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_sequence(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        self._cells, self._state_is_tuple = list(cells), state_is_tuple
        if not state_is_tuple and any(nest.is_sequence(c.state_size) for c in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: "
                f"{[c.state_size for c in cells]}"
            )

    @property
    def _checkpoint_dependencies(self) -> list[Dependency]:
        return [Dependency(f"cell-{i}", cell) for i, cell in enumerate(self._cells)]

    @property
    def state_size(self) -> Any:
        """Sizes of the state."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """Size of the highest cell's output."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The zero states of all cells."""
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if not self._state_is_tuple:
                return super().zero_state(batch_size, dtype)
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    @property
    def trainable_weights(self) -> list[Any]:
        """Trainable variables of all cells."""
        return (
            [v for cell in self._cells if hasattr(cell, "trainable_weights") for v in cell.trainable_weights]
            if self.trainable
            else []
        )

    @property
    def non_trainable_weights(self) -> list[Any]:
        """Other variables of all cells."""
        return [v for cell in self._cells if hasattr(cell, "non_trainable_weights") for v in cell.non_trainable_weights]

    def call(self, inputs: Any, state: Any) -> Any:  # type: ignore[override]
        """One step of each cell."""
        start = 0
        new_states = []
        for i, cell in enumerate(self._cells):
            with variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    if not nest.is_sequence(state):
                        raise ValueError(
                            f"Expected state to be a tuple of length {len(self.state_size)}, but received: {state}"
                        )
                    own = state[i]
                else:
                    own = slice_(state, [0, start], [-1, cell.state_size])
                    start += cell.state_size
                inputs, new_state = cell(inputs, own)
                new_states.append(new_state)
        return inputs, tuple(new_states) if self._state_is_tuple else concat(new_states, 1)


class _Wrapper(RNNCell):
    """A cell that changes what goes in or comes out of another one."""

    def __init__(self, cell: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert_like_cell("cell", cell)
        self.cell = cell

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one, with those of the inner cell, and its class, by `cell`."""
        inner = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": inner}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """A cell of the arguments that `get_config` gave, with a cell put in the place of what describes one;
        `custom_objects` is not used.

        Raises:
          ValueError: there is no cell.
        """
        rest = dict(config)
        cell = rest.pop("cell")
        if not isinstance(cell, RNNCell):
            raise ValueError("RNNCellWrapper cannot reconstruct the wrapped cell: put an RNNCell into the config")
        return cls(cell, **rest)

    @property
    def wrapped_cell(self) -> Any:
        """The inner cell."""
        return self.cell

    @property
    def _checkpoint_dependencies(self) -> list[Dependency]:
        return [Dependency("cell", self.cell)]

    @property
    def state_size(self) -> Any:
        """Sizes of the inner cell's state."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """Size of the inner cell's output."""
        return self.cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The inner cell's zero state."""
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def __call__(self, inputs: Any, state: Any = None, scope: Any = None) -> Any:  # type: ignore[override]
        """One step; see RNNCell."""
        return self._step(inputs, state, scope)

    def _step(self, inputs: Any, state: Any, scope: Any) -> Any:
        return self.cell(inputs, state, scope=scope) if scope is not None else self.cell(inputs, state)


def _drops(probability: Any) -> bool:
    return not isinstance(probability, float) or probability < 1


def _probability(name: str, value: Any) -> Any:
    """A checked probability: a number if it is known, else a tensor."""
    tensor = convert_to_tensor(value)
    known = get_static_value(tensor)
    if known is None:
        return tensor
    if not 0 <= known <= 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(known)}")  # as the original writes it
    return float(known)


def _dropped_by(value: Any, noise: Any, keep_prob: Any) -> Any:
    """Dropout of `value` where `noise`, uniform in [0, 1), is less than `1 - keep_prob`."""
    kept = floor(keep_prob + noise)
    result = div(value, keep_prob) * kept
    result.set_shape(value.shape)
    return result


def _keeps_memory(substate: Any) -> Any:
    """By default, the memory of an LSTM and TensorArrays are not dropped."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


@public("nn.rnn_cell.DropoutWrapper")
class DropoutWrapper(_Wrapper):
    """Dropout on a cell's input, output and state (Gal and Ghahramani 2016, if variational).

    Args:
      cell: the inner cell.
      input_keep_prob, output_keep_prob, state_keep_prob: probabilities to keep an element; 1.0 for no dropout.
      variational_recurrent: whether all steps of a run drop the same elements.
      input_size: sizes of the inputs, needed for variational dropout of inputs.
      dtype: dtype of inputs, state and output, needed for variational dropout.
      seed: seed from which those of the parts follow.
      dropout_state_filter_visitor: takes the state, or a part of it, and returns whether dropout applies within it, or
          a structure of Booleans of depth one that says so for each part; a tensor's answer is whether it is dropped.
          By default, the memory of LSTM cells and TensorArrays are not.

    Raises:
      TypeError, ValueError: probabilities out of range, or missing sizes.
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
        dropout_state_filter_visitor: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        self._input_size = input_size
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        with name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
            self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
            self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        self._seed = seed
        self._filter = dropout_state_filter_visitor or _keeps_memory
        self._variational = variational_recurrent
        self._noise: dict[str, Any] = {}
        if variational_recurrent:
            self._noise = self._fixed_noise(input_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one; the filter of states is none of them."""
        return {
            **super().get_config(), "input_keep_prob": self._input_keep_prob,
            "output_keep_prob": self._output_keep_prob, "state_keep_prob": self._state_keep_prob,
            "variational_recurrent": self._variational, "input_size": self._input_size, "seed": self._seed,
        }

    def _fixed_noise(self, input_size: Any, dtype: Any) -> dict[str, Any]:
        """Uniform random numbers that all steps share, for each part that is dropped, without its batch dimension."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")

        def noise(part: str, sizes: Any) -> Any:
            flat = []
            for i, size in enumerate(nest.flatten(sizes)):
                shape = concat(([1], TensorShape(size).as_list()), 0)
                flat.append(random_uniform(shape, seed=self._gen_seed(part, i), dtype=dtype))
            return nest.pack_sequence_as(sizes, flat)

        found = {}
        if _drops(self._input_keep_prob):
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be "
                    "provided"
                )
            found["input"] = noise("input", input_size)
        found["state"] = noise("state", self.cell.state_size)
        found["output"] = noise("output", self.cell.output_size)
        return found

    def _gen_seed(self, prefix: str, index: int) -> int | None:
        if self._seed is None:
            return None
        text = f"{self._seed}{prefix}_{index}".encode()
        return int(hashlib.md5(text, usedforsecurity=False).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _dropped(self, values: Any, prefix: str, keep_prob: Any, chosen: Any = True) -> Any:
        """The parts of `values` with dropout, where `chosen`, a structure of flags no deeper than `values`, says so."""
        if chosen is True:
            chosen = nest.map_structure(lambda _: True, values)
        numbers = itertools.count()

        def dropped(flag: Any, value: Any, noise: Any) -> Any:
            number = next(numbers)
            if isinstance(flag, bool) and not flag:
                return value
            if self._noise:
                return _dropped_by(value, noise, keep_prob)
            return dropout_v2(value, rate=1. - keep_prob, seed=self._gen_seed(prefix, number))

        return nest.map_structure_up_to(chosen, dropped, chosen, values, self._noise.get(prefix, values))

    def _step(self, inputs: Any, state: Any, scope: Any) -> Any:
        if _drops(self._input_keep_prob):
            inputs = self._dropped(inputs, "input", self._input_keep_prob)
        output, new_state = super()._step(inputs, state, scope)
        if _drops(self._state_keep_prob):
            new_state = self._dropped(
                new_state,
                "state",
                self._state_keep_prob,
                nest.get_traverse_shallow_structure(self._filter, new_state),
            )
        if _drops(self._output_keep_prob):
            output = self._dropped(output, "output", self._output_keep_prob)
        return output, new_state


@public("nn.rnn_cell.ResidualWrapper")
class ResidualWrapper(_Wrapper):
    """A cell whose input is added to its output (Wu et al. 2016).

    Args:
      cell: the inner cell.
      residual_fn: combines (inputs, outputs); their sum by default.
    """

    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _step(self, inputs: Any, state: Any, scope: Any) -> Any:
        outputs, new_state = super()._step(inputs, state, scope)

        def summed(inp: Any, out: Any) -> Any:
            inp.shape.assert_is_compatible_with(out.shape)
            return inp + out

        if self._residual_fn is not None:
            result = self._residual_fn(inputs, outputs)
        else:
            nest.assert_same_structure(inputs, outputs)
            result = nest.map_structure(summed, inputs, outputs)
        return result, new_state


@public("nn.rnn_cell.DeviceWrapper")
class DeviceWrapper(_Wrapper):
    """A cell placed on a device."""

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one, with those of the inner cell."""
        return {**super().get_config(), "device": self._device}

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The inner cell's zero state, on the device."""
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]), device_scope(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _step(self, inputs: Any, state: Any, scope: Any) -> Any:
        with device_scope(self._device):
            return super()._step(inputs, state, scope)
