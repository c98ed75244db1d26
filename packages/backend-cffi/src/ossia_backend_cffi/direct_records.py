"""The maker of the kernel that parses batches of Examples.

One pass over all bytes finds the lists of the wanted features, then one for each feature reads its values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.direct import empty, makes, pointer
from ossia_backend_cffi.texts import Refused, strings_at
from ossia_core import dtypes
from ossia_core.backend import Kernel

_FEW = 3  # examples, of which the kernel on NumPy takes as long
_KIND, _COUNT, _FACTS = 0, 3, 4
_KINDS = {dtypes.string: 1, dtypes.float32: 2, dtypes.int64: 3}


@makes("ParseExample")
def _parse_examples(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    sparse_types, dense_types = node.attrs["sparse_types"], node.attrs["Tdense"]
    shapes = [shape.as_tuple() for shape in node.attrs["dense_shapes"]]

    def kernel(serialized: Any, names: Any, sparse_keys: Any, dense_keys: Any, dense_defaults: Any) -> Any:
        keys = [np.asarray(key, object).item() for key in (*sparse_keys, *dense_keys)]
        try:
            if np.ndim(serialized) != 1 or len(serialized) < _FEW or np.size(names) not in (0, len(serialized)):
                raise Refused
            lists = _Lists(native, serialized.tolist(), keys)
            sparse = [lists.ragged(place, dtype) for place, dtype in enumerate(sparse_types)]
            wanted = zip(dense_types, shapes, dense_defaults, strict=True)
            dense = [lists.dense(len(sparse) + k, *each) for k, each in enumerate(wanted)]
        except Refused:
            return reference(serialized, names, sparse_keys, dense_keys, dense_defaults)
        return *([triple[part] for triple in sparse] for part in range(3)), dense

    return kernel


class _Lists:
    """The lists of the wanted features in the bytes of all examples."""

    def __init__(self, native: Any, records: list[Any], keys: list[bytes]) -> None:
        if not keys or len(set(keys)) < len(keys):
            raise Refused
        self._native, self._lib, self._ffi = native, native.lib, native.ffi
        try:
            self._text, named = b"".join(records), b"".join(keys)
        except TypeError:  # not bytes
            raise Refused from None
        sizes = np.fromiter(map(len, records), np.int64, len(records))
        ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)))
        self._facts = empty((len(records), len(keys), _FACTS), np.dtype(np.int64))
        if self._lib.oc_example_lists(
            len(records), self._ffi.from_buffer("uint8_t[]", self._text), self._integers(sizes), len(keys),
            self._ffi.from_buffer("uint8_t[]", named), self._integers(ends), self._integers(self._facts),
        ):  # fmt: skip
            raise Refused

    def _integers(self, array: np.ndarray) -> Any:
        return pointer(self._ffi, array, "int64_t *")

    def ragged(self, key: int, dtype: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Indices, values and shape of the sparse matrix that a feature is."""
        _, counts = self._counts(key, dtype)
        firsts = np.cumsum(counts) - counts
        values = empty((int(counts.sum()),), np.dtype(dtype.as_numpy_dtype))
        self._read(key, dtype, firsts, values)
        rows = np.repeat(np.arange(len(counts)), counts)
        indices = np.stack([rows, np.arange(len(rows)) - firsts[rows]], axis=1)
        return indices, values, np.array([len(counts), counts.max()], np.int64)

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
        self._read(key, dtype, np.arange(len(counts)) * (out.size // len(out)), out)
        return out

    def _counts(self, key: int, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        """Which examples have a feature, and how many values each has of it."""
        kinds = self._facts[:, key, _KIND]
        there = kinds != 0
        if (kinds[there] != _KINDS[dtype]).any():
            raise Refused
        return there, self._facts[:, key, _COUNT]

    def _read(self, key: int, dtype: Any, places: np.ndarray, out: np.ndarray) -> None:
        """Write the values of each example from its place in `out` on."""
        to = out
        if dtype is dtypes.string:
            to = empty((out.size, 2), np.dtype(np.int64))
            to.fill(0)
        if self._lib.oc_example_values(
            _KINDS[dtype], self._ffi.from_buffer("uint8_t[]", self._text), len(places),
            self._integers(self._facts[:, key]), self._facts.shape[1] * _FACTS,
            self._integers(places), pointer(self._ffi, to),
        ):  # fmt: skip
            raise Refused
        if dtype is dtypes.string:
            strings_at(self._native, to, out)
