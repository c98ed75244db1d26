"""Whole files and directories: `tf.io.gfile` functions and their older `tf.gfile` names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator

from ossia_core.files import FileStatistics, file_system
from ossia_core.names import errors
from ossia_core.plugins.api_table import public

Path = str | bytes | os.PathLike[str]
_WILDCARD = re.compile(r"[*?\[\\]")
_COPY_BYTES = 1 << 20


def text_path(path: Path) -> str:
    """A path as str.

    Raises:
        TypeError: `path` is no str, bytes or os.PathLike.
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    return os.fsdecode(path)


@public("io.gfile.exists", "compat.v2.io.gfile.exists")
def exists(path: Path) -> bool:
    """Whether `path` is a file or a directory.

    Raises:
        UnimplementedError: No file system handles the scheme of the path.
    """
    path = text_path(path)
    return bool(path) and file_system(path).exists(path)


@public("io.gfile.isdir", "compat.v2.io.gfile.isdir")
def isdir(path: Path) -> bool:
    """Whether `path` is a directory; False for a scheme that no file system handles."""
    path = text_path(path)
    try:
        return bool(path) and file_system(path).is_directory(path)
    except errors.OpError:
        return False


@public("io.gfile.stat", "compat.v2.io.gfile.stat")
def stat(path: Path) -> FileStatistics:
    """Length in bytes, time of the last change in nanoseconds, and whether `path` is a directory.

    Raises:
        NotFoundError: There is nothing at `path`.
    """
    path = text_path(path)
    return file_system(path).stat(path)


@public("io.gfile.listdir", "compat.v2.io.gfile.listdir")
def listdir(path: Path) -> list[str]:
    """Names of the entries of a directory, sorted, without `.` and `..`.

    Raises:
        NotFoundError: `path` is not a directory.
    """
    path = text_path(path)
    if not isdir(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {path}")
    return sorted(file_system(path).list_directory(path))


@public("io.gfile.mkdir", "compat.v2.io.gfile.mkdir")
def mkdir(path: Path) -> None:
    """Makes one directory; nothing happens where the path exists.

    Raises:
        NotFoundError: The parent does not exist.
        FailedPreconditionError: The parent is a file.
    """
    path = text_path(path)
    if path and not exists(path):
        _make(path, file_system(path).make_directory)


@public("io.gfile.makedirs", "compat.v2.io.gfile.makedirs")
def makedirs(path: Path) -> None:
    """Makes a directory and its missing parents; nothing happens where the path exists.

    Raises:
        FailedPreconditionError: A parent is a file.
    """
    path = text_path(path)
    _make(path, file_system(path).make_directories)


def _make(path: str, make: Callable[[str], None]) -> None:
    try:
        make(path)
    except errors.AlreadyExistsError:
        pass


@public("io.gfile.remove", "compat.v2.io.gfile.remove")
def remove(path: Path) -> None:
    """Removes a file.

    Raises:
        NotFoundError: There is no such file.
        FailedPreconditionError: `path` is a directory.
    """
    path = text_path(path)
    file_system(path).remove(path)


@public("io.gfile.rmtree", "compat.v2.io.gfile.rmtree")
def rmtree(path: Path) -> None:
    """Removes a directory with all that is in it; links are removed, what they point to is not.

    Raises:
        NotFoundError: There is nothing at `path`.
        FailedPreconditionError: `path` is a file or a link.
    """
    path = text_path(path)
    store = file_system(path)
    if not store.exists(path):
        raise errors.NotFoundError(None, None, f"{path} not found")
    if not store.is_directory(path) or store.is_link(path):
        raise errors.FailedPreconditionError(None, None, f"{path}; Not a directory")
    pending, directories = [path], []
    while pending:
        directory = pending.pop()
        directories.append(directory)
        for name in store.list_directory(directory):
            entry = _join(directory, name)
            if store.is_directory(entry) and not store.is_link(entry):
                pending.append(entry)
            else:
                store.remove(entry)
    for directory in reversed(directories):
        store.remove_directory(directory)


@public("io.gfile.rename", "compat.v2.io.gfile.rename")
def rename(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Moves a file or directory, in one step where the file system can.

    Args:
        src: What to move.
        dst: Its new path, on the same file system.
        overwrite: Whether a file at `dst` may be replaced.

    Raises:
        AlreadyExistsError: `dst` exists and `overwrite` is False.
        NotFoundError: `src` or the directory of `dst` does not exist.
        UnimplementedError: The two paths belong to different file systems.
    """
    src, dst = text_path(src), text_path(dst)
    _refuse_existing(dst, overwrite)
    store = file_system(src)
    if file_system(dst) is not store:
        raise errors.UnimplementedError(
            None, None, f"Renaming {src} to {dst} not implemented: they are on different file systems"
        )
    store.rename(src, dst)


@public("io.gfile.copy", "compat.v2.io.gfile.copy")
def copy(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Copies the bytes of a file, also from one file system to another.

    Args:
        src: The file.
        dst: The path of the copy, not a directory.
        overwrite: Whether a file at `dst` may be replaced.

    Raises:
        AlreadyExistsError: `dst` exists and `overwrite` is False.
        NotFoundError: `src` or the directory of `dst` does not exist.
        InvalidArgumentError: `src` is a directory.
    """
    src, dst = text_path(src), text_path(dst)
    _refuse_existing(dst, overwrite)
    source, target = file_system(src), file_system(dst)
    if source.is_directory(src):
        raise errors.InvalidArgumentError(None, None, f"{src} is a directory; only files can be copied")
    if source is target:
        if src != dst:
            source.copy(src, dst)
        return
    with source.open(src, "rb") as reader, target.open(dst, "wb") as writer:
        while chunk := reader.read(_COPY_BYTES):
            writer.write(chunk)


def _refuse_existing(path: str, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise errors.AlreadyExistsError(None, None, f"file already exists: {path}")


@public("io.gfile.glob", "compat.v2.io.gfile.glob")
def glob(pattern: Path | Iterable[Path]) -> list[str]:
    """Paths that match a pattern, sorted.

    Args:
        pattern: A path, or several, with `*` (any characters but `/`), `?` (one character), `[a-z]` and `[^a-z]` (one
            character in or not in a set) and `\\` (takes the next character as it is) in any of its parts.

    Returns:
        Files and directories, hidden ones too; for several patterns one list after the other.

    Raises:
        NotFoundError: The directory before the first wildcard does not exist.
    """
    if isinstance(pattern, (str, bytes, os.PathLike)):
        return _glob(text_path(pattern))
    return [path for single in pattern for path in _glob(text_path(single))]


def _glob(pattern: str) -> list[str]:
    if not pattern:
        return []
    wildcard = _WILDCARD.search(pattern)
    fixed = pattern[: wildcard.start()] if wildcard else pattern
    root, slash, _ = fixed.rpartition("/")
    parts = pattern[len(root) + len(slash) :].split("/")
    base = root + slash if slash else "./"
    store = file_system(pattern)
    found = []
    level = [base]
    for depth, part in enumerate(parts):
        last = depth == len(parts) - 1
        matches = _part_pattern(part).fullmatch
        deeper: list[str] = []
        for directory in level:
            try:
                names = store.list_directory(directory)
            except errors.OpError:
                if depth == 0:
                    raise
                continue
            paths = [directory + name for name in names if matches(name)]
            if last:
                found.extend(paths)
            else:
                deeper.extend(path + "/" for path in paths if store.is_directory(path))
        level = deeper
    return sorted(found)


def _part_pattern(part: str) -> re.Pattern[str]:
    """The regular expression of one part of a path pattern."""
    pieces, at = [], 0
    while at < len(part):
        character = part[at]
        at += 1
        if character == "*":
            pieces.append(".*")
        elif character == "?":
            pieces.append(".")
        elif character == "\\" and at < len(part):
            pieces.append(re.escape(part[at]))
            at += 1
        elif character == "[" and (end := part.find("]", at + 1 + (part[at : at + 1] in ("!", "^")))) > 0:
            negated = part[at] in "!^"
            body = (
                part[at + negated : end]
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("^", "\\^")
                .replace("&", "\\&")
            )
            pieces.append(f"[{'^' if negated else ''}{body}]")
            at = end + 1
        else:
            pieces.append(re.escape(character))
    try:
        return re.compile("".join(pieces), re.DOTALL)
    except re.error:  # a reversed range such as [z-a] matches nothing
        return re.compile(r"(?!)")


@public("io.gfile.walk", "compat.v2.io.gfile.walk")
def walk(
    top: Path, topdown: bool = True, onerror: Callable[[errors.OpError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Goes through a directory tree.

    Args:
        top: Where to start.
        topdown: Whether a directory comes before or after what is in it.
        onerror: Called with the error where a directory cannot be listed; without it such a directory is passed over.

    Returns:
        An iterator of (directory, names of its directories, names of its files), names sorted.
    """
    directory = text_path(top)
    try:
        names = listdir(directory)
    except errors.OpError as error:
        if onerror is not None:
            onerror(error)
        return
    directories: list[str] = []
    files: list[str] = []
    for name in names:
        (directories if isdir(_join(directory, name)) else files).append(name)
    here = (directory, directories, files)
    if topdown:
        yield here
    for name in directories:
        yield from walk(_join(directory, name), topdown, onerror)
    if not topdown:
        yield here


def _join(directory: str, name: str) -> str:
    return directory + name if directory.endswith("/") else f"{directory}/{name}"


@public("gfile.Exists")
def Exists(filename: Path) -> bool:
    """`tf.io.gfile.exists`."""
    return exists(filename)


@public("gfile.IsDirectory")
def IsDirectory(dirname: Path) -> bool:
    """`tf.io.gfile.isdir`."""
    return isdir(dirname)


@public("gfile.Stat")
def Stat(filename: Path) -> FileStatistics:
    """`tf.io.gfile.stat`."""
    return stat(filename)


@public("gfile.ListDirectory")
def ListDirectory(dirname: Path) -> list[str]:
    """`tf.io.gfile.listdir`."""
    return listdir(dirname)


@public("gfile.MkDir")
def MkDir(dirname: Path) -> None:
    """`tf.io.gfile.mkdir`."""
    mkdir(dirname)


@public("gfile.MakeDirs")
def MakeDirs(dirname: Path) -> None:
    """`tf.io.gfile.makedirs`."""
    makedirs(dirname)


@public("gfile.Remove")
def Remove(filename: Path) -> None:
    """`tf.io.gfile.remove`."""
    remove(filename)


@public("gfile.DeleteRecursively")
def DeleteRecursively(dirname: Path) -> None:
    """`tf.io.gfile.rmtree`."""
    rmtree(dirname)


@public("gfile.Rename")
def Rename(oldname: Path, newname: Path, overwrite: bool = False) -> None:
    """`tf.io.gfile.rename`."""
    rename(oldname, newname, overwrite)


@public("gfile.Copy")
def Copy(oldpath: Path, newpath: Path, overwrite: bool = False) -> None:
    """`tf.io.gfile.copy`."""
    copy(oldpath, newpath, overwrite)


@public("gfile.Glob")
def Glob(filename: Path | Iterable[Path]) -> list[str]:
    """`tf.io.gfile.glob`."""
    return glob(filename)


@public("gfile.Walk")
def Walk(top: Path, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """`tf.io.gfile.walk`: `in_order` is its `topdown`."""
    return walk(top, in_order)
