"""Positions of iterators, as checkpoints keep them: numbers, strings and tensors under the names of their places.

The form is that of the original: a variant whose metadata names its tensors, one name a value, each made of the chain
of datasets and of what it is: `Iterator::Model::Map::Range:next`. A dataset that has no such form here is found again
by its number of elements: all of them are made anew, and passed over.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.names import dtypes, errors

TYPE = "tensorflow::Iterator"
_DELIMITER = "@@"


class Unsaved(Exception):
    """An iterator does not tell its position."""


class Position:
    """What is known of the place of an iterator, by name."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def put(self, at: str, what: str, value: Any = "") -> None:
        """Keep a number, a tensor or, by default, that something is so."""
        self._values[f"{at}:{what}"] = value

    def has(self, at: str, what: str) -> bool:
        """Whether there is a value."""
        return f"{at}:{what}" in self._values

    def number(self, at: str, what: str) -> int:
        """A number that is there.

        Raises:
            NotFoundError: It is not.
        """
        return int(self.value(at, what))

    def value(self, at: str, what: str) -> Any:
        """A value that is there.

        Raises:
            NotFoundError: It is not.
        """
        try:
            return self._values[f"{at}:{what}"]
        except KeyError:
            raise errors.NotFoundError(
                None, None, f"The position of the iterator has no {at}:{what}: it is one of another dataset."
            ) from None

    def proto(self) -> Any:
        """The position as the proto of a variant."""
        from ossia_core.names.tensor_proto import make_tensor_proto
        from ossia_core.proto import VariantTensorDataProto

        made = VariantTensorDataProto(type_name=TYPE)
        if self._values:
            made.metadata = (_DELIMITER + _DELIMITER.join(self._values)).encode()
        for value in self._values.values():
            given = np.int64(value) if isinstance(value, int) else value
            dtype = dtypes.string if isinstance(given, (str, bytes)) else None
            made.tensors.append(make_tensor_proto(given, dtype))
        return made

    @staticmethod
    def of(proto: Any) -> Position:
        """The position in the proto of a variant.

        Raises:
            InvalidArgumentError: It is none.
        """
        from ossia_core.names.tensor_proto import make_ndarray

        if getattr(proto, "type_name", None) != TYPE:
            raise errors.InvalidArgumentError(None, None, "The variant holds no position of an iterator.")
        names = proto.metadata.decode().split(_DELIMITER)[1:]
        if len(names) != len(proto.tensors):
            raise errors.InvalidArgumentError(None, None, "The position of an iterator is damaged.")
        made = Position()
        for name, tensor in zip(names, proto.tensors, strict=True):
            value = make_ndarray(tensor)
            made._values[name] = value if value.ndim else value[()]
        return made


def _inner(at: str, source: Any, number: int | None) -> str:
    name = getattr(source, "place", None)
    if name is None:
        raise Unsaved
    return f"{at}::{name}" if number is None else f"{at}[{number}]::{name}"


def keep(source: Any, position: Position, at: str, number: int | None = None) -> None:
    """Keep the position of the iterator of an input, of the one of that number if there are several.

    Raises:
        Unsaved: It does not tell its position.
    """
    place = _inner(at, source, number)
    source.save(position, place)


def go_to(source: Any, position: Position, at: str, number: int | None = None) -> None:
    """Let the iterator of an input go to a position, see `keep`.

    Raises:
        Unsaved: It does not tell its position.
    """
    place = _inner(at, source, number)
    source.restore(position, place)


class Placed:
    """An iterator that makes its elements of those of another one.

    Attributes:
        place: The name of its dataset in positions.
        _source: The other iterator.
    """

    place: str
    _source: Any

    def __iter__(self) -> Any:
        return self

    def save(self, position: Position, at: str) -> None:
        """Keep the position, under a name that begins with `at`."""
        keep(self._source, position, at)

    def restore(self, position: Position, at: str) -> None:
        """Go to a position that was kept."""
        go_to(self._source, position, at)


class Counted:
    """An iterator of elements with numbers.

    Attributes:
        place: The name of its dataset in positions.
        told: The name of the number.
        _at: The number of the next element.
    """

    place: str
    told: str
    _at: int

    def __iter__(self) -> Any:
        return self

    def save(self, position: Position, at: str) -> None:
        """Keep the position, under a name that begins with `at`."""
        position.put(at, self.told, self._at)

    def restore(self, position: Position, at: str) -> None:
        """Go to a position that was kept."""
        self._at = position.number(at, self.told)
