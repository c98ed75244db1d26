"""Local files behind the interface that plugins implement, and the errors of the operating system as `tf.errors`."""

import errno

import pytest

from ossia_core.files import FileStatistics, file_system, local_path, translate
from ossia_core.names import errors


def test_local_files(tmp_path):
    path = str(tmp_path / "f")
    store = file_system(path)
    assert store is file_system("file://" + path)
    with store.open("file://" + path, "wb") as file:
        file.write(b"abc")
    store.sync(path)
    store.sync(str(tmp_path))
    assert store.stat(path) == FileStatistics(3, (tmp_path / "f").stat().st_mtime_ns, False)
    store.copy(path, path + "2")
    store.rename(path + "2", path + "3")
    store.make_directories(str(tmp_path / "d" / "e"))
    assert sorted(store.list_directory(str(tmp_path))) == ["d", "f", "f3"]
    store.remove_directory(str(tmp_path / "d" / "e"))
    store.remove(path)
    assert not store.exists(path)
    assert store.is_directory(str(tmp_path)) and not store.is_directory(path + "3")


def test_paths_and_schemes():
    assert [local_path(path) for path in ("/a/b", "file:///a/b", "file://host/a", "a")] == ["/a/b", "/a/b", "/a", "a"]
    with pytest.raises(errors.UnimplementedError, match="nostore"):
        file_system("nostore://x")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (errno.ENOENT, errors.NotFoundError),
        (errno.EACCES, errors.PermissionDeniedError),
        (errno.ENOSPC, errors.ResourceExhaustedError),
        (errno.EISDIR, errors.FailedPreconditionError),
        (errno.EIO, errors.UnknownError),
    ],
)
def test_errors(code, error):
    assert type(translate(OSError(code, "why"), "path")) is error
    assert "path; why" in str(translate(OSError(code, "why"), "path"))
