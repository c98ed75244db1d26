"""File systems: files and directories, errors, and what programs keep there.

The keys of a sample: `root`, the path of a directory that the file system has or makes, where the checks may work; the
scheme followed by `://testkit` if it is left out. `directories`, False if the store has none of its own: then empty
directories may vanish, and may be there without having been made.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

_number = itertools.count()
CONTENTS = {"empty": b"", "line": b"first\nsecond\r\n", "bytes": bytes(range(256)) * 9, "large": b"0123456789" * 100000}


class TestFilesystems:
    """The checks."""

    kind = "filesystem"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def place(self, row, tmp_path) -> Iterator[tuple[Any, str]]:
        """The file system and an empty directory on it."""
        import ossia as tf
        from ossia_core.files import file_system

        root = str(tmp_path) if row.name == "file" else row.sample.get("root", f"{row.name}://testkit")
        folder = f"{root}/{next(_number)}"
        tf.gfile.MakeDirs(folder)
        yield file_system(folder), folder
        if tf.gfile.Exists(folder):
            tf.gfile.DeleteRecursively(folder)

    @pytest.mark.parametrize("contents", CONTENTS)
    def test_bytes(self, place, contents):
        """What was written is what is read, whole and in parts."""
        system, folder = place
        path, data = f"{folder}/file", CONTENTS[contents]
        with system.open(path, "wb") as file:
            for start in range(0, len(data), 65536):
                file.write(data[start : start + 65536])
        assert system.stat(path).length == len(data) and not system.stat(path).is_directory
        with system.open(path, "rb") as file:
            assert file.read() == data
            assert file.read() == b"" and file.tell() == len(data)
            file.seek(len(data) // 2)
            assert file.read(5) == data[len(data) // 2 :][:5]
            file.seek(-min(3, len(data)), 2)
            assert file.read() == (data[-3:] if data else b"")

    def test_modes(self, place):
        """`wb` starts anew, `ab` goes on at the end, and both make a file; `rb` does not."""
        system, folder = place
        path = f"{folder}/file"
        for mode, expected in (("ab", b"x"), ("ab", b"xx"), ("wb", b"x"), ("ab", b"xx")):
            with system.open(path, mode) as file:
                file.write(b"x")
            with system.open(path, "rb") as file:
                assert file.read() == expected, mode

    def test_missing(self, place):
        """What is not there is not found, and what is left is as it was."""
        import ossia as tf

        system, folder = place
        path, missing = f"{folder}/none", tf.errors.NotFoundError
        for call in (
            lambda: system.open(path, "rb"), lambda: system.stat(path), lambda: system.remove(path),
            lambda: system.rename(path, f"{folder}/other"), lambda: system.list_directory(f"{folder}/none"),
            lambda: system.remove_directory(path),
        ):
            with pytest.raises(missing):
                call()
        assert not system.exists(path) and not system.is_directory(path) and system.list_directory(folder) == []

    def test_directories(self, place):
        """Names of a directory are names, once each, and of that directory alone."""
        import ossia as tf

        system, folder = place
        system.make_directories(f"{folder}/a/b")
        for name in ("x", "a/y", "a/b/z", "a b ü%20#", "ab"):
            with system.open(f"{folder}/{name}", "wb") as file:
                file.write(name.encode())
        assert sorted(system.list_directory(folder)) == sorted(["a", "x", "a b ü%20#", "ab"])
        assert sorted(system.list_directory(f"{folder}/a")) == ["b", "y"]
        assert system.is_directory(f"{folder}/a") and not system.is_directory(f"{folder}/x")
        assert system.exists(f"{folder}/a/b/z") and system.stat(f"{folder}/a").is_directory
        with pytest.raises(tf.errors.AlreadyExistsError):
            system.make_directory(f"{folder}/a")
        with pytest.raises(tf.errors.OpError):  # it is not empty
            system.remove_directory(f"{folder}/a")
        assert system.exists(f"{folder}/a/b/z")

    def test_empty_directory(self, row, place):
        """A directory is there when it was made, and gone when it was removed."""
        system, folder = place
        if not row.sample.get("directories", True):
            return
        system.make_directory(f"{folder}/a")
        assert system.is_directory(f"{folder}/a") and system.list_directory(f"{folder}/a") == []
        system.remove_directory(f"{folder}/a")
        assert not system.exists(f"{folder}/a")

    def test_a_directory_is_no_file(self, place):
        """A directory cannot be opened or removed as a file, nor listed as one that it is not."""
        import ossia as tf

        system, folder = place
        system.make_directories(f"{folder}/a")
        with system.open(f"{folder}/a/file", "wb") as file:
            file.write(b"x")
        for call in (lambda: system.open(f"{folder}/a", "rb"), lambda: system.remove(f"{folder}/a")):
            with pytest.raises((tf.errors.FailedPreconditionError, tf.errors.PermissionDeniedError)):
                call()
        with pytest.raises(tf.errors.OpError):
            system.list_directory(f"{folder}/a/file")
        assert system.exists(f"{folder}/a/file")

    def test_rename(self, place):
        """A file goes to its new name, and takes the place of one that is there."""
        system, folder = place
        for name in ("old", "new"):
            with system.open(f"{folder}/{name}", "wb") as file:
                file.write(name.encode())
        system.rename(f"{folder}/old", f"{folder}/new")
        assert system.list_directory(folder) == ["new"]
        with system.open(f"{folder}/new", "rb") as file:
            assert file.read() == b"old"

    def test_copy_and_remove(self, place):
        """A copy is a file of its own."""
        system, folder = place
        with system.open(f"{folder}/a", "wb") as file:
            file.write(b"one")
        system.copy(f"{folder}/a", f"{folder}/b")
        with system.open(f"{folder}/a", "wb") as file:
            file.write(b"two")
        system.remove(f"{folder}/a")
        assert system.list_directory(folder) == ["b"]
        with system.open(f"{folder}/b", "rb") as file:
            assert file.read() == b"one"

    def test_statistics(self, place):
        """The time of the last change is in nanoseconds, and does not go back."""
        system, folder = place
        times = []
        for data in (b"a", b"ab"):
            with system.open(f"{folder}/file", "wb") as file:
                file.write(data)
            found = system.stat(f"{folder}/file")
            assert found.length == len(data)
            times.append(found.mtime_nsec)
        assert 0 <= times[0] <= times[1] and (times[0] == 0 or times[0] > 10**18)

    def test_gfile(self, place):
        """`tf.gfile` reads text, finds patterns, walks and deletes."""
        import ossia as tf

        _, folder = place
        for name in ("a.txt", "b.txt", "c.bin", "sub/d.txt"):
            tf.gfile.MakeDirs(f"{folder}/sub")
            with tf.gfile.GFile(f"{folder}/{name}", "w") as file:
                file.write(f"{name}\nÜ")
        with tf.gfile.GFile(f"{folder}/a.txt") as file:
            assert [file.readline(), file.read()] == ["a.txt\n", "Ü"]
        assert sorted(tf.gfile.Glob(f"{folder}/*.txt")) == [f"{folder}/a.txt", f"{folder}/b.txt"]
        walked = {path.rstrip("/"): (sorted(folders), sorted(files)) for path, folders, files in tf.gfile.Walk(folder)}
        assert walked == {folder: (["sub"], ["a.txt", "b.txt", "c.bin"]), f"{folder}/sub": ([], ["d.txt"])}
        tf.gfile.Copy(f"{folder}/a.txt", f"{folder}/b.txt", overwrite=True)
        assert tf.gfile.Open(f"{folder}/b.txt").read() == "a.txt\nÜ"
        tf.gfile.DeleteRecursively(f"{folder}/sub")
        assert sorted(tf.gfile.ListDirectory(folder)) == ["a.txt", "b.txt", "c.bin"]

    def test_checkpoints(self, place):
        """Checkpoints are saved there, found, restored and deleted."""
        import ossia as tf

        system, folder = place
        with tf.Graph().as_default(), tf.Session() as session:
            weight = tf.get_variable("weight", initializer=np.arange(5, dtype=np.float32))
            saver = tf.train.Saver(max_to_keep=2)
            session.run(weight.initializer)
            for step in range(3):
                saver.save(session, f"{folder}/model", global_step=step)
            session.run(tf.assign(weight, np.zeros(5, np.float32)))
            assert tf.train.latest_checkpoint(folder) == f"{folder}/model-2"
            saver.restore(session, f"{folder}/model-2")
            assert session.run(weight).tolist() == [0, 1, 2, 3, 4]
        names = system.list_directory(folder)
        assert "model-2.index" in names and not [name for name in names if "model-0" in name or "tmp" in name], names

    def test_records_and_events(self, place):
        """Records and events are written there and read again."""
        import ossia as tf

        _, folder = place
        with tf.io.TFRecordWriter(f"{folder}/records") as writer:
            for record in (b"one", b"", b"three"):
                writer.write(record)
        assert list(tf.io.tf_record_iterator(f"{folder}/records")) == [b"one", b"", b"three"]
        with tf.summary.FileWriter(f"{folder}/events") as events:
            events.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=1.5)]), 3)
        (name,) = tf.gfile.ListDirectory(f"{folder}/events")
        found = list(tf.train.summary_iterator(f"{folder}/events/{name}"))
        assert [event.step for event in found if event.HasField("summary")] == [3]

    def test_ops(self, place):
        """The ops that read and write files do so there."""
        import ossia as tf

        _, folder = place
        with tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.io.write_file(f"{folder}/file", b"text"))
            assert session.run(tf.io.read_file(f"{folder}/file")) == b"text"
            assert session.run(tf.io.matching_files(f"{folder}/f*")).tolist() == [f"{folder}/file".encode()]
