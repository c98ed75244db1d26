"""Why the values of a feature are refused, and how each of the parsers words it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.names.errors import InvalidArgumentError, dims_text


def invalid(message: str) -> InvalidArgumentError:
    """An InvalidArgumentError of a kernel."""
    return InvalidArgumentError(None, None, message)


def check_scalar(value: Any, what: str) -> None:
    """Raises InvalidArgumentError unless an input is a scalar."""
    if np.ndim(value):
        raise invalid(f"Expected {what} to be a scalar, got shape: {dims_text(np.shape(value))}")


def text(value: Any) -> str:
    """A byte string in a message."""
    return value.decode("utf-8", "backslashreplace")[:200] if isinstance(value, bytes) else str(value)


class Refused(Exception):
    """The values of a feature are refused.

    Attributes:
        reason: Why, as the parsers of Examples say it.
    """

    reason = "Can't parse serialized Example."

    def in_sequence(self) -> str:
        """Why, as the parser of one SequenceExample says it."""
        return self.reason


class Damaged(Refused):
    """The bytes are no Feature."""


class Absent(Refused):
    """There is no such feature, and no default."""


class Mistyped(Refused):
    """The values are of another dtype."""

    def __init__(self, expected: DType, actual: DType, feature: bytes, sparse: bool) -> None:
        self._expected, self._feature = engine_name(expected), feature
        wanted, found = self._expected, engine_name(actual)
        self.reason = "Data types don't match. " + (
            f"Expected type: {wanted}, Actual type: {found}" if sparse
            else f"Data type: {found} but expected type: {wanted}"
        )

    def in_sequence(self) -> str:
        """Why, with the feature as it is."""
        from google.protobuf.message import DecodeError

        from ossia_core.proto import Feature

        feature: Any
        try:
            feature = Feature.FromString(self._feature)
        except DecodeError:  # only its kind could be read
            feature = repr(self._feature[:200])
        return f"Data types don't match. Expected type: {self._expected}  Feature is: {feature}"


class Kindless(Refused):
    """A feature is there, but has a list of no kind."""

    def __init__(self, expected: DType) -> None:
        self._expected = engine_name(expected)

    def in_sequence(self) -> str:
        """Why, with the feature, which is empty."""
        return f"Data types don't match. Expected type: {self._expected}  Feature is: "


class Miscounted(Refused):
    """There are more or fewer values than fill a shape."""

    def __init__(self, count: int, shape: tuple[int, ...], dtype: DType) -> None:
        self.count = count
        self._kind, self._shape = _kind(dtype), dims_text(shape)
        self.reason = (
            f"Number of {self._kind} values != expected.  Values size: {count} but output shape: {self._shape}"
        )

    def in_sequence(self) -> str:
        """Why, in the words of that parser."""
        return f"Number of {self._kind} values != expected.  values size: {self.count} but output shape: {self._shape}"


class PartOfRow(Refused):
    """The values do not make whole rows."""

    def __init__(self, count: int, row: tuple[int, ...], dtype: DType) -> None:
        self.reason = (
            f"Number of {_kind(dtype)} values is not a multiple of stride length. Saw {count} values but output shape "
            f"is: [?,{','.join(map(str, row))}]"
        )


def _kind(dtype: DType) -> str:
    return "bytes" if dtype is dtypes.string else engine_name(dtype)


def check_rows(count: int, row: tuple[int, ...], dtype: DType) -> None:
    """Refuses a number of values that does not make whole rows.

    Raises:
        PartOfRow: There is a part of a row.
    """
    width = math.prod(row)
    if width == 0 and count or width and count % width:
        raise PartOfRow(count, row, dtype)


def check_count(count: int, shape: tuple[int, ...], dtype: DType) -> None:
    """Refuses a number of values that does not fill a shape.

    Raises:
        Miscounted: There are more or fewer.
    """
    if count != math.prod(shape):
        raise Miscounted(count, shape, dtype)


def in_batch(refused: Refused, name: str, key: bytes, index: int, dtype: DType) -> InvalidArgumentError:
    """The error of one Example among others; `name` is what it is called."""
    if isinstance(refused, Absent):
        return invalid(f"Name: {name}, {_required(key, dtype)}")
    return invalid(f"Name: {name}, Key: {text(key)}, Index: {index}.  {refused.reason}")


def in_one(refused: Refused, key: bytes, dtype: DType) -> InvalidArgumentError:
    """The error of an Example on its own."""
    if isinstance(refused, Absent):
        return invalid(_required(key, dtype))
    return invalid(f"Key: {text(key)}.  {refused.reason if isinstance(refused, Mistyped) else Refused.reason}")


def _required(key: bytes, dtype: DType) -> str:
    return f"Feature: {text(key)} (data type: {engine_name(dtype)}) is required but could not be found."


class OneSequence:
    """How the parser of one SequenceExample refuses it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def check_kind(self, feature: bytes | None, dtype: DType) -> None:
        """Refuses a dense feature that is there without values of any kind.

        Raises:
            Kindless: It is.
        """
        if feature == b"":
            raise Kindless(dtype)

    def context(self, refused: Refused, key: bytes) -> InvalidArgumentError:
        """The error of a feature of the context."""
        if isinstance(refused, Absent):
            return invalid(f"Name: {self._name}, Context feature '{text(key)}' is required but could not be found.")
        where = f"Key: {text(key)}, Index: 0" if isinstance(refused, Miscounted) else f"Context feature: {text(key)}"
        return invalid(f"Name: {self._name}, {where}.  {refused.in_sequence()}")

    def step(self, refused: Refused, key: bytes, index: int, sparse: bool) -> InvalidArgumentError:
        """The error of a feature in a list."""
        what = "Key" if isinstance(refused, Miscounted) else "Feature List" if sparse else "Feature list"
        return invalid(f"Name: {self._name}, {what}: {text(key)}, Index: {index}.  {refused.in_sequence()}")

    def no_list(self, key: bytes) -> InvalidArgumentError:
        """The error of a list that is not there."""
        return invalid(
            f"Name: {self._name}, Feature list '{text(key)}' is required but could not be found.  Did you mean to "
            "include it in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
        )


class SequenceOfMany:
    """How the parser of a batch of SequenceExamples refuses one of them."""

    def __init__(self, name: str) -> None:
        self._name = name

    def check_kind(self, feature: bytes | None, dtype: DType) -> None:
        """Nothing: here such a feature counts as one without values."""

    def context(self, refused: Refused, key: bytes) -> InvalidArgumentError:
        """The error of a feature of the context."""
        if isinstance(refused, (Absent, Miscounted)):
            count = refused.count if isinstance(refused, Miscounted) else 0
            # The original, too, says 1 whatever the shape.
            return invalid(f"Inconsistent number of elements for feature {text(key)}: {count} vs 1")
        return invalid(f"Error in context feature {text(key)} in example {self._name}")

    def step(self, refused: Refused, key: bytes, index: int, sparse: bool) -> InvalidArgumentError:
        """The error of a feature in a list."""
        if isinstance(refused, Miscounted):
            return invalid(f"Unexpected number of elements in feature {text(key)}, example {self._name}")
        return invalid(f"Error in sequence feature {text(key)} in example {self._name}")

    def no_list(self, key: bytes) -> InvalidArgumentError:
        """The error of a list that is not there."""
        return invalid(f"Missing feature {text(key)} in example {self._name}")
