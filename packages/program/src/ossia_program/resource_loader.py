"""`tf.resource_loader`: files that lie beside the program or inside the package."""

from __future__ import annotations

import os
import sys

from ossia_core.plugins.api_table import public

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


@public("resource_loader.get_data_files_path")
def get_data_files_path() -> str:
    """Returns the folder of the file that makes the call."""
    return _folder(2)


@public("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path: str) -> str:
    """Returns the path of a file beside the file that makes the call."""
    return os.path.join(_folder(2), path)


def _folder(depth: int) -> str:
    return os.path.dirname(os.path.abspath(sys._getframe(depth).f_code.co_filename))


@public("resource_loader.get_root_dir_with_all_resources")
def get_root_dir_with_all_resources() -> str:
    """Returns the folder of the package."""
    return _PACKAGE


@public("resource_loader.load_resource")
def load_resource(path: str) -> bytes:
    """Returns the contents of a file inside the package.

    Raises:
        FileNotFoundError: if there is no such file.
    """
    with open(os.path.join(_PACKAGE, path), "rb") as file:
        return file.read()


@public("resource_loader.readahead_file_path")
def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """Returns `path`; reading ahead is left to the operating system."""
    return path
