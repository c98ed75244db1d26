"""Several elements at once: columns, each an array with one row an element.

An iterator that can give its elements so has a method `rows(count)`: at most `count` of the next ones, at least one. It
raises StopIteration at the end, and the error of the next element if that fails. It returns None, and stays where it
is, where they have to be taken one by one: they differ in shape, or a function has to be called for each.
"""
from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_core.names.errors import dims_text
from ossia_data.elements import Element
from ossia_data.positions import Unsaved
from ossia_data.ragged_rows import Ragged

Columns = list  # arrays


def rows_of(source: Iterator[Element], count: int) -> Columns | None:
    """The next elements of an iterator as columns, or None."""
    give = getattr(source, "rows", None)
    return None if give is None else give(count)


def elements_of(columns: Columns) -> list[Element]:
    """The elements that are the rows of columns."""
    return [list(row) for row in zip(*columns, strict=True)]


def joined(parts: list[Columns]) -> Columns | None:
    """Columns one below the other, in memory of their own; None where they do not fit together."""
    if any(type(column) is Ragged for columns in parts for column in columns):
        return None
    if len(parts) == 1:
        return [column if column.base is None else column.copy() for column in parts[0]]
    if any(len({(x.dtype, x.shape[1:]) for x in columns}) > 1 for columns in zip(*parts, strict=True)):
        return None
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def stacked(values: Sequence[Any]) -> Any:
    """Values of one tensor along a new first dimension."""
    first = values[0]
    if isinstance(first, (bytes, str)) or not isinstance(first, (np.ndarray, np.generic)):
        column = np.empty(len(values), object)
        column[:] = values
        return column
    if not first.ndim:
        return np.array(values, first.dtype)
    return np.concatenate(values).reshape(len(values), *first.shape)


def _shape(value: Any) -> tuple[int, ...]:
    return value.shape if type(value) is np.ndarray else np.shape(value)


def batch_of(elements: list[Element]) -> Columns:
    """Elements stacked, part by part.

    Raises:
        InvalidArgumentError: Parts differ in shape.
    """
    columns = []
    for part, values in enumerate(zip(*elements, strict=True)):
        shape, alike = _shape(values[0]), type(values[0])
        if type(values[0]) is np.ndarray or any(type(value) is not alike for value in values):
            for i, value in enumerate(values):
                if _shape(value) != shape:
                    raise errors.InvalidArgumentError(
                        None, None,
                        "Cannot batch tensors with different shapes in component "
                        f"{part}. First element had shape {dims_text(shape)} and element {i} had shape "
                        f"{dims_text(_shape(value))}.",
                    )
        columns.append(stacked(values))
    return columns


class HeldBack:
    """An iterator that may have taken elements, or an error, that it has not given yet.

    Attributes:
        _source: What it takes them from.
    """

    _source: Iterator[Element]

    def __init__(self) -> None:
        self._held: collections.deque[Any] = collections.deque()

    def _following(self) -> Element:
        """The next element of the source."""
        if not self._held:
            return next(self._source)
        found = self._held.popleft()
        if isinstance(found, Exception):
            raise found
        return found

    def _check_nothing_held(self) -> None:
        if self._held:
            raise Unsaved


OnRows = Callable[[Any], "Callable[[list], list] | None"]  # of which columns are ragged; None if that is not known


def _length(column: Any) -> int:
    return len(column) if type(column) is Ragged or np.ndim(column) else -1


class ByRows(HeldBack):
    """An iterator that makes something of each element, and may do so of columns.

    Attributes:
        _on_rows: Tells what to call on columns, or None.
    """

    _on_rows: OnRows
    _may: bool | None = None  # whether it may be called so, as far as is known

    def rows(self, count: int) -> Columns | None:
        """What the function makes of the next elements."""
        if self._may is None:
            self._may = self._on_rows(None) is not None
        if self._held or not self._may:
            return None
        columns = self._gathered(count)
        if columns is None:
            return None
        function = self._on_rows(tuple([type(column) is Ragged for column in columns]))
        if function is None:
            self._may = False
        else:
            try:
                found = function(columns)
            except errors.OpError:  # of one of them: each by itself then
                found = []
            if len(found) and all(_length(column) == len(columns[0]) for column in found):
                return found
        self._held.extend(elements_of(columns))
        return None

    def _gathered(self, count: int) -> Columns | None:
        columns = rows_of(self._source, count)
        if columns is not None:
            return columns
        elements: list[Any] = []
        while len(elements) < count:
            try:
                elements.append(next(self._source))
            except StopIteration:
                if not elements:
                    raise
                break
            except errors.OpError as error:
                if not elements:
                    raise
                self._held.extend([*elements, error])
                return None
        try:
            return batch_of(elements)
        except errors.InvalidArgumentError:
            self._held.extend(elements)
            return None
