"""What lookup tables hold in a session: fixed ones, ones that programs change, and open-addressed ones."""
from __future__ import annotations

import threading
from collections.abc import Iterable
from itertools import repeat
from typing import Any

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import (
    AbortedError,
    FailedPreconditionError,
    InvalidArgumentError,
    UnimplementedError,
    dims_text,
)
from ossia_ops.strings.farmhash import MASK
from ossia_ops.strings.hashes import murmur64

_MANY = 64  # keys from which they are looked up together
_SPREAD = 8  # so many times more numbers than keys between the first and the last, and keys are found by halving
_EMPTY, _DELETED = None, False  # marks of buckets; keys are tuples


def _array(items: list, dtype: Any, shape: tuple) -> np.ndarray:
    out = np.empty(len(items) if not items or not isinstance(items[0], (list, tuple, np.ndarray)) else shape,
                   np.dtype(object) if dtype == dtypes.string else dtype.as_numpy_dtype)
    if items:
        out[...] = np.array(items, out.dtype).reshape(out.shape)
    return out.reshape(shape)


class _Numbers:
    """Whole numbers that are keys, found together.

    Args:
      keys: of shape [n], n > 0, in any order, none twice.
      values: their values, of shape [n].
    """

    def __init__(self, keys: np.ndarray, values: np.ndarray) -> None:
        order = np.argsort(keys)
        self._keys, self._values = keys[order], values[order]
        self._first, self._last = int(self._keys[0]), int(self._keys[-1])
        self._places: np.ndarray | None = None
        if self._last - self._first < _SPREAD * len(keys):
            self._places = np.full(self._last - self._first + 1, -1, np.intp)
            self._places[self._keys - self._first] = np.arange(len(keys))

    def find(self, keys: np.ndarray, default: Any) -> np.ndarray:
        """The values of keys, `default` for those that are not there."""
        if self._places is not None:
            inside = (keys >= self._first) & (keys <= self._last)
            places = self._places[np.where(inside, keys, self._first) - self._first]
            inside &= places >= 0
        else:
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            inside = self._keys[places] == keys
        return np.where(inside, self._values[places], np.asarray(default, self._values.dtype))


class Table:
    """A table that programs change.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      value_shape: shape of a value.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any, value_shape: tuple = ()) -> None:
        self.key_dtype, self.value_dtype, self.value_shape = key_dtype, value_dtype, value_shape
        self.entries: dict = {}
        self.lock = renewed(threading.RLock())
        self.name = ""
        self._index: tuple[int, _Numbers] | None = None  # with the number of changes that it knows of
        self._changes = self._asked = 0  # since the last change so many keys were asked for

    def read(self) -> np.ndarray:
        """The value of a handle that is a reference to strings: a container, always the default, and the name."""
        return np.array([b"", self.name.encode()], object)

    def check_dtypes(self, keys: Any, values: Any = None) -> None:
        """That arrays are of the dtypes of the table; InvalidArgumentError if not."""
        for given, dtype, what in ((keys, self.key_dtype, "key"), (values, self.value_dtype, "value")):
            found = None if given is None else dtypes.as_dtype(np.asarray(given).dtype)
            if found is not None and found != dtype:
                raise InvalidArgumentError(
                    None, None, f"Signature mismatch, the {what} dtype is {dtype.name}, got {found.name}")

    def check_values(self, keys: np.ndarray, values: np.ndarray) -> None:
        """That there is a value per key; InvalidArgumentError if not."""
        expected = (*self.key_prefix(keys), *self.value_shape)
        if values.shape != expected:
            raise InvalidArgumentError(None, None, f"Expected shape {dims_text(expected)} for value, got "
                                                   f"{dims_text(values.shape)}")

    def key_prefix(self, keys: np.ndarray) -> tuple:
        """The shape of an array of keys without the shape of one key."""
        return keys.shape

    def _default(self, default: Any) -> Any:
        if np.shape(default) != self.value_shape:
            raise InvalidArgumentError(None, None, f"Expected shape {dims_text(self.value_shape)} for default value, "
                                                   f"got {dims_text(np.shape(default))}")
        return np.asarray(default).tolist()

    def _pairs(self, keys: np.ndarray, values: np.ndarray) -> Iterable[tuple]:
        rows = values.reshape(keys.size, *self.value_shape).tolist()
        return zip(keys.reshape(-1).tolist(), rows, strict=True)

    def find(self, keys: np.ndarray, default: Any) -> np.ndarray:
        """The values of keys, `default` for those that are not there."""
        default = self._default(default)
        entries = self.entries
        kind = object if self.value_dtype == dtypes.string else self.value_dtype.as_numpy_dtype
        if not entries:
            return np.full((*keys.shape, *self.value_shape), default, kind)
        index = self._indexed(keys)
        if index is not None:
            return index.find(keys, default)
        found = map(entries.get, keys.reshape(-1).tolist(), repeat(default))
        if not self.value_shape:
            return np.fromiter(found, kind, keys.size).reshape(keys.shape)
        return _array(list(found), self.value_dtype, (*keys.shape, *self.value_shape))

    def _indexed(self, keys: np.ndarray) -> _Numbers | None:
        """An index of whole numbers: made once as many of them were asked for as there are entries."""
        of_rows_or_texts = self.value_shape or self.value_dtype == dtypes.string
        if keys.size < _MANY or keys.dtype.kind != "i" or of_rows_or_texts:
            return None
        index, changes = self._index, self._changes
        if index is not None and index[0] == changes:
            return index[1]
        self._asked += keys.size
        pairs = list(self.entries.items()) if self._asked >= len(self.entries) else []
        if not pairs:
            return None
        known, values = zip(*pairs, strict=True)
        count = (len(pairs),)
        made = _Numbers(_array(list(known), self.key_dtype, count), _array(list(values), self.value_dtype, count))
        self._index = changes, made
        return made

    def _changed(self) -> None:
        self._changes, self._asked, self._index = self._changes + 1, 0, None

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Sets the values of keys; of a key that comes twice the last one counts."""
        self.check_values(keys, values)
        with self.lock:
            self.entries.update(self._pairs(keys, values))
            self._changed()

    def remove(self, keys: np.ndarray) -> None:
        """Forgets keys; those that are not there do not matter."""
        with self.lock:
            for key in keys.reshape(-1).tolist():
                self.entries.pop(key, None)
            self._changed()

    def size(self) -> int:
        """Number of keys."""
        return len(self.entries)

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """All keys and their values."""
        entries = dict(self.entries)
        count = len(entries)
        return (_array(list(entries), self.key_dtype, (count,)),
                _array(list(entries.values()), self.value_dtype, (count, *self.value_shape)))

    def fill(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Replaces all entries."""
        self.check_values(keys, values)
        with self.lock:
            self.entries = dict(self._pairs(keys, values))
            self._changed()

    def initialize(self, pairs: Iterable[tuple]) -> None:
        """Not for tables that change; InvalidArgumentError."""
        raise InvalidArgumentError(None, None, f"Tables of another kind are initialized, not {type(self).__name__}")


class FixedTable(Table):
    """A table that is filled once, before it is read."""

    filled = False

    def find(self, keys: np.ndarray, default: Any) -> np.ndarray:
        """The values of keys; FailedPreconditionError before the table is filled."""
        if not self.filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        return super().find(keys, default)

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Not for this kind; UnimplementedError."""
        raise UnimplementedError(None, None, "Insert is not supported by tables that an initializer fills")

    def remove(self, keys: np.ndarray) -> None:
        """Not for this kind; UnimplementedError."""
        raise UnimplementedError(None, None, "Remove is not supported by tables that an initializer fills")

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """All keys and their values; AbortedError before the table is filled."""
        if not self.filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        return super().export()

    def fill(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Fills the table from arrays, as `initialize` does."""
        if not keys.size:
            raise InvalidArgumentError(None, None, "keys and values cannot be empty tensors.")
        self.check_values(keys, values)
        self.initialize(self._pairs(keys, values))

    def initialize(self, pairs: Iterable[tuple]) -> None:
        """Fills the table; filling it again with as many entries does nothing.

        Raises:
          FailedPreconditionError: one key comes with different values, or more or fewer entries are there already.
        """
        entries: dict = {}
        count = 0
        for key, value in pairs:
            count += 1
            if entries.setdefault(key, value) != value:
                shown, old, new = (part.decode(errors="replace") if isinstance(part, bytes) else part
                                   for part in (key, entries[key], value))
                raise FailedPreconditionError(
                    None, None, f"HashTable has different value for same key. Key {shown} has {old} and trying to add "
                    f"value {new}")
        with self.lock:
            if self.filled:
                # Like the original, which compares no more than how many there are.
                if count != len(self.entries):
                    raise FailedPreconditionError(None, None, "Table was already initialized with different data.")
                return
            self.entries, self.filled = entries, True


class DenseTable(Table):
    """A table with open addressing, whose buckets can be exported as they are.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      value_shape: shape of a value.
      empty_key: the key that marks empty buckets.
      deleted_key: the key that marks the buckets of removed keys; None if keys cannot be removed.
      buckets: how many buckets there are at first, a power of 2.
      load: up to which part the buckets are filled before there are more.

    Raises:
      InvalidArgumentError: an argument does not fit.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, value_shape: tuple, empty_key: Any, deleted_key: Any, buckets: int,
        load: float
    ) -> None:
        super().__init__(key_dtype, value_dtype, value_shape)
        if buckets < 4 or buckets & (buckets - 1):
            raise InvalidArgumentError(
                None, None, f"Number of buckets must be at least 4 and a power of 2, got: {buckets}")
        if not 0 < load < 1:
            raise InvalidArgumentError(None, None, f"max_load_factor must be between 0 and 1, got: {load}")
        if deleted_key is not None and np.shape(empty_key) != np.shape(deleted_key):
            raise InvalidArgumentError(None, None, "Empty and deleted keys must have same shape, got shapes: "
                                                   f"{dims_text(np.shape(empty_key))} and "
                                                   f"{dims_text(np.shape(deleted_key))}")
        self._key_shape = np.shape(empty_key)
        if len(self._key_shape) > 1:
            raise InvalidArgumentError(
                None, None, f"Empty key must be a scalar or a vector, got shape {dims_text(self._key_shape)}")
        self._width = int(np.prod(self._key_shape))
        self._empty = tuple(np.asarray(empty_key).reshape(-1).tolist())
        self._deleted = None if deleted_key is None else tuple(np.asarray(deleted_key).reshape(-1).tolist())
        if self._empty == self._deleted:
            raise InvalidArgumentError(None, None, "Empty and deleted keys cannot be equal")
        sizes.allocatable((buckets, self._width + int(np.prod(value_shape))), 8)
        self._load = load
        # Python values; `entries` maps a key to its bucket.
        self._keys: list = [_EMPTY] * buckets
        self._values: list = [self._nothing()] * buckets

    def _nothing(self) -> Any:
        zero = b"" if self.value_dtype == dtypes.string else self.value_dtype.as_numpy_dtype(0).item()
        return np.full(self.value_shape, zero, object).tolist() if self.value_shape else zero

    def key_prefix(self, keys: np.ndarray) -> tuple:
        """The shape of an array of keys without the shape of one key."""
        if keys.shape[keys.ndim - len(self._key_shape) :] != self._key_shape:
            raise InvalidArgumentError(None, None, f"Input key shape {dims_text(keys.shape)} must end with the table's "
                                                   f"key shape {dims_text(self._key_shape)}")
        expected = (*keys.shape[:1], *self._key_shape)
        if not keys.ndim or keys.shape != expected:
            raise InvalidArgumentError(
                None, None, f"Expected key shape {dims_text(expected)} got {dims_text(keys.shape)}"
            )
        return keys.shape[:1]

    def _tuples(self, keys: np.ndarray) -> list:
        rows = [tuple(row) for row in keys.reshape(int(np.prod(self.key_prefix(keys))), self._width).tolist()]
        for marker, name in ((self._empty, "empty_key"), (self._deleted, "deleted_key")):
            if marker in rows:
                raise InvalidArgumentError(None, None, f"Using the {name} as a table key is not allowed")
        return rows

    def find(self, keys: np.ndarray, default: Any) -> np.ndarray:
        """The values of keys, `default` for those that are not there."""
        prefix = self.key_prefix(keys)
        default = self._default(default)
        with self.lock:
            places = [self.entries.get(key) for key in self._tuples(keys)]
            found = [default if place is None else self._values[place] for place in places]
        return _array(found, self.value_dtype, (*prefix, *self.value_shape))

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Sets the values of keys; of a key that comes twice the last one counts."""
        self.check_values(keys, values)
        rows = self._tuples(keys)
        with self.lock:
            wanted, buckets = len(self.entries) + len(rows), len(self._keys)
            while wanted > buckets * self._load:
                buckets *= 2
            if buckets != len(self._keys):
                self._rebucket(buckets)
            for key, value in zip(rows, values.reshape(len(rows), *self.value_shape).tolist(), strict=True):
                self._put(key, value)

    def _rebucket(self, buckets: int) -> None:
        sizes.allocatable((buckets, self._width + int(np.prod(self.value_shape))), 8)
        old = [(key, value) for key, value in zip(self._keys, self._values, strict=True) if isinstance(key, tuple)]
        self.entries = {}
        self._keys, self._values = [_EMPTY] * buckets, [self._nothing()] * buckets
        for key, value in old:
            self._put(key, value)

    def _put(self, key: tuple, value: Any) -> None:
        place = self.entries.get(key)
        if place is None:
            mask = len(self._keys) - 1
            place, probes = _hash(key) & mask, 0
            while isinstance(self._keys[place], tuple):
                probes += 1
                place = (place + probes) & mask
            self._keys[place] = key
            self.entries[key] = place
        self._values[place] = value

    def remove(self, keys: np.ndarray) -> None:
        """Forgets keys; those that are not there do not matter."""
        with self.lock:
            for key in self._tuples(keys):
                place = self.entries.pop(key, None)
                if place is not None:
                    self._keys[place] = _DELETED

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """The keys and values of all buckets, with the marks of those without a key; scalars as vectors of one."""
        with self.lock:
            marks = {_EMPTY: self._empty, _DELETED: self._deleted}
            keys = [key if isinstance(key, tuple) else marks[key] for key in self._keys]
            values, count = list(self._values), len(self._keys)
        return (_array(keys, self.key_dtype, (count, *(self._key_shape or (1,)))),
                _array(values, self.value_dtype, (count, *(self.value_shape or (1,)))))

    def fill(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Replaces all buckets by exported ones.

        Raises:
          InvalidArgumentError: they cannot have been exported by a table of this kind.
        """
        count = len(keys) if keys.ndim else 0
        items = int(np.prod(self.value_shape))
        if count < 4 or count & (count - 1) or keys.size != count * self._width or values.size != count * items:
            raise InvalidArgumentError(
                None, None, f"Expected the keys and values of exported buckets, got shapes {dims_text(keys.shape)} and "
                            f"{dims_text(values.shape)}")
        marks = {self._empty: _EMPTY, self._deleted: _DELETED}
        rows = [tuple(row) for row in keys.reshape(count, self._width).tolist()]
        with self.lock:
            self._keys = [marks.get(row, row) for row in rows]
            self._values = values.reshape(count, *self.value_shape).tolist()
            self.entries = {key: place for place, key in enumerate(self._keys) if isinstance(key, tuple)}


def _hash(key: tuple) -> int:
    parts = [murmur64(part) if isinstance(part, bytes) else int(part) & MASK for part in key]
    if len(parts) == 1:
        return parts[0]
    result = 0
    for part in parts:
        result ^= (part + 0x9E3779B97F4A7800 + (result << 10) + (result >> 4)) & MASK
    return result
