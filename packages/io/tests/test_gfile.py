"""`tf.gfile`: modes, places, errors, patterns, trees, and a file system of a plugin."""

import io
import os

import pytest

from ossia_core.files import FileStatistics, FileSystem
from ossia_core.hookspecs import hookimpl
from ossia_core.names import errors
from ossia_core.plugins import manager as plugins
from ossia_io import paths
from ossia_io.gfile import FastGFile, GFile


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "f").write_bytes(b"line1\nline2\r\nlast \xc3\xa9")
    (tmp_path / "a" / "x").write_text("x")
    (tmp_path / "a" / "b" / "x").write_text("x")
    (tmp_path / ".hid").write_text("")
    return tmp_path


def test_reading_text(tree):
    with GFile(str(tree / "f")) as file:
        assert (file.name, file.mode, file.size(), file.seekable()) == (str(tree / "f"), "r", 20, True)
        assert (file.readline(), file.tell(), file.readline()) == ("line1\n", 6, "line2\n")
        assert (file.read(2), file.read(), file.read(), file.readline()) == ("la", "st é", "", "")
        file.seek(0)
        assert list(file) == ["line1\n", "line2\n", "last é"]
        file.seek(-3, 2)
        assert file.read() == " é"
        file.seek(-3, 1)
        assert file.tell() == 17
        file.seek(position=2)
        assert file.read(3) == "ne1"
        with pytest.raises(StopIteration):
            file.seek(20)
            file.next()
    assert file.read(4) == "line"  # opened again
    file.close()


def test_reading_bytes(tree):
    with FastGFile(str(tree / "f"), "rb") as file:
        assert file.readlines() == [b"line1\n", b"line2\n", b"last \xc3\xa9"]


def test_places_that_do_not_exist(tree):
    with GFile(str(tree / "f")) as file:
        with pytest.raises(errors.InvalidArgumentError, match="negative position"):
            file.seek(-1)
        with pytest.raises(errors.InvalidArgumentError, match="whence"):
            file.seek(0, 7)
        with pytest.raises(TypeError, match="offset"):
            file.seek()
        with pytest.raises(errors.OutOfRangeError):
            file.seek(1000)
        assert file.tell() == 20
        for count, error in ((-2, OverflowError), ("a", TypeError), (None, TypeError)):
            with pytest.raises(error):
                file.read(count)


def test_writing(tmp_path):
    path = str(tmp_path / "out")
    file = GFile(path, "w")
    assert not os.path.exists(path)
    file.write("hé\n")
    file.write(b"by\xff")
    assert (file.tell(), file.size(), os.path.getsize(path)) == (7, 0, 0)
    file.flush()
    assert file.size() == 7
    for wrong in (3, None):
        with pytest.raises(TypeError, match="Expected binary or unicode string"):
            file.write(wrong)
    file.close()
    with GFile(path, "a") as more:
        assert more.tell() == 7
        more.write("x")
    with open(path, "rb") as check:
        assert check.read() == b"h\xc3\xa9\nby\xffx"
    with pytest.raises(UnicodeDecodeError):
        GFile(path).read()


def test_modes(tmp_path):
    path = str(tmp_path / "f")
    with GFile(path, "w+") as file:
        file.write("abc")
        file.flush()
        assert (file.read(2), file.tell()) == ("ab", 2)
    with GFile(path, "a+") as file:
        file.write("d")
        file.flush()
        assert file.read() == "abcd"
    with GFile(path, "rb+") as file:
        assert file.read() == b"abcd"
    for mode in ("x", "", "b", "wr", "rt", "U"):
        with pytest.raises(errors.InvalidArgumentError, match="mode is not"):
            GFile(path, mode)
    with GFile(path, "w") as file:
        for use in (file.read, file.readline, lambda: file.seek(0)):
            with pytest.raises(errors.PermissionDeniedError, match="reading"):
                use()
    with GFile(path) as file, pytest.raises(errors.PermissionDeniedError, match="writing"):
        file.write("x")


NOT_FOUND, EXISTS, PRECONDITION = errors.NotFoundError, errors.AlreadyExistsError, errors.FailedPreconditionError
ERRORS = {
    "read missing": (NOT_FOUND, lambda d: GFile(d + "none").read()),
    "size missing": (NOT_FOUND, lambda d: GFile(d + "none").size()),
    "read directory": (PRECONDITION, lambda d: GFile(d + "a").read()),
    "write directory": (PRECONDITION, lambda d: GFile(d + "a", "w").write("x")),
    "write nowhere": (NOT_FOUND, lambda d: GFile(d + "none/f", "w").write("x")),
    "mkdir deep": (NOT_FOUND, lambda d: paths.mkdir(d + "p/q")),
    "mkdir in file": (PRECONDITION, lambda d: paths.mkdir(d + "f/q")),
    "makedirs in file": (PRECONDITION, lambda d: paths.makedirs(d + "f/q")),
    "list missing": (NOT_FOUND, lambda d: paths.listdir(d + "none")),
    "list file": (NOT_FOUND, lambda d: paths.listdir(d + "f")),
    "stat missing": (NOT_FOUND, lambda d: paths.stat(d + "none")),
    "copy onto file": (EXISTS, lambda d: paths.copy(d + "f", d + "a/x")),
    "copy missing": (NOT_FOUND, lambda d: paths.copy(d + "none", d + "g")),
    "copy directory": (errors.InvalidArgumentError, lambda d: paths.copy(d + "a", d + "g")),
    "copy onto directory": (PRECONDITION, lambda d: paths.copy(d + "f", d + "a", overwrite=True)),
    "copy nowhere": (NOT_FOUND, lambda d: paths.copy(d + "f", d + "none/f")),
    "rename onto file": (EXISTS, lambda d: paths.rename(d + "f", d + "a/x")),
    "rename missing": (NOT_FOUND, lambda d: paths.rename(d + "none", d + "g")),
    "rename nowhere": (NOT_FOUND, lambda d: paths.rename(d + "f", d + "none/f")),
    "rename to other store": (errors.UnimplementedError, lambda d: paths.rename(d + "f", "nostore://f")),
    "remove missing": (NOT_FOUND, lambda d: paths.remove(d + "none")),
    "remove directory": (PRECONDITION, lambda d: paths.remove(d + "a")),
    "rmtree missing": (NOT_FOUND, lambda d: paths.rmtree(d + "none")),
    "rmtree file": (PRECONDITION, lambda d: paths.rmtree(d + "f")),
    "glob missing": (NOT_FOUND, lambda d: paths.glob(d + "none/*")),
    "glob file": (PRECONDITION, lambda d: paths.glob(d + "f/*")),
    "no path": (TypeError, lambda d: paths.exists(None)),
    "unknown scheme": (errors.UnimplementedError, lambda d: paths.exists("nostore://f")),
    "null byte": (errors.InvalidArgumentError, lambda d: GFile("a\0b").read()),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case, tree):
    error, use = ERRORS[case]
    with pytest.raises(error):
        use(f"{tree}/")
    assert (tree / "f").read_bytes() and (tree / "a" / "x").exists()


def test_paths(tree):
    d = f"{tree}/"
    assert [
        paths.Exists(p) for p in (d + "f", d + "a", d + "none", "", "file://" + d + "f", os.fsencode(d), "a\0b")
    ] == [True, True, False, False, True, True, False]
    assert [paths.IsDirectory(p) for p in (d, d + "f", d + "none", "", "nostore://f")] == [
        True,
        False,
        False,
        False,
        False,
    ]
    status = paths.Stat(d + "f")
    assert (status.length, status.is_directory, status.mtime_nsec) == (20, False, os.stat(d + "f").st_mtime_ns)
    paths.MkDir(d + "a")
    paths.MakeDirs(d + "p/q/r")
    paths.MakeDirs(d + "p/q/r")
    paths.MakeDirs("")
    assert paths.ListDirectory(d + "p") == ["q"]
    paths.Copy(d + "f", d + "g")
    paths.Copy(d + "f", d + "f", overwrite=True)
    paths.Rename(d + "g", d + "a/x", overwrite=True)
    assert (tree / "a" / "x").stat().st_size == 20 == (tree / "f").stat().st_size
    paths.Remove(d + "f")
    assert not (tree / "f").exists()


def test_rmtree_leaves_what_links_point_to(tree):
    (tree / "p").mkdir()
    (tree / "p" / "link").symlink_to(tree / "a")
    with pytest.raises(PRECONDITION):
        paths.rmtree(str(tree / "p" / "link"))
    paths.DeleteRecursively(str(tree / "p"))
    assert not (tree / "p").exists()
    assert (tree / "a" / "x").exists()


PATTERNS = {
    "*": [".hid", "a", "f"],
    "**": [".hid", "a", "f"],
    ".*": [".hid"],
    "?": ["a", "f"],
    "[a-e]": ["a"],
    "[!a]": ["f"],
    "[^a]": ["f"],
    "[": [],
    "[z-a]": [],
    "{a,f}": [],
    "\\a": ["a"],
    "f": ["f"],
    "none": [],
    "*/x": ["a/x"],
    "*/*/x": ["a/b/x"],
    "none*/x": [],
    "a/": [],
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_glob(pattern, tree):
    assert paths.Glob(f"{tree}/{pattern}") == [f"{tree}/{name}" for name in PATTERNS[pattern]]


def test_glob_forms(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert paths.glob("?") == ["./a", "./f"]
    assert paths.glob(f"file://{tree}/?") == [f"file://{tree}/a", f"file://{tree}/f"]
    assert paths.glob(["f", "a/*"]) == ["./f", "a/b", "a/x"]
    assert paths.glob("") == paths.glob([]) == []


def test_walk(tree):
    top = str(tree)
    down = [(top, ["a"], [".hid", "f"]), (top + "/a", ["b"], ["x"]), (top + "/a/b", [], ["x"])]
    assert list(paths.Walk(top)) == down
    assert list(paths.Walk(top, in_order=False)) == down[::-1]
    assert list(paths.walk(top + "/none")) == []
    seen = []
    assert list(paths.walk(top + "/none", onerror=seen.append)) == []
    assert isinstance(seen[0], NOT_FOUND)


class MemoryFile(io.BytesIO):
    """A file of `MemoryFileSystem`; its content is stored when it is closed."""

    def __init__(self, store, path, data):
        super().__init__(data)
        self._put = lambda: store.__setitem__(path, self.getvalue())

    def close(self):
        if not self.closed:
            self._put()
        super().close()


class MemoryFileSystem(FileSystem):
    """Files in a dict; directories are what their paths imply."""

    def __init__(self):
        self.files = {}

    def open(self, path, mode):
        if "r" in mode and path not in self.files:
            raise errors.NotFoundError(None, None, path)
        file = MemoryFile(self.files, path, b"" if "w" in mode else self.files.get(path, b""))
        if "a" in mode:
            file.seek(0, 2)
        return file

    def stat(self, path):
        if path in self.files:
            return FileStatistics(len(self.files[path]), 0, False)
        if any(name.startswith(path.rstrip("/") + "/") for name in self.files):
            return FileStatistics(0, 0, True)
        raise errors.NotFoundError(None, None, path)

    def list_directory(self, path):
        path = path.rstrip("/") + "/"
        return sorted({name[len(path) :].partition("/")[0] for name in self.files if name.startswith(path)})

    def make_directory(self, path):
        pass

    def remove(self, path):
        del self.files[path]

    def remove_directory(self, path):
        pass

    def rename(self, source, target):
        self.files[target] = self.files.pop(source)


class MemoryPlugin:
    """Registers the scheme `ram`."""

    @hookimpl
    def ossia_filesystems(self):
        return {"ram": f"{__name__}:MemoryFileSystem"}


def test_a_file_system_of_a_plugin(tree):
    plugins.register(MemoryPlugin(), "memory")
    try:
        with GFile("ram://box/d/f", "w") as file:
            file.write("in memory")
        assert GFile("ram://box/d/f").read() == "in memory"
        assert paths.glob("ram://box/*/f") == ["ram://box/d/f"]
        assert list(paths.walk("ram://box")) == [("ram://box", ["d"], []), ("ram://box/d", [], ["f"])]
        paths.copy(str(tree / "f"), "ram://box/f")
        assert paths.stat("ram://box/f").length == 20
        paths.rename("ram://box/f", "ram://box/g")
        paths.rmtree("ram://box/d")
        assert paths.listdir("ram://box") == ["g"]
    finally:
        plugins.unregister("memory")


def test_one_place_to_seek(tree):
    with GFile(str(tree / "f")) as file:
        for arguments in {"offset": 1, "position": 2}, {}:
            with pytest.raises(TypeError, match="seek"):
                file.seek(**arguments)
