"""Datasets that put elements together or take them apart: batch, padded_batch, window, unbatch."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op, scalar
from ossia_data.positions import Placed, Position
from ossia_data.ragged_rows import Ragged
from ossia_data.rows import Columns, batch_of, elements_of, joined, rows_of


class Batch(Elements):
    """`size` elements at a time, stacked.

    Args:
        source: The elements.
        size: How many.
        drop: Whether fewer at the end are left out.
    """

    place = "BatchV2", "input_impl_empty"  # its name in positions, and what is so at its end
    lines_up = True  # whether the elements of a batch are as they were

    def __init__(self, source: Elements, size: int, drop: bool) -> None:
        self.inputs, self._size, self._drop = (source,), size, drop

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Batches(self.input.start(iteration), self._size, self._drop, self)

    def cardinality(self) -> int:
        there = self.input.cardinality()
        return there if there < 0 else (there + (0 if self._drop else self._size - 1)) // self._size

    def together(self, elements: list[Element]) -> Element:
        """One batch of these elements."""
        return batch_of(elements)

    def joined(self, parts: list[Columns]) -> Element:
        """One batch of the rows of these."""
        found = joined(parts)
        return self.together(_elements(parts)) if found is None else found


def _elements(parts: list[Columns]) -> list[Element]:
    return [element for columns in parts for element in elements_of(columns)]


class _Batches(Placed):
    def __init__(self, source: Iterator[Element], size: int, drop: bool, batch: Batch) -> None:
        self._source, self._size, self._drop, self._batch = source, size, drop, batch
        # Behind a function, a batch that fails is passed over as a whole: the original makes the two one dataset.
        self._ended, self._whole = False, batch.lines_up and hasattr(batch.input, "on_rows")
        self.place, self._told = batch.place

    def save(self, position: Position, at: str) -> None:
        if self._ended:
            position.put(at, self._told)
        else:
            super().save(position, at)

    def restore(self, position: Position, at: str) -> None:
        self._ended = position.has(at, self._told)
        if not self._ended:
            super().restore(position, at)

    def __next__(self) -> Element:
        if self._ended:
            raise StopIteration
        parts: list[Columns] = []
        elements: list[Element] = []
        missing, by_rows = self._size, True
        failed: errors.OpError | None = None
        while missing:
            try:
                columns = rows_of(self._source, missing) if by_rows else None
                by_rows = columns is not None
                if columns is None:
                    elements.append(next(self._source))
                    missing -= 1
                else:
                    parts.append(columns)
                    missing -= len(columns[0])
            except StopIteration:
                self._ended = True
                break
            except errors.OpError as error:
                if not self._whole:
                    raise
                failed = failed or error
                missing -= 1
        if failed is not None:
            raise failed
        if missing == self._size or (self._drop and missing):
            raise StopIteration
        return self._batch.together([*_elements(parts), *elements]) if elements else self._batch.joined(parts)


def _size(batch_size: Any) -> int:
    size = scalar(batch_size, "batch_size")
    if size <= 0:
        raise errors.InvalidArgumentError(None, None, "Batch size must be greater than zero.")
    return size


batch_dataset_v2_op = dataset_op(
    "BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool) -> handle: variant",
    parallel_copy="bool = false",
)
batch_dataset_v2_op.kernel(lambda source, size, drop: Batch(source, _size(size), bool(drop)))
batch_dataset_op = dataset_op("BatchDataset(input_dataset: variant, batch_size: int64) -> handle: variant")
batch_dataset_op.kernel(lambda source, size: Batch(source, _size(size), False))


def _filling(padding: Any, values: np.ndarray) -> Any:
    """What fills the rest of an array of such values."""
    return padding.item() if hasattr(padding, "item") and values.dtype.hasobject else padding


class PaddedBatch(Batch):
    """Batches of elements that are padded to the shapes given, or to the largest of the batch.

    Args:
        source: The elements.
        size: How many.
        drop: Whether fewer at the end are left out.
        shapes: A vector for each part, -1 for what is padded as the batch needs it.
        paddings: A scalar for each part.
    """

    place = "PaddedBatchV2", "exhausted"
    lines_up = False

    def __init__(self, source: Elements, size: int, drop: bool, shapes: list, paddings: list) -> None:
        super().__init__(source, size, drop)
        self._shapes, self._paddings = [[int(d) for d in shape] for shape in shapes], paddings

    def together(self, elements: list[Element]) -> Element:
        columns = zip(*elements, strict=True)
        return [self._column(i, list(values)) for i, values in enumerate(columns)]

    def joined(self, parts: list[Columns]) -> Element:
        columns = [*zip(*parts, strict=True)]
        if not all(type(part) is Ragged for column in columns for part in column):
            return self.together(_elements(parts))
        return [self._of_vectors(i, Ragged.joined(list(column))) for i, column in enumerate(columns)]

    def _of_vectors(self, part: int, vectors: Ragged) -> Any:
        wanted, longest = self._shapes[part], int(vectors.counts.max())
        if len(wanted) != 1 or 0 <= wanted[0] < longest:
            return self._column(part, list(vectors))
        return vectors.padded(longest if wanted[0] < 0 else wanted[0], _filling(self._paddings[part], vectors.values))

    def _column(self, part: int, values: list[Any]) -> Any:
        wanted = self._shapes[part]
        shapes = [np.shape(value) for value in values]
        for shape in shapes:
            if len(shape) != len(wanted):
                raise errors.InvalidArgumentError(
                    None, None,
                    "All elements in a batch must have the same rank as the padded shape for component"
                    f"{part}: expected rank {len(wanted)} but got element with rank {len(shape)}",
                )
        full = []
        for axis, size in enumerate(wanted):
            largest = max(shape[axis] for shape in shapes)
            if size >= 0 and largest > size:
                raise errors.DataLossError(
                    None, None,
                    f"Attempted to pad to a smaller size than the input element: {largest} along dimension {axis} of "
                    f"component {part}, which is {size}",
                )
            full.append(largest if size < 0 else size)
        padding = self._paddings[part]
        dtype = np.dtype(object) if isinstance(values[0], bytes) else np.asarray(values[0]).dtype
        found = np.empty([len(values), *full], dtype)
        found[...] = _filling(padding, found)
        for i, value in enumerate(values):
            place: Any = (i, *[slice(size) for size in shapes[i]])
            found[place] = value
        return found


padded_batch_dataset_v2_op = dataset_op(
    "PaddedBatchDatasetV2(input_dataset: variant, batch_size: int64, padded_shapes: N * int64, "
    "padding_values: Toutput_types, drop_remainder: bool) -> handle: variant",
    outputs=False, parallel_copy="bool = false", Toutput_types="list(type) >= 1", output_shapes="list(shape) >= 1",
    N="int >= 1",
)


padded_batch_dataset_op = dataset_op(
    "PaddedBatchDataset(input_dataset: variant, batch_size: int64, padded_shapes: N * int64, "
    "padding_values: Toutput_types) -> handle: variant",
    outputs=False, Toutput_types="list(type) >= 1", output_shapes="list(shape) >= 1", N="int >= 1",
)


@padded_batch_dataset_op.kernel
@padded_batch_dataset_v2_op.kernel
def _(input_dataset, batch_size, padded_shapes, padding_values, drop_remainder=False):
    for padding in padding_values:
        if np.ndim(padding):
            raise errors.InvalidArgumentError(None, None, "All padding values must be scalars")
    return PaddedBatch(
        input_dataset, _size(batch_size), bool(drop_remainder), list(padded_shapes), list(padding_values)
    )


class Held(Elements):
    """Elements that are there already."""

    def __init__(self, elements: list[Element]) -> None:
        self._elements = elements

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return iter(self._elements)

    def cardinality(self) -> int:
        return len(self._elements)


class Window(Elements):
    """Datasets of `size` elements each, `stride` apart, one `shift` after the other."""

    def __init__(self, source: Elements, size: int, shift: int, stride: int, drop: bool) -> None:
        self.inputs, self._numbers, self._drop = (source,), (size, shift, stride), drop

    def cardinality(self) -> int:
        there, shift = self.input.cardinality(), self._numbers[1]
        return there if there < 0 else (there + (0 if self._drop else shift - 1)) // shift

    def start(self, iteration: Iteration) -> Iterator[Element]:
        size, shift, stride = self._numbers
        source = self.input.start(iteration)
        span = (size - 1) * stride + 1
        buffer: list[Element] = []
        ended = False
        while True:
            while not ended and len(buffer) < span:
                try:
                    buffer.append(next(source))
                except StopIteration:
                    ended = True
            if not buffer or (self._drop and len(buffer) < span):
                return
            chosen = buffer[:span:stride]
            yield [Held([[value] for value in column]) for column in zip(*chosen, strict=True)]
            missing = shift - len(buffer)
            del buffer[:shift]
            for _ in range(max(0, missing)):
                if next(source, None) is None:
                    return


window_dataset_op = dataset_op(
    "WindowDataset(input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: bool) "
    "-> handle: variant"
)


@window_dataset_op.kernel
def _(input_dataset, size, shift, stride, drop_remainder):
    numbers = {"size": scalar(size, "size"), "shift": scalar(shift, "shift"), "stride": scalar(stride, "stride")}
    for name, number in numbers.items():
        if number <= 0:
            raise errors.InvalidArgumentError(None, None, f"Window {name} must be greater than zero.")
    return Window(input_dataset, *numbers.values(), bool(drop_remainder))


class Unbatch(Elements):
    """The slices of elements along their first dimension, one after the other."""

    def __init__(self, source: Elements) -> None:
        self.inputs = (source,)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Apart(self.input.start(iteration))


class _Apart:
    def __init__(self, source: Iterator[Element]) -> None:
        self._source, self._now, self._at = source, [], 0  # type: ignore[var-annotated]

    def __iter__(self) -> _Apart:
        return self

    def __next__(self) -> Element:
        while not self._now or self._at >= len(self._now[0]):
            self._now, self._at = next(self._source), 0
            sizes = {np.shape(value)[:1] for value in self._now}
            if len(sizes) != 1 or () in sizes:
                self._now = []
                raise errors.InvalidArgumentError(None, None, "Elements must have the same batch size in each part")
        self._at += 1
        return [value[self._at - 1] for value in self._now]


for _kind in ("UnbatchDataset", "ExperimentalUnbatchDataset"):
    dataset_op(f"{_kind}(input_dataset: variant) -> handle: variant").kernel(lambda source: Unbatch(source))
