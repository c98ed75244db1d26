"""`examples.tutorials.mnist.input_data`: the MNIST files of a folder, in batches."""

from __future__ import annotations

import gzip
import math
import os
import zlib
from typing import Any, BinaryIO, NamedTuple

import numpy as np

import ossia as tf

_PIXELS = 784
_CLASSES = 10


class Datasets(NamedTuple):
    """What `read_data_sets` returns."""

    train: Any
    validation: Any
    test: Any


class DataSet:
    """Images with their labels, and where in them the next batch starts.

    Args:
        images: Bytes of the shape [n, height, width, 1].
        labels: n labels, or n rows of them.
        fake_data: Hold nothing, and give batches of equal values.
        one_hot: Whether the labels of fake batches are rows.
        dtype: `tf.float32` for images between 0 and 1, `tf.uint8` for the bytes.
        reshape: Whether to flatten the images.
        seed: Of the order of batches; the seed of the graph counts too.

    Raises:
        TypeError: Another `dtype`.
        ValueError: The numbers of images and labels differ.
    """

    def __init__(
        self, images: Any, labels: Any, fake_data: bool = False, one_hot: bool = False, dtype: Any = tf.float32,
        reshape: bool = True, seed: int | None = None,
    ) -> None:
        graph_seed, op_seed = tf.get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = tf.as_dtype(dtype)
        if dtype not in (tf.uint8, tf.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot = one_hot
        if not fake_data:
            if len(images) != len(labels):
                raise ValueError(f"{len(images)} images with {len(labels)} labels")
            if reshape:
                images = images.reshape(len(images), math.prod(images.shape[1:]))
            if dtype == tf.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._num_examples = 10000 if fake_data else len(images)
        self._epochs_completed = self._index_in_epoch = 0

    @property
    def images(self) -> Any:
        """All images, in the order of the batches."""
        return self._images

    @property
    def labels(self) -> Any:
        """All labels, in the order of the batches."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many there are."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """How often all were given."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """The next `batch_size` images and labels; each epoch has an order of its own unless `shuffle` is false."""
        if fake_data:
            label = [1] + [0] * (_CLASSES - 1) if self.one_hot else 0
            return [[1] * _PIXELS for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        self._index_in_epoch = start + batch_size
        if self._index_in_epoch <= self._num_examples:
            return self._images[start : self._index_in_epoch], self._labels[start : self._index_in_epoch]
        self._epochs_completed += 1
        images, labels = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = batch_size - len(images)
        return (
            np.concatenate((images, self._images[: self._index_in_epoch])),
            np.concatenate((labels, self._labels[: self._index_in_epoch])),
        )

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


def read_data_sets(
    train_dir: str, fake_data: bool = False, one_hot: bool = False, dtype: Any = tf.float32, reshape: bool = True,
    validation_size: int = 5000, seed: int | None = None, source_url: str | None = None,
) -> Datasets:
    """Reads the four files of MNIST from a folder. Nothing is downloaded.

    Args:
        train_dir: The folder.
        fake_data: Read nothing, and give batches of equal values.
        one_hot: Whether labels are rows with a one.
        dtype: `tf.float32` for images between 0 and 1, `tf.uint8` for the bytes.
        reshape: Whether to flatten the images.
        validation_size: How many of the training images to set apart, from the first on.
        seed: Of the order of batches.
        source_url: Not used.

    Returns:
        Named tuple of the training, validation and test images.

    Raises:
        FileNotFoundError: A file is not there.
        ValueError: A file is no MNIST file, or there are fewer training images than `validation_size`.
    """
    options: dict[str, Any] = {"dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:
        return Datasets(*(DataSet([], [], fake_data=True, one_hot=one_hot, **options) for _ in range(3)))
    train, test = (
        [read(_open(train_dir, name)) for read, name in zip((extract_images, extract_labels), names)]
        for names in (
            ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
            ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
        )
    )
    if not 0 <= validation_size <= len(train[0]):
        raise ValueError(
            f"Validation size should be between 0 and {len(train[0])}. Received: {validation_size}."
        )
    if one_hot:
        train[1], test[1] = (np.eye(_CLASSES)[labels] for labels in (train[1], test[1]))
    parts = [part[validation_size:] for part in train], [part[:validation_size] for part in train], test
    return Datasets(*(DataSet(images, labels, **options) for images, labels in parts))


def extract_images(f: BinaryIO) -> np.ndarray:
    """The images in a compressed file, [n, height, width, 1].

    Raises:
        ValueError: It is no such file.
    """
    print("Extracting", f.name)
    with f:
        sizes, values = _unpacked(f, 2051, 3, "image")
    return values.reshape(*sizes, 1)


def extract_labels(f: BinaryIO, one_hot: bool = False, num_classes: int = _CLASSES) -> np.ndarray:
    """The labels in a compressed file, [n], or [n, `num_classes`] with a one in each row.

    Raises:
        ValueError: It is no such file.
    """
    print("Extracting", f.name)
    with f:
        _, values = _unpacked(f, 2049, 1, "label")
    return np.eye(num_classes)[values] if one_hot else values


def _open(folder: str, name: str) -> BinaryIO:
    try:
        return open(os.path.join(folder, name), "rb")
    except FileNotFoundError as error:
        raise FileNotFoundError(
            error.errno, f"{error.strerror} (nothing is downloaded: put the four files of MNIST there)", error.filename
        ) from None


def _unpacked(f: BinaryIO, magic: int, rank: int, kind: str) -> tuple[tuple[int, ...], np.ndarray]:
    name = getattr(f, "name", "")
    try:
        with gzip.GzipFile(fileobj=f) as stream:
            header = np.frombuffer(stream.read(4 * (1 + rank)), ">u4").tolist()
            if len(header) != 1 + rank or header[0] != magic:
                raise ValueError(f"Invalid magic number {(header or [None])[0]} in MNIST {kind} file: {name}")
            wanted = math.prod(header[1:])
            data = stream.read(min(wanted, 1 << 32) + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"Damaged MNIST {kind} file: {name}: {error}") from error
    if len(data) != wanted:
        raise ValueError(f"{wanted} bytes expected in MNIST {kind} file: {name}")
    return tuple(header[1:]), np.frombuffer(data, np.uint8)
