"""Assertions on whole shapes, with names for sizes that several tensors share."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import Dimension
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_debugging.ranks import assert_rank, assert_rank_at_least, assert_rank_in
from ossia_ops.array.shape import rank as rank_of
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.control.assertion import Assert
from ossia_ops.math.comparison import equal

_ANY_SIZE = (None, ".")
_ANY_SIZES = ("...", "*", Ellipsis)


@public("debugging.assert_shapes", "compat.v2.debugging.assert_shapes")
def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Checks the shapes of several tensors, and that sizes of the same name are equal.

    A shape is a list with one entry per dimension: a number; a name; or None or `"."` for any size. `"..."`, `"*"`
    or Ellipsis as the first entry stands for any number of dimensions; None in place of a shape for any shape. A scalar
    counts as a vector of one element.

    Args:
        shapes: Pairs of a tensor and its shape, or a dict of tensors to shapes.
        data: What the error shows; by default the sizes in question.
        summarize: How many elements of each tensor it shows.
        message: What the error begins with.
        name: Name of the scope, `assert_shapes` by default.

    Returns:
        An operation that raises InvalidArgumentError where a shape is another.

    Raises:
        ValueError: A shape is known now to be another, or is written wrongly.
    """
    message = message or ""
    pairs = list(shapes.items() if isinstance(shapes, Mapping) else shapes)
    with name_scope(name, "assert_shapes", [shapes, data]):
        checked = [_Checked(x, shape, message) for x, shape in pairs if shape is not None]
        ranks = [check for item in checked if (check := item.assert_rank(data, summarize, message, name)) is not None]
        known: dict[Any, tuple[Any, str]] = {}
        sizes = []
        for item in checked:
            for index, symbol in item.entries():
                actual = item.size(index)
                if isinstance(symbol, numbers.Number):
                    wanted, origin = int(symbol), "Specified explicitly"  # type: ignore[call-overload]
                elif symbol in known:
                    wanted, origin = known[symbol]
                else:
                    known[symbol] = actual, f"Specified by tensor {item.x.name} dimension {index}"
                    continue
                if isinstance(actual, int) and isinstance(wanted, int):
                    if actual != wanted:
                        raise ValueError(
                            f"{message}.  {origin}.  Tensor {item.x.name} dimension {index} must have size {wanted}.  "
                            f"Received size {actual}, shape {item.x.shape}"
                        )
                    continue
                condition = equal(convert_to_tensor(actual), convert_to_tensor(wanted))
                shown = data
                if shown is None:
                    shown = [
                        message,
                        origin,
                        f"Tensor {item.x.name} dimension",
                        index,
                        "must have size",
                        wanted,
                        "Received shape: ",
                        shape_of(item.x),
                    ]
                sizes.append(Assert(condition, shown, summarize))
        return group(*ranks, *sizes)


class _Checked:
    """A tensor with the shape that it should have."""

    def __init__(self, x: Any, shape: Any, message: str) -> None:
        self.x: Tensor = convert_to_tensor(x)
        if not isinstance(shape, Iterable):
            raise ValueError(
                f"{message}.  Tensor {self.x.name}.  Specified shape must be an iterable.  An iterable has the "
                f"attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
            )
        wanted = [entry.value if isinstance(entry, Dimension) else entry for entry in shape]
        for index, entry in enumerate(wanted[1:], 1):
            if entry in _ANY_SIZES:
                raise ValueError(
                    f"{message}.  Tensor {self.x.name} specified shape index {index}.  Symbol `...` or `*` for a "
                    "variable number of unspecified dimensions is only allowed as the first entry"
                )
        self.is_open = bool(wanted) and wanted[0] in _ANY_SIZES
        self.wanted = wanted[1:] if self.is_open else wanted
        self._sizes = self._actual_sizes()

    def _actual_sizes(self) -> Any:
        """Sizes as numbers and scalar tensors, or as one tensor where the rank is unknown."""
        found = shape_of(self.x)
        dims = self.x.shape.as_tuple()
        if dims is None:
            return cond(equal(rank_of(self.x), 0), lambda: constant([1]), lambda: found)
        return [size if size is not None else found[i] for i, size in enumerate(dims)] or [1]

    def assert_rank(self, data: Any, summarize: int | None, message: str, name: str | None) -> Any:
        """The check of the rank, None where any will do."""
        more = {"data": data, "summarize": summarize, "message": message, "name": name}
        if self.is_open:
            # A scalar counts as a vector of one element.
            return assert_rank_at_least(self.x, len(self.wanted), **more) if len(self.wanted) > 1 else None
        if len(self.wanted) <= 1:
            return assert_rank_in(self.x, [0, 1], **more)
        return assert_rank(self.x, len(self.wanted), **more)

    def entries(self) -> list[tuple[int, Any]]:
        """Indices, from the end where the shape is open, and what their sizes should be."""
        wanted = self.wanted or [1]
        first = -len(wanted) if self.is_open else 0
        return [(first + i, entry) for i, entry in enumerate(wanted) if entry not in _ANY_SIZE]

    def size(self, index: int) -> Any:
        """The size of a dimension, a number or a scalar tensor."""
        return self._sizes[index]
