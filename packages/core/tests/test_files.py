"""Local files behind the interface that plugins implement, and the errors of the operating system as `tf.errors`."""

import errno
import os

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
        (errno.EDQUOT, errors.ResourceExhaustedError),
        (errno.EFBIG, errors.ResourceExhaustedError),
        (errno.EISDIR, errors.FailedPreconditionError),
        (errno.EIO, errors.UnknownError),
    ],
)
def test_errors(code, error):
    assert type(translate(OSError(code, "why"), "path")) is error
    assert "path; why" in str(translate(OSError(code, "why"), "path"))


@pytest.mark.parametrize("mode", ["wb", "ab", "w+b", "r+b", "a+b"])
def test_a_full_disk_is_told_with_the_path_by_whoever_writes(mode):
    file = file_system("/dev/full").open("/dev/full", mode)
    file.write(b"few")
    with pytest.raises(errors.ResourceExhaustedError, match="^/dev/full; No space left on device"):
        file.flush()
    with pytest.raises(errors.ResourceExhaustedError, match="^/dev/full; No space left on device"):
        file.write(b"x" * 200_000)
    with pytest.raises(errors.ResourceExhaustedError):
        file.close()
    assert file.raw.closed


def test_modes(tmp_path):
    path = str(tmp_path / "f")
    store = file_system(path)
    for mode, wanted in (("wb", b"ab"), ("ab", b"abab"), ("r+b", b"abab"), ("a+b", b"ababab"), ("w+b", b"ab")):
        with store.open(path, mode) as file:
            file.write(b"ab")
        with store.open(path, "rb") as file:
            assert file.read() == wanted
    with store.open(path, "w+b") as file:
        file.write(b"text\nlines")
        file.seek(0)
        assert list(file) == [b"text\n", b"lines"]


def test_named_pipes_are_not_waited_for(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    with pytest.raises(errors.FailedPreconditionError, match="named pipe"):
        file_system(path).open(path, "rb")
    assert file_system(path).exists(path)
