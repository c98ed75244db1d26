"""`tf.contrib.data.LMDBDataset`: the pairs of keys and values in LMDB databases, read by the package `lmdb`."""
from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.forks import renewed
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes, errors
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import DatasetV2
from ossia_data.elements import Element, Elements, Iteration, dataset_op
from ossia_data.settings import BOTH

# A process may open a database once; it is closed when nothing reads it any more.
_opened: weakref.WeakValueDictionary[tuple[int, str], Any] = weakref.WeakValueDictionary()
_lock = renewed(threading.Lock())
_PAIR = (TensorSpec([], dtypes.string), TensorSpec([], dtypes.string))


class _Databases(Elements):
    """The pairs in databases, one after the other, each in the order of its keys."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Pairs(self._names)


class _Pairs:
    def __init__(self, names: list[str]) -> None:
        self._left = names[::-1]
        self._now: Iterator[Element] | None = None

    def __iter__(self) -> _Pairs:
        return self

    def __next__(self) -> Element:
        while self._now is not None or self._left:
            if self._now is None:
                self._now = _pairs(self._left.pop())
            try:
                return next(self._now)
            except StopIteration:
                self._now = None
            except errors.OpError:
                self._now = None  # a generator that has raised gives nothing any more
                raise
        raise StopIteration


def _pairs(path: str) -> Iterator[Element]:
    """The keys and values of one database, a folder or a file.

    Raises:
        InvalidArgumentError: It is none.
    """
    try:
        import lmdb
    except ImportError:
        raise errors.UnimplementedError(
            None, None, "LMDBDataset needs the package lmdb: pip install 'ossia-data[lmdb]'"
        ) from None
    place = os.getpid(), os.path.realpath(path)
    try:
        with _lock:
            database = _opened.get(place)
            if database is None:
                database = lmdb.open(path, readonly=True, lock=False, create=False, subdir=os.path.isdir(path))
                _opened[place] = database
        with database.begin() as transaction, transaction.cursor() as cursor:
            for key, value in cursor:
                yield [key, value]
    except lmdb.Error as error:
        raise errors.InvalidArgumentError(None, None, str(error).removeprefix(f"{path}: ")) from error


for _prefix in BOTH:
    dataset_op(f"{_prefix}LMDBDataset(filenames: string) -> handle: variant", stateful=True).kernel(
        lambda filenames: _Databases([os.fsdecode(name) for name in np.reshape(filenames, -1).tolist()])
    )


@public("contrib.data.LMDBDataset")
class LMDBDataset(DatasetV2):
    """The keys and values of LMDB databases, pairs of strings.

    Args:
        filenames: Names of databases, folders or files: a string tensor.
    """

    def __init__(self, filenames: Any) -> None:
        names = convert_to_tensor(filenames, dtypes.string, name="filenames")
        super().__init__(lookup("LMDBDataset")(names, **structure.outputs(_PAIR)), _PAIR)
