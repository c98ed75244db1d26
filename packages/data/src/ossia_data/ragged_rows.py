"""Columns whose rows are vectors of different lengths, and the kernels of functions that are called on such."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.backend import Backend, installed_backends


class Ragged:
    """A column of vectors.

    Args:
        values: The vectors, one after the other.
        counts: How many values each has.
    """

    def __init__(self, values: np.ndarray, counts: np.ndarray) -> None:
        self.values, self.counts = values, counts

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[np.ndarray]:
        begin = 0
        for count in self.counts.tolist():
            yield self.values[begin : begin + count]
            begin += count

    def __getitem__(self, rows: Any) -> Any:
        ends = np.cumsum(self.counts)
        if not isinstance(rows, slice):
            return self.values[ends[rows] - self.counts[rows] : ends[rows]]
        begin, end, _ = rows.indices(len(self))
        first = ends[begin - 1] if begin else 0
        return Ragged(self.values[first : ends[end - 1] if end > begin else first], self.counts[begin:end])

    def padded(self, size: int, padding: Any) -> np.ndarray:
        """The vectors as rows of a matrix of this width."""
        made = np.empty((len(self), size), self.values.dtype)
        made.fill(padding)
        made[np.arange(size) < self.counts[:, None]] = self.values
        return made

    @staticmethod
    def joined(columns: list[Ragged]) -> Ragged:
        """Columns one below the other."""
        if len(columns) == 1:
            return columns[0]
        return Ragged(np.concatenate([c.values for c in columns]), np.concatenate([c.counts for c in columns]))


class _OnRaggedRows(Backend):
    """Kernels that take and give such columns where those of the nodes take and give vectors."""

    name = "ragged rows of datasets"

    def kernel(self, node: Any, session: Any) -> Any:
        plain: Any = next(
            found for backend in installed_backends() if (found := backend.kernel(node, session)) is not None
        )
        return _KERNELS.get(node.type, _by_value)(plain)


def _by_value(plain: Callable) -> Callable:
    """What computes value by value, and is of values where there are columns of vectors."""

    def kernel(*inputs: Any) -> Any:
        counts = next((x.counts for x in inputs if type(x) is Ragged), None)
        if counts is None:
            return plain(*inputs)
        return Ragged(plain(*[x.values if type(x) is Ragged else x for x in inputs]), counts)

    return kernel


def _pieces(plain: Callable) -> Callable:
    """What splits texts: the pieces of each; their places are not told."""

    def kernel(texts: Any, *more: Any) -> Any:
        indices, values, _ = plain(texts.reshape(-1), *more)
        return None, Ragged(values, np.bincount(indices[:, 0], minlength=len(texts))), None

    return kernel


def _sizes(plain: Callable) -> Callable:
    return lambda column: column.counts.astype(np.int32) if type(column) is Ragged else plain(column)


_KERNELS: dict[str, Callable[[Callable], Callable]] = {
    "Pack": lambda plain: lambda texts: texts[0][:, None],
    "ExpandDims": lambda plain: lambda texts, axis: texts[:, None],
    "StringSplit": _pieces,
    "StringSplitV2": _pieces,
    "Size": _sizes,
}
KERNELS_ON_RAGGED_ROWS = _OnRaggedRows()
