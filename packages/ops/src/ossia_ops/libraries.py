"""Loading compiled op libraries: refused, with errors that say why."""
from __future__ import annotations

import errno
import os
from typing import Any

from ossia_core.names import errors
from ossia_core.plugins.api_table import public


@public("load_op_library")
def load_op_library(library_filename: str) -> Any:
    """Not possible: libraries compiled for TensorFlow need TensorFlow.

    Raises:
      NotFoundError: there is no such file.
      UnimplementedError: the file exists; the message says how ops are added instead.
    """
    if not os.path.exists(library_filename):
        raise errors.NotFoundError(
            None, None, f"{library_filename}: cannot open shared object file: No such file or directory"
        )
    raise errors.UnimplementedError(
        None,
        None,
        f"{library_filename}: op libraries compiled for TensorFlow cannot be loaded. An op is added "
        "in Python, by a plugin with the hook `ossia_ops`.",
    )


@public("load_file_system_library")
def load_file_system_library(library_filename: str) -> None:
    """Not possible; as `load_op_library`, with the hook `ossia_filesystems`."""
    load_op_library(library_filename)


@public("load_library")
def load_library(library_location: str) -> None:
    """Not possible; as `load_op_library`, for a file or a folder.

    Raises:
      OSError: there is no such file or folder.
      UnimplementedError: it exists.
    """
    if not os.path.exists(library_location):
        raise OSError(
            errno.ENOENT, "The file or folder to load kernel libraries from does not exist.", library_location
        )
    load_op_library(library_location)
