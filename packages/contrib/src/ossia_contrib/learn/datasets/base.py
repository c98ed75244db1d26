"""Data sets of rows: files of comma-separated values, Fisher's irises, houses in Boston."""

from __future__ import annotations

import csv
import functools
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public
from ossia_tensorflow_paths.examples.tutorials.mnist import input_data

Datasets = input_data.Datasets


class Dataset(NamedTuple):
    """Rows of numbers with the class or the value of each."""

    data: Any
    target: Any


def load_csv_with_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Rows of a file whose first line holds the numbers of rows and columns.

    Args:
      filename: the file.
      target_dtype: the NumPy dtype of targets.
      features_dtype: the NumPy dtype of the other columns.
      target_column: which column is the target.

    Returns:
      The data `[rows, columns]` and the targets `[rows]`.

    Raises:
      tf.errors.NotFoundError: there is no such file.
      ValueError: a field is no number.
    """
    rows = _rows(filename)
    count, width = (int(field) for field in next(rows)[:2])
    data = np.zeros((count, width), dtype=features_dtype)
    target = np.zeros((count,), dtype=target_dtype)
    for index, row in enumerate(rows):
        target[index] = np.asarray(row.pop(target_column), dtype=target_dtype)
        data[index] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Rows of a file that is nothing but rows.

    Args:
      filename: the file.
      target_dtype: the NumPy dtype of targets.
      features_dtype: the NumPy dtype of the other columns.
      target_column: which column is the target.

    Returns:
      The data `[rows, columns]` and the targets `[rows]`.

    Raises:
      tf.errors.NotFoundError: there is no such file.
      ValueError: a field is no number.
    """
    data, target = [], []
    for row in _rows(filename):
        target.append(row.pop(target_column))
        data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target).astype(target_dtype))


def _rows(filename: str) -> Iterator[list[str]]:
    with tf.gfile.Open(filename) as file:
        yield from csv.reader(file)


def shrink_csv(filename: str, ratio: int) -> None:
    """Writes every `ratio`-th line of a file to another one beside it, `_small` before the extension.

    Args:
      filename: a file `NAME.csv`.
      ratio: how many lines one is taken of.
    """
    small = filename.replace(".", "_small.")
    with tf.gfile.Open(filename) as source, tf.gfile.Open(small, "w") as file:
        writer = csv.writer(file)
        for index, row in enumerate(csv.reader(source)):
            if index % ratio == 0:
                writer.writerow(row)


@public("contrib.learn.datasets.load_iris")
def load_iris(data_path: str | None = None) -> Dataset:
    """Fisher's measures of 150 irises of three species.

    Args:
      data_path: a file in the form that `load_csv_with_header` reads; the one that comes with this package by default.

    Returns:
      float64 `[150, 4]` and the species, int64 `[150]`.
    """
    if data_path is not None:
        return load_csv_with_header(data_path, np.int64, np.float64)
    return _own("iris.csv", np.int64)


@public("contrib.learn.datasets.load_boston")
def load_boston(data_path: str | None = None) -> Dataset:
    """Thirteen features of 506 districts of Boston, and what houses cost there.

    Args:
      data_path: a file in the form that `load_csv_with_header` reads; the one that comes with this package by default.

    Returns:
      float64 `[506, 13]` and the prices, float64 `[506]`.
    """
    if data_path is not None:
        return load_csv_with_header(data_path, np.float64, np.float64)
    return _own("boston.csv", np.float64)


def _own(name: str, target_dtype: Any) -> Dataset:
    table = np.loadtxt(os.path.join(os.path.dirname(__file__), name), delimiter=",", skiprows=1)
    return Dataset(data=table[:, :-1], target=table[:, -1].astype(target_dtype))


def retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Callable[[Exception], bool] | None = None,
) -> Callable[[Callable], Callable]:
    """Decorates a function so that it is called again after errors, later and later.

    Args:
      initial_delay: seconds before the second call.
      max_delay: the longest wait; the error of the call after it is raised.
      factor: how much longer each wait is than the one before.
      jitter: the part of a wait that is random.
      is_retriable: whether to try again after an error; always by default.

    Returns:
      A decorator.

    Raises:
      ValueError: `factor` is below 1, or `jitter` not from 0 to below 1.
    """
    if factor < 1:
        raise ValueError(f"factor must be >= 1; was {factor}")
    if jitter >= 1:
        raise ValueError(f"jitter must be < 1; was {jitter}")

    def waits() -> Iterator[float]:
        delay = initial_delay
        while delay <= max_delay:
            yield delay * ((1 - jitter) + jitter * random.random())
            delay *= factor

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def repeated(*args: Any, **kwargs: Any) -> Any:
            for delay in waits():
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    if is_retriable is not None and not is_retriable(error):
                        raise
                    time.sleep(delay)
            return function(*args, **kwargs)

        return repeated

    return decorate


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file that is to be in a folder. Nothing is downloaded.

    Args:
      filename: the name of the file.
      work_directory: the folder, which is made if need be.
      source_url: where the file is to be had.

    Returns:
      The path.

    Raises:
      FileNotFoundError: the file is not there; the message says where to get it.
    """
    path = os.path.join(work_directory, filename)
    if not tf.gfile.Exists(path):
        tf.gfile.MakeDirs(work_directory)
        raise FileNotFoundError(f"{path} is not there, and Ossia downloads nothing: get it from {source_url}")
    return path
