"""Arrays fed in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf


def _array(values: Any) -> np.ndarray:
    """Rows as an array of two dimensions or more; frames of pandas as their values."""
    values = getattr(values, "values", values) if not isinstance(values, np.ndarray) else values
    return np.asarray(values)


class ArrayFeeder:
    """Feeds placeholders with batches of arrays.

    Args:
      x: features `[rows, ...]`, or a dict of such.
      y: labels `[rows]` or `[rows, columns]`, a dict of such, or None.
      batch_size: how many rows, all by default.
      shuffle: whether each epoch has an order of its own.
      epochs: how often all rows are fed; None for ever.
    """

    def __init__(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None) -> None:
        named_x, named_y = (each if isinstance(each, dict) else {None: each} for each in (x, y))
        self._x = {name: _columns(_array(each)) for name, each in named_x.items()}
        self._y = {name: _labels(_array(each)) for name, each in named_y.items() if each is not None}
        self._is_dict = isinstance(x, dict), isinstance(y, dict)
        self._rows = len(next(iter(self._x.values())))
        self._batch_size = batch_size or self._rows
        self._epochs = epochs
        self._shuffle = shuffle
        self._random = np.random.RandomState(42)
        self._offset = self._epoch = 0
        self._order = self._new_order()

    def _new_order(self) -> np.ndarray:
        return self._random.permutation(self._rows) if self._shuffle else np.arange(self._rows)

    def input_fn(self) -> tuple[Any, Any]:
        """Makes the placeholders: features and labels, None without labels."""
        self._inputs = {name: _placeholder("input", name, each) for name, each in self._x.items()}
        self._outputs = {name: _placeholder("output", name, each) for name, each in self._y.items()}
        features = self._inputs if self._is_dict[0] else self._inputs[None]
        labels = (self._outputs if self._is_dict[1] else self._outputs[None]) if self._y else None
        return features, labels

    def feed(self) -> dict[Any, np.ndarray]:
        """The next batch.

        Raises:
          StopIteration: all epochs are over.
        """
        if self._epochs is not None and self._epoch >= self._epochs:
            raise StopIteration
        rows = self._order[self._offset : self._offset + self._batch_size]
        self._offset += self._batch_size
        if self._offset >= self._rows:
            self._order = self._new_order()
            self._offset = 0
            self._epoch += 1
        fed = {self._inputs[name]: each[rows] for name, each in self._x.items()}
        fed.update({self._outputs[name]: each[rows] for name, each in self._y.items()})
        return fed


def _columns(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1, 1) if values.ndim == 1 else values


def _labels(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1) if values.ndim == 2 and values.shape[1] == 1 else values


def _placeholder(kind: str, name: str | None, values: np.ndarray) -> Any:
    return tf.placeholder(
        tf.as_dtype(values.dtype), [None, *values.shape[1:]], name=kind if name is None else f"{kind}_{name}"
    )


def input_and_feed(
    x: Any, y: Any, input_fn: Callable | None, batch_size: int | None, shuffle: bool, epochs: int | None
) -> tuple[Callable, Callable | None]:
    """The function that makes the inputs, and the one that feeds them, None if there is nothing to feed.

    Args:
      x: features, if there is no `input_fn`.
      y: labels.
      input_fn: a function that makes tensors.
      batch_size: how many rows of `x` to feed.
      shuffle: whether to mix them.
      epochs: how often all are fed.

    Raises:
      ValueError: both or none of the inputs are given.
    """
    if input_fn is None:
        if x is None:
            raise ValueError("Either x or input_fn must be provided.")
        if tf.is_tensor(x) or y is not None and tf.is_tensor(y):
            raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
        feeder = ArrayFeeder(x, y, batch_size, shuffle, epochs)
        return feeder.input_fn, feeder.feed
    if x is not None or y is not None:
        raise ValueError("Can not provide both input_fn and x or y.")
    if batch_size is not None:
        raise ValueError("Can not provide both input_fn and batch_size.")
    return input_fn, None
