"""Datasets of the elements of several datasets: flat_map, interleave."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.ahead import Ahead
from ossia_data.elements import Body, Calling, Element, Elements, Iteration, scalar
from ossia_data.positions import Placed, Position, Unsaved, go_to, keep
from ossia_data.rows import Columns, rows_of


class Interleave(Calling):
    """Elements of the datasets that a function makes of each element: `block` of each of `cycle` of them in turn."""

    cycle: int
    block: int
    ahead = 0
    flat = False

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Interleaved(self.input.start(iteration), self._bound(iteration), iteration, self)


class _Interleaved(Placed):
    """Keeps, beside each dataset that is open, the element of which it was made, and makes it anew from that."""

    def __init__(
        self, source: Iterator[Element], function: Callable[[list], list], iteration: Iteration, dataset: Interleave
    ) -> None:
        self._source, self._function, self._iteration = source, function, iteration
        self._block, self._ahead = dataset.block, dataset.ahead
        self._open: list[Iterator[Element] | None] = [None] * dataset.cycle
        self._made_of: list[Element] = [[]] * dataset.cycle
        self._at, self._given, self._ended, self._count = 0, 0, False, 0
        self.place = "FlatMap" if dataset.flat else "Interleave"

    def _move_on(self) -> None:
        self._given, self._at = 0, (self._at + 1) % len(self._open)

    def __next__(self) -> Element:
        while not self._ended or any(found is not None for found in self._open):
            now = self._open[self._at]
            if now is not None:
                try:
                    found = next(now)
                except StopIteration:
                    self._open[self._at] = None
                    self._move_on()
                    continue
                self._given += 1
                if self._given == self._block:
                    self._move_on()
                return found
            if self._ended:
                self._move_on()
                continue
            try:
                element = next(self._source)
            except StopIteration:
                self._ended = True
                continue
            self._begin(self._at, element)
            self._count += 1
        raise StopIteration

    def rows(self, count: int) -> Columns | None:
        """The next elements of the dataset that is open, if there is one at a time."""
        if self.place != "FlatMap":
            return None
        while True:
            if self._open[0] is None:
                if self._ended:
                    raise StopIteration
                try:
                    element = next(self._source)
                except StopIteration:
                    self._ended = True
                    raise
                self._begin(0, element)
                self._count += 1
            try:
                return rows_of(self._open[0], count)  # type: ignore[arg-type]
            except StopIteration:
                self._open[0] = None

    def _begin(self, number: int, element: Element) -> None:
        opened = self._function(element)[0].start(self._iteration)
        self._open[number] = Ahead(opened, self._ahead, self._iteration) if self._ahead else opened
        self._made_of[number] = element

    def save(self, position: Position, at: str) -> None:
        if self._ahead:
            raise Unsaved
        if self.place == "FlatMap":
            self._save_one(position, at)
            return
        super().save(position, at)
        position.put(at, "cycle_index", self._at)
        position.put(at, "block_index", self._given)
        if self._ended:
            position.put(at, "end_of_input")
        opened = [(i, found) for i, found in enumerate(self._open) if found is not None]
        position.put(at, "num_open", len(opened))
        for i, found in opened:
            keep(found, position, at, i)
            position.put(at, f"args_size[{i}]", len(self._made_of[i]))
            for j, value in enumerate(self._made_of[i]):
                position.put(at, f"args_list_[{i}][{j}]", value)

    def _save_one(self, position: Position, at: str) -> None:
        found = self._open[0]
        if self._ended and found is None:
            position.put(at, "exhausted")
            return
        super().save(position, at)
        position.put(at, "element_index", self._count)
        if found is None:
            position.put(at, "current_element_iterator_uninitialized")
            return
        position.put(at, "captured_func_inputs_size", len(self._made_of[0]))
        for j, value in enumerate(self._made_of[0]):
            if not isinstance(value, (np.ndarray, np.generic, bytes)):
                raise Unsaved
            position.put(at, f"captured_func_inputs[{j}]", value)
        keep(found, position, at, self._count - 1)

    def restore(self, position: Position, at: str) -> None:
        if position.has(at, "exhausted"):
            self._ended = True
            return
        super().restore(position, at)
        if self.place == "FlatMap":
            self._count = position.number(at, "element_index")
            if not position.has(at, "current_element_iterator_uninitialized"):
                size = position.number(at, "captured_func_inputs_size")
                self._begin(0, [position.value(at, f"captured_func_inputs[{j}]") for j in range(size)])
                go_to(self._open[0], position, at, self._count - 1)
            return
        self._at, self._given = position.number(at, "cycle_index"), position.number(at, "block_index")
        self._ended = position.has(at, "end_of_input")
        for i in range(len(self._open)):
            if position.has(at, f"args_size[{i}]"):
                size = position.number(at, f"args_size[{i}]")
                self._begin(i, [position.value(at, f"args_list_[{i}][{j}]") for j in range(size)])
                go_to(self._open[i], position, at, i)


def interleaved(source: Elements, body: Body, captured: list, cycle: Any, block: Any, *_: Any) -> Elements:
    """A dataset that interleaves.

    Raises:
        InvalidArgumentError: A number is not above zero.
    """
    length, size = scalar(cycle, "cycle_length"), scalar(block, "block_length")
    if length == -1:
        length = os.cpu_count() or 1
    if length <= 0:
        raise errors.InvalidArgumentError(None, None, "cycle_length must be greater than zero.")
    if size <= 0:
        raise errors.InvalidArgumentError(None, None, "block_length must be greater than zero.")
    return Interleave(source, body, captured, cycle=length, block=size)


def parallel_interleaved(*given: Any) -> Elements:
    """A dataset that interleaves, and makes elements of each dataset ahead."""
    made = interleaved(*given)
    made.ahead = 2 * made.block  # type: ignore[attr-defined]
    return made


def flat_mapped(source: Elements, body: Body, captured: list) -> Elements:
    """A dataset of the elements of one dataset after the other."""
    return Interleave(source, body, captured, cycle=1, block=1, flat=True)
