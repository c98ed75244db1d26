"""The makers of the kernels that parse batches of Examples and SequenceExamples.

One pass over all bytes finds the lists of the wanted features, then one for each feature reads its values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.byte_strings import Refused, or_else, strings_at
from ossia_backend_cffi.kernels.registry import empty, makes, pointer
from ossia_core.backend import Kernel
from ossia_core.names import dtypes

_FEW = 3  # examples, of which the kernel on NumPy takes as long
_KIND, _COUNT, _FACTS = 0, 3, 4
_KINDS = {dtypes.string: 1, dtypes.float32: 2, dtypes.int64: 3}


def _records(serialized: Any, names: Any) -> list[Any]:
    if np.ndim(serialized) != 1 or len(serialized) < _FEW or np.size(names) not in (0, len(serialized)):
        raise Refused
    return serialized.tolist()


def _by_part(triples: list[tuple]) -> list[list[Any]]:
    return [[triple[part] for triple in triples] for part in range(3)]


@makes("ParseExample")
def _parse_examples(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    sparse_types, dense_types = node.attrs["sparse_types"], node.attrs["Tdense"]
    shapes = [shape.as_tuple() for shape in node.attrs["dense_shapes"]]

    def kernel(serialized: Any, names: Any, sparse_keys: Any, dense_keys: Any, dense_defaults: Any) -> Any:
        keys = [np.asarray(key, object).item() for key in (*sparse_keys, *dense_keys)]
        lists = _Lists(native, _Text(_records(serialized, names)), keys)
        sparse = [lists.ragged(place, dtype) for place, dtype in enumerate(sparse_types)]
        wanted = zip(dense_types, shapes, dense_defaults, strict=True)
        dense = [lists.dense(len(sparse) + k, *each) for k, each in enumerate(wanted)]
        return *_by_part(sparse), dense

    return or_else(reference, kernel)


@makes("ParseSequenceExample")
def _parse_sequences(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    attrs = node.attrs
    sparse_types, dense_types = attrs["context_sparse_types"], attrs["Tcontext_dense"]
    list_sparse_types, list_dense_types = attrs["feature_list_sparse_types"], attrs["feature_list_dense_types"]
    shapes, list_shapes = (
        [shape.as_tuple() for shape in attrs[name]] for name in ("context_dense_shapes", "feature_list_dense_shapes")
    )
    if any(shape is None or None in shape for shape in (*shapes, *list_shapes)):
        return None
    keys = [*attrs["context_sparse_keys"], *attrs["context_dense_keys"]]
    list_keys = [*attrs["feature_list_sparse_keys"], *attrs["feature_list_dense_keys"]]
    optional = [key in attrs["feature_list_dense_missing_assumed_empty"] for key in attrs["feature_list_dense_keys"]]

    def kernel(serialized: Any, names: Any, dense_defaults: Any) -> Any:
        text = _Text(_records(serialized, names))
        context, lists = _Lists(native, text, keys), _Lists(native, text, list_keys, True)
        sparse = [context.ragged(place, dtype) for place, dtype in enumerate(sparse_types)]
        wanted = zip(dense_types, shapes, dense_defaults, strict=True)
        dense = [context.dense(len(sparse) + k, *each) for k, each in enumerate(wanted)]
        rows = [lists.steps(place, dtype).ragged() for place, dtype in enumerate(list_sparse_types)]
        wanted = zip(list_dense_types, list_shapes, optional, strict=True)
        padded = [
            lists.steps(len(rows) + k, dtype, missing).padded(shape) for k, (dtype, shape, missing) in enumerate(wanted)
        ]
        values, lengths = ([each[part] for each in padded] for part in range(2))
        return *_by_part(sparse), dense, *_by_part(rows), values, lengths

    return or_else(reference, kernel)


class _Text:
    """The bytes of all records, one after the other."""

    def __init__(self, records: list[Any]) -> None:
        try:
            self.whole = b"".join(records)
        except TypeError:  # not bytes
            raise Refused from None
        self.sizes = np.fromiter(map(len, records), np.int64, len(records))


def _columns(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column of each of so many values a row."""
    firsts = np.cumsum(counts) - counts
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return rows, np.arange(len(rows), dtype=np.int64) - firsts[rows]


class _Lists:
    """The lists of the wanted features in the bytes of all examples."""

    def __init__(self, native: Any, text: _Text, keys: list[bytes], of_sequences: bool = False) -> None:
        if len(set(keys)) < len(keys):
            raise Refused
        self._native, self._lib, self._ffi, self._text = native, native.lib, native.ffi, text.whole
        ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)))
        self._facts = empty((len(text.sizes), len(keys), _FACTS), np.dtype(np.int64))
        if self._lib.oc_example_lists(
            of_sequences, len(text.sizes), self._bytes(text.whole), self._integers(text.sizes), len(keys),
            self._bytes(b"".join(keys)), self._integers(ends), self._integers(self._facts),
        ):  # fmt: skip
            raise Refused

    def _bytes(self, text: bytes) -> Any:
        return self._ffi.from_buffer("uint8_t[]", text)

    def _integers(self, array: np.ndarray) -> Any:
        return pointer(self._ffi, array, "int64_t *")

    def ragged(self, key: int, dtype: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Indices, values and shape of the sparse matrix that a feature is."""
        _, counts = self._counts(key, dtype)
        values = self.values(self._facts[:, key], dtype, np.cumsum(counts) - counts, int(counts.sum()))
        return np.stack(_columns(counts), axis=1), values, np.array([len(counts), counts.max()], np.int64)

    def values(self, facts: np.ndarray, dtype: Any, places: np.ndarray, count: int) -> np.ndarray:
        """The values of lists, from the places on."""
        values = empty((count,), np.dtype(dtype.as_numpy_dtype))
        self.read(facts, dtype, places, values)
        return values

    def steps(self, key: int, dtype: Any, may_miss: bool = True) -> _Steps:
        """The steps of a feature list."""
        lists = self._facts[:, key]
        if not (may_miss or lists[:, _KIND].all()):
            raise Refused
        facts = empty((int(lists[:, _COUNT].sum()), _FACTS), np.dtype(np.int64))
        stride = self._facts.shape[1] * _FACTS
        if self._lib.oc_example_steps(
            self._bytes(self._text), len(lists), self._integers(lists), stride, self._integers(facts)
        ):  # fmt: skip
            raise Refused
        return _Steps(self, dtype, lists[:, _COUNT], facts)

    def dense(self, key: int, dtype: Any, shape: Sequence[int | None], default: Any) -> np.ndarray:
        """The tensor that a feature is: rows of one shape, or as many as the longest list has."""
        there, counts = self._counts(key, dtype)
        default = np.asarray(default)
        sizes = [n or 0 for n in shape]
        if shape and shape[0] is None:
            width = math.prod(sizes[1:])
            if default.size != 1 or not width or (counts % width).any():
                raise Refused
            sizes[0] = int(counts.max()) // width
            filled, default = bool((counts == math.prod(sizes)).all()), default.reshape(())
        else:
            filled = bool(there.all())
            wrong = default.shape != tuple(sizes) if default.size else not filled
            if wrong or (counts[there] != math.prod(sizes)).any():
                raise Refused
        out = empty((len(counts), *sizes), np.dtype(dtype.as_numpy_dtype))
        if not filled:
            out[...] = default
        self.read(self._facts[:, key], dtype, np.arange(len(counts)) * (out.size // len(out)), out)
        return out

    def _counts(self, key: int, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        """Which examples have a feature, and how many values each has of it."""
        return _counts(self._facts[:, key], dtype)

    def read(self, facts: np.ndarray, dtype: Any, places: np.ndarray, out: np.ndarray) -> None:
        """Write the values of each list from its place in `out` on."""
        to = out
        if dtype is dtypes.string:
            to = empty((out.size, 2), np.dtype(np.int64))
            to.fill(0)
        if self._lib.oc_example_values(
            _KINDS[dtype], self._bytes(self._text), len(places), self._integers(facts), facts.strides[0] // 8,
            self._integers(places), pointer(self._ffi, to),
        ):  # fmt: skip
            raise Refused
        if dtype is dtypes.string:
            strings_at(self._native, to, out)


class _Steps:
    """The steps of one feature list: how many each record has, and what each holds."""

    def __init__(self, lists: _Lists, dtype: Any, lengths: np.ndarray, facts: np.ndarray) -> None:
        self._lists, self._dtype, self._lengths, self._facts = lists, dtype, lengths, facts
        _, self._counts = _counts(facts, dtype)

    def ragged(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Indices, values and shape of the sparse tensor of rank 3 that they are."""
        lengths, counts = self._lengths, self._counts
        values = self._lists.values(self._facts, self._dtype, np.cumsum(counts) - counts, int(counts.sum()))
        step, column = _columns(counts)
        record, place = _columns(lengths)
        shape = np.array([len(lengths), lengths.max(), counts.max(initial=0)], np.int64)
        return np.stack([record[step], place[step], column], axis=1), values, shape

    def padded(self, shape: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """The tensor of their values, filled up to the longest record, and the lengths."""
        width, longest = math.prod(shape), int(self._lengths.max())
        if not width or (self._counts != width).any():
            raise Refused
        kind = np.dtype(self._dtype.as_numpy_dtype)
        out = empty((len(self._lengths), longest, *shape), kind)
        out.fill(b"" if kind.kind == "O" else 0)
        record, place = _columns(self._lengths)
        self._lists.read(self._facts, self._dtype, (record * longest + place) * width, out)
        return out, self._lengths.copy()


def _counts(facts: np.ndarray, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Which lists are there, and how many values each has; all are of the dtype."""
    kinds = facts[:, _KIND]
    there = kinds != 0
    if (kinds[there] != _KINDS[dtype]).any():
        raise Refused
    return there, facts[:, _COUNT]
