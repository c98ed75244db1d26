"""Datasets of tensors, numbers and Python generators: their ops."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.elements import OUTPUTS, Body, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.positions import Counted, Position
from ossia_data.rows import Columns

_COMPONENTS = {"Toutput_types": "list(type) >= 1", "output_shapes": "list(shape) >= 1"}


class OneElement(Elements):
    """The values given, once."""

    def __init__(self, components: Element) -> None:
        self._components = components

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Once(self._components)

    def cardinality(self) -> int:
        return 1


class _Once:
    place = "FromTensor"

    def __init__(self, components: Element) -> None:
        self._components, self._given = components, False

    def __iter__(self) -> _Once:
        return self

    def __next__(self) -> Element:
        if self._given:
            raise StopIteration
        self._given = True
        return list(self._components)

    def save(self, position: Position, at: str) -> None:
        if self._given:
            position.put(at, "produced")

    def restore(self, position: Position, at: str) -> None:
        self._given = position.has(at, "produced")


tensor_dataset_op = dataset_op(
    "TensorDataset(components: Toutput_types) -> handle: variant", stateful=True, outputs=False, **_COMPONENTS
)
tensor_dataset_op.kernel(lambda components: OneElement(list(components)))


class Slices(Elements):
    """The slices of values along their first dimension."""

    def __init__(self, components: Element) -> None:
        self._components = components

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Slicing(self._components)

    def cardinality(self) -> int:
        return len(self._components[0])


class _Slicing(Counted):
    place, told = "TensorSlice", "i"

    def __init__(self, columns: Element) -> None:
        self._columns, self._at, self._count = columns, 0, len(columns[0])

    def __next__(self) -> Element:
        at = self._at
        if at >= self._count:
            raise StopIteration
        self._at = at + 1
        return [column[at] for column in self._columns]

    def rows(self, count: int) -> Columns | None:
        """The next slices."""
        at = self._at
        if at >= self._count:
            raise StopIteration
        self._at = min(at + count, self._count)
        return [column[at : self._at] for column in self._columns]


tensor_slice_dataset_op = dataset_op(
    "TensorSliceDataset(components: Toutput_types) -> handle: variant", stateful=True, outputs=False, **_COMPONENTS
)


@tensor_slice_dataset_op.kernel
def _(components):
    for component in components:
        if not np.ndim(component):
            raise errors.InvalidArgumentError(None, None, "All components must be at least 1-dimensional")
        if len(component) != len(components[0]):
            raise errors.InvalidArgumentError(
                None, None, "All components must have the same size in the 0th dimension"
            )
    return Slices([np.array(component) for component in components])


class Range(Elements):
    """Numbers from `start` on, below (or above) `stop`."""

    def __init__(self, start: int, stop: int, step: int) -> None:
        self._numbers = range(start, stop, step)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Counting(self._numbers)

    def cardinality(self) -> int:
        return len(self._numbers)


class _Counting(Counted):
    place, told = "Range", "next"

    def __init__(self, numbers: range) -> None:
        self._at, self._stop, self._step = numbers.start, numbers.stop, numbers.step

    def __next__(self) -> Element:
        number = self._at
        if number >= self._stop if self._step > 0 else number <= self._stop:
            raise StopIteration
        self._at = number + self._step
        return [np.int64(number)]

    def rows(self, count: int) -> Columns | None:
        """The next numbers."""
        numbers = range(self._at, self._stop, self._step)[:count]
        if not numbers:
            raise StopIteration
        self._at += len(numbers) * self._step
        return [np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)]


range_dataset_op = dataset_op("RangeDataset(start: int64, stop: int64, step: int64) -> handle: variant", stateful=True)


@range_dataset_op.kernel
def _(start, stop, step):
    numbers = scalar(start, "start"), scalar(stop, "stop"), scalar(step, "step")
    if not numbers[2]:
        raise errors.InvalidArgumentError(None, None, "step must be a non-zero integer.")
    return Range(*numbers)


class Generated(Elements):
    """What a function returns again and again, until it raises OutOfRangeError."""

    def __init__(self, init: Body, following: Body, finalize: Body, captured: tuple[list, list, list]) -> None:
        self._bodies, self._captured = (init, following, finalize), captured

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Generation([iteration.function(body) for body in self._bodies], self._captured)


class _Generation:
    def __init__(self, functions: list, captured: tuple[list, list, list]) -> None:
        self._functions, self._captured = functions, captured
        self._state: list | None = None
        self._ended = False

    def __iter__(self) -> _Generation:
        return self

    def __next__(self) -> Element:
        if self._ended:
            raise StopIteration
        if self._state is None:
            self._state = self._functions[0](self._captured[0])
        try:
            return self._functions[1]([*self._state, *self._captured[1]])
        except errors.OutOfRangeError:
            self._ended = True
            self._functions[2]([*self._state, *self._captured[2]])
            raise StopIteration from None


generator_dataset_op = dataset_op(
    "GeneratorDataset(init_func_other_args: Tinit_func_args, next_func_other_args: Tnext_func_args, "
    "finalize_func_other_args: Tfinalize_func_args) -> handle: variant",
    stateful=True, outputs=False, init_func="func", next_func="func", finalize_func="func",
    Tinit_func_args="list(type) >= 0", Tnext_func_args="list(type) >= 0", Tfinalize_func_args="list(type) >= 0",
    **OUTPUTS,
)


@generator_dataset_op.kernel_for
def _(node: Any, *, session: Any) -> Any:
    bodies = [Body(node, node.attrs[key], session) for key in ("init_func", "next_func", "finalize_func")]

    def kernel(init: list, following: list, finalize: list) -> Elements:
        return Generated(bodies[0], bodies[1], bodies[2], (list(init), list(following), list(finalize)))

    return kernel
