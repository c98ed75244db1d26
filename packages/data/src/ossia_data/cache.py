"""`CacheDataset`: the elements of the first pass, kept in memory or in a file."""
from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_checkpoint.bundle import BundleWriter
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_core.files import file_system
from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op
from ossia_data.passing import OfInputs


class Cache(OfInputs):
    """The elements of the first whole pass, given again in the later ones."""

    def __init__(self, inputs: Any) -> None:
        super().__init__(inputs)
        self._kept: list[Element] | None = None

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Recording(self, self.input.start(iteration)) if self._kept is None else iter(self._kept)

    def cardinality(self) -> int:
        return self.input.cardinality()

    def with_inputs(self, inputs: tuple[Elements, ...]) -> Elements:
        made = copy.copy(self)
        made.inputs, made._kept = inputs, None
        return made

    def keep(self, elements: list[Element]) -> None:
        """Give these from now on."""
        self._kept = elements


class _Recording:
    def __init__(self, cache: Cache, source: Iterator[Element]) -> None:
        self._cache, self._source, self._seen = cache, source, []  # type: ignore[var-annotated]

    def __iter__(self) -> _Recording:
        return self

    def __next__(self) -> Element:
        try:
            found = next(self._source)
        except StopIteration:
            self._cache.keep(self._seen)
            raise
        self._seen.append(found)
        return found


class FileCache(OfInputs):
    """The elements of the first whole pass, kept in a file; a tensor bundle, as the original writes it.

    Each tensor has a key of the number of its element, of seven places, and its own number in the element.
    """

    path: str
    types: list

    def start(self, iteration: Iteration) -> Iterator[Element]:
        if file_system(self.path).exists(f"{self.path}.index"):
            return _FromFile(self.path, len(self.types))
        return _IntoFile(self.path, self.types, self.input.start(iteration))

    def cardinality(self) -> int:
        return self.input.cardinality()


def _key(element: int, part: int, parts: int) -> str:
    return f"{element:7d}_{part:{len(str(parts - 1))}d}"


class _FromFile:
    def __init__(self, path: str, parts: int) -> None:
        self._file, self._parts, self._at = BundleReader(path), parts, 0

    def __iter__(self) -> _FromFile:
        return self

    def __next__(self) -> Element:
        keys = [_key(self._at, part, self._parts) for part in range(self._parts)]
        if keys[0] not in self._file:
            raise StopIteration
        self._at += 1
        found = [self._file.read(key) for key in keys]
        return [value if value.ndim else value[()] for value in found]


class _IntoFile:
    def __init__(self, path: str, types: list, source: Iterator[Element]) -> None:
        self._path, self._types, self._source, self._count = path, types, source, 0
        self._writer: BundleWriter | None = None
        self._ended = False

    def __iter__(self) -> _IntoFile:
        return self

    def __next__(self) -> Element:
        if self._ended:
            raise StopIteration
        if self._writer is None:
            self._begin()
        try:
            found = next(self._source)
        except StopIteration:
            self._finish()
            raise
        for part, (value, dtype) in enumerate(zip(found, self._types, strict=True)):
            array = np.asarray(value, object) if isinstance(value, bytes) else np.asarray(value)
            self._writer.add(_key(self._count, part, len(self._types)), array, dtype)  # type: ignore[union-attr]
        self._count += 1
        return found

    def _begin(self) -> None:
        files, lock = file_system(self._path), f"{self._path}_0.lockfile"
        if files.exists(lock):
            raise errors.AlreadyExistsError(
                None, None,
                f"There appears to be a concurrent caching iterator running - cache lockfile already exists ('{lock}')."
                " If you are sure no other running TF computations are using this cache prefix, delete the lockfile "
                "and re-initialize the iterator.",
            )
        with files.open(lock, "wb") as file:
            file.write(b"Created")
        self._writer = BundleWriter(self._path)

    def _finish(self) -> None:
        self._ended = True
        self._writer.finish()  # type: ignore[union-attr]
        file_system(self._path).remove(f"{self._path}_0.lockfile")

    def __del__(self) -> None:
        if self._writer is not None and not self._ended:
            self._writer.abort()
            lock = f"{self._path}_0.lockfile"
            if file_system(self._path).exists(lock):
                file_system(self._path).remove(lock)


def _cached(node: Any) -> Any:
    types = node.attrs["output_types"]

    def kernel(source: Elements, filename: Any, *_: Any) -> Elements:
        path = os.fsdecode(np.asarray(filename, object).item())
        return FileCache([source], path=path, types=types) if path else Cache([source])

    return kernel


dataset_op("CacheDataset(input_dataset: variant, filename: string) -> handle: variant").kernel_for(_cached)
_second = dataset_op(
    "CacheDatasetV2(input_dataset: variant, filename: string, cache: resource) -> handle: variant", stateful=True
)
_second.reads("cache")
_second.kernel_for(_cached)
