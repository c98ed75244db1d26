"""Reading checkpoints of any installed format, by name, without a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_checkpoint import formats
from ossia_checkpoint.formats import TensorReader
from ossia_checkpoint.patterns import absent
from ossia_checkpoint.state import latest_checkpoint
from ossia_core import files
from ossia_core.names.dtypes import DType
from ossia_core.plugins.api_table import public


def open_checkpoint(prefix: str) -> TensorReader:
    """Opens a checkpoint of whichever installed format recognises it.

    Args:
        prefix: The prefix of a checkpoint; for format V1 the path of its file, or a pattern that matches all shards.

    Raises:
        NotFoundError: Nothing is there.
        InvalidArgumentError: Nor is there a folder for it.
        DataLossError: What is there is damaged.
    """
    found = formats.format_of(prefix)
    if found is None:
        raise absent(prefix)
    return found.reader(prefix)


class CheckpointReader:
    """The tensors of a checkpoint; made by `tf.train.NewCheckpointReader`.

    Every method that reads raises DataLossError where the files are damaged.
    """

    def __init__(self, filepattern: str) -> None:
        """Opens a checkpoint; raises as `NewCheckpointReader` does."""
        self._reader = open_checkpoint(_text(filepattern))
        self._entries = {name: self._reader.entry(name) for name in self._reader.names()}

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor, as a list, by name."""
        return {name: list(entry.shape) for name, entry in self._entries.items()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each tensor by name."""
        return {name: entry.dtype for name, entry in self._entries.items()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether the checkpoint holds a tensor of that name."""
        return _text(tensor_str) in self._entries

    def get_tensor(self, tensor_str: str) -> Any:
        """The value of a tensor: an array, or a scalar of its type where the rank is 0; strings are bytes.

        Raises:
            NotFoundError: The checkpoint holds no tensor of that name.
        """
        value = self._reader.read(_text(tensor_str))
        return value if value.ndim else value[()]

    def debug_string(self) -> bytes:
        """A line per tensor (per slice of a partitioned one in format V2): name, dtype and shape."""
        return b"".join(sorted(line for name in self._entries for line in self._reader.describe(name)))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str):
        return value
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    raise TypeError(f"Expected binary or unicode string, got {value!r}")


@public("train.NewCheckpointReader", "pywrap_tensorflow.NewCheckpointReader")
def NewCheckpointReader(filepattern: str) -> CheckpointReader:
    """Opens a checkpoint.

    Args:
        filepattern: The prefix of a V2 checkpoint; the path of a V1 checkpoint, or a pattern that matches all of its
            shards.

    Returns:
        A reader of its tensors.

    Raises:
        NotFoundError: Nothing is there.
        InvalidArgumentError: Nor is there a folder for it.
        DataLossError: What is there is damaged.
    """
    return CheckpointReader(filepattern)


@public("train.load_checkpoint", "compat.v2.train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """Opens a checkpoint, or the newest one of a directory.

    Args:
        ckpt_dir_or_file: The directory, or the checkpoint's prefix.

    Raises:
        ValueError: The directory has no checkpoint.
        NotFoundError: There is no such checkpoint.
    """
    path = checkpoint_filename(ckpt_dir_or_file)
    if path is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}")
    return CheckpointReader(path)


def checkpoint_filename(directory_or_prefix: str) -> str | None:
    """The prefix itself, or that of a directory's newest checkpoint."""
    path = _text(directory_or_prefix)
    return latest_checkpoint(path) if files.file_system(path).is_directory(path) else path


@public("train.load_variable", "compat.v2.train.load_variable")
def load_variable(ckpt_dir_or_file: str, name: str) -> np.ndarray:
    """The value of a variable in a checkpoint.

    Args:
        ckpt_dir_or_file: A directory, whose newest checkpoint is read, or a checkpoint's prefix.
        name: The variable's name, with or without `:0`.

    Raises:
        NotFoundError: There is no such checkpoint, or no such variable in it.
        ValueError: The directory has no checkpoint.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@public("train.list_variables", "compat.v2.train.list_variables")
def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Name and shape of every variable in a checkpoint, sorted by name; raises as `load_checkpoint` does."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())
