"""Ops that read, write and find files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, vector, with_rank, with_rank_at_most
from ossia_core.files import file_system, translate
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_io.paths import glob, makedirs

read_file_op = op("ReadFile(filename: string) -> contents: string")
read_file_op.reads()


@read_file_op.shape
def _(filename):
    with_rank(filename, 0)
    return scalar()


@read_file_op.kernel
def _(filename):
    path = _single(filename, "Input filename tensor")
    with file_system(path).open(path, "rb") as file:
        try:
            return file.read()
        except OSError as error:
            raise translate(error, path) from error




def _single(text: Any, what: str) -> str:
    if np.ndim(text):
        raise InvalidArgumentError(None, None, f"{what} must be scalar, but had shape: {dims_text(np.shape(text))}")
    return os.fsdecode(np.asarray(text, object).item())


@public("read_file", "io.read_file", "compat.v2.io.read_file")
def read_file(filename: Any, name: str | None = None) -> Tensor:
    """The bytes of a file.

    Args:
        filename: A string scalar.
        name: Name of the op.

    Returns:
        A string scalar; running it raises NotFoundError if there is no such file.
    """
    return read_file_op(filename, name=name)


write_file_op = op("WriteFile(filename: string, contents: string)", stateful=True)


@write_file_op.shape
def _(filename, contents):
    with_rank(filename, 0)
    with_rank(contents, 0)
    return ()


@write_file_op.kernel
def _(filename, contents):
    path = _single(filename, "Input filename tensor")
    if np.ndim(contents):
        raise InvalidArgumentError(
            None, None, f"Contents tensor must be scalar, but had shape: {dims_text(np.shape(contents))}"
        )
    directory = os.path.dirname(path)
    if directory:
        makedirs(directory)
    with file_system(path).open(path, "wb") as file:
        try:
            file.write(np.asarray(contents, object).item())
        except OSError as error:
            raise translate(error, path) from error
    return ()


@public("write_file", "io.write_file", "compat.v2.io.write_file")
def write_file(filename: Any, contents: Any, name: str | None = None) -> Operation:
    """Writes bytes to a file, in a directory that is made if it is missing; an existing file is replaced.

    Args:
        filename: A string scalar.
        contents: A string scalar.
        name: Name of the op.

    Returns:
        The operation that writes.
    """
    return write_file_op(filename, contents, name=name)


matching_files_op = op("MatchingFiles(pattern: string) -> filenames: string")
matching_files_op.reads()


@matching_files_op.shape
def _(pattern):
    with_rank_at_most(pattern, 1)
    return vector(None)


@matching_files_op.kernel
def _(pattern):
    if np.ndim(pattern) > 1:
        raise InvalidArgumentError(
            None, None, f"Input patterns tensor must be scalar or vector, but had shape: {dims_text(np.shape(pattern))}"
        )
    found: list[bytes] = []
    for single in np.asarray(pattern, object).ravel().tolist():
        try:
            found.extend(map(os.fsencode, glob(single)))
        except errors.FailedPreconditionError:
            continue  # no directory, so nothing matches
    return np.array(sorted(found), object)




@public("matching_files", "io.matching_files", "compat.v2.io.matching_files")
def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """Paths that match one of several patterns, as `tf.io.gfile.glob` takes them.

    Args:
        pattern: A string scalar or vector.
        name: Name of the op.

    Returns:
        A string vector, sorted.
    """
    return matching_files_op(pattern, name=name)
