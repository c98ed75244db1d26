"""Whatever fsspec can open, as a file system of Ossia: a class for all schemes."""

import contextlib

import fsspec

import ossia as tf
from ossia_core.files import FileStatistics, FileSystem

CLASSES = {
    FileNotFoundError: tf.errors.NotFoundError,
    FileExistsError: tf.errors.AlreadyExistsError,
    PermissionError: tf.errors.PermissionDeniedError,
    IsADirectoryError: tf.errors.FailedPreconditionError,
    NotADirectoryError: tf.errors.FailedPreconditionError,
}


@contextlib.contextmanager
def store(path):
    """The fsspec file system of a path, with its errors in the classes of `tf.errors`."""
    try:
        yield fsspec.core.url_to_fs(path)
    except (OSError, ValueError) as error:
        found = next((cls for kind, cls in CLASSES.items() if isinstance(error, kind)), tf.errors.UnknownError)
        raise found(None, None, f"{path}; {error}") from error


def needs_file(system, name):
    """Refuses directories where a file is needed."""
    if system.isdir(name):
        raise IsADirectoryError("it is a directory")


class FsspecFileSystem(FileSystem):
    """The stores of fsspec, each under its own scheme."""

    def open(self, path, mode):
        with store(path) as (system, name):
            needs_file(system, name)
            if "a" in mode and not system.exists(name):
                mode = mode.replace("a", "w")
            return system.open(name, mode)

    def stat(self, path):
        with store(path) as (system, name):
            found = system.info(name)
            changed = found.get("created") or found.get("mtime") or found.get("LastModified") or 0
            seconds = changed.timestamp() if hasattr(changed, "timestamp") else changed
            return FileStatistics(found["size"] or 0, int(seconds * 1e9), found["type"] == "directory")

    def list_directory(self, path):
        with store(path) as (system, name):
            if not system.isdir(name):
                raise (NotADirectoryError if system.exists(name) else FileNotFoundError)("it is no directory")
            return [found.rstrip("/").rpartition("/")[2] for found in system.ls(name, detail=False)]

    def make_directory(self, path):
        with store(path) as (system, name):
            if system.exists(name):
                raise FileExistsError("it exists")
            system.mkdir(name, create_parents=False)

    def remove(self, path):
        with store(path) as (system, name):
            needs_file(system, name)
            system.rm_file(name)

    def remove_directory(self, path):
        if self.list_directory(path):
            raise tf.errors.FailedPreconditionError(None, None, f"{path}; it is not empty")
        with store(path) as (system, name):
            system.rmdir(name)

    def rename(self, source, target):
        with store(source) as (system, name), store(target) as (_, new):
            if not system.exists(name):
                raise FileNotFoundError("it does not exist")
            system.mv(name, new, recursive=system.isdir(name))
