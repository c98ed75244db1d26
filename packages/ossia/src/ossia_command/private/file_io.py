"""`file_io`: files under the names of its functions."""

from __future__ import annotations

import uuid

from ossia import gfile
from ossia.gfile import GFile

FileIO = GFile
file_exists = gfile.Exists
delete_file = gfile.Remove
get_matching_files = gfile.Glob
create_dir = gfile.MkDir
recursive_create_dir = gfile.MakeDirs
copy = gfile.Copy
rename = gfile.Rename
delete_recursively = gfile.DeleteRecursively
is_directory = gfile.IsDirectory
list_directory = gfile.ListDirectory
walk = gfile.Walk
stat = gfile.Stat


def read_file_to_string(filename: str, binary_mode: bool = False) -> str | bytes:
    """The contents of a file."""
    with GFile(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename: str, file_content: str | bytes) -> None:
    """Writes a file anew."""
    with GFile(filename, "w") as file:
        file.write(file_content)


def atomic_write_string_to_file(filename: str, contents: str | bytes, overwrite: bool = True) -> None:
    """Writes a file beside the one named, and renames it when it is complete."""
    temporary = f"{filename}.tmp{uuid.uuid4().hex}"
    write_string_to_file(temporary, contents)
    try:
        rename(temporary, filename, overwrite)
    except BaseException:
        delete_file(temporary)
        raise
