"""`file_io`: files under the names of its functions."""

from __future__ import annotations

import uuid
import zlib
from typing import Any

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


def filecmp(filename_a: Any, filename_b: Any) -> bool:
    """Whether two files hold the same bytes."""
    if stat(filename_a).length != stat(filename_b).length:
        return False
    return bool(read_file_to_string(filename_a, True) == read_file_to_string(filename_b, True))


def file_crc32(filename: Any, block_size: int = 1 << 24) -> str:
    """The CRC-32 of a file, as hexadecimal text."""
    crc = 0
    with FileIO(filename, "rb") as file:
        while block := file.read(block_size):
            crc = zlib.crc32(block, crc)
    return hex(crc & 0xFFFFFFFF)
