"""Unfinished files: of those that nobody writes any more, and of them alone, the names are freed."""

import os
import subprocess
import sys

import pytest

from ossia_core import files, temporaries
from ossia_core.names import errors


def left_behind(path):
    """An unfinished form of `path` that a process left which is dead."""
    program = "import sys; from ossia_core import temporaries; u = temporaries.create(sys.argv[1]); print(u.path)"
    program += "; u.stream.write(b'x'); u.stream.flush(); import os; os._exit(1)"
    found = subprocess.run([sys.executable, "-uc", program, path], capture_output=True, text=True).stdout.strip()
    assert os.path.getsize(found) == 1
    return found


def test_names():
    name = temporaries.temporary("some/folder/m.index")
    assert os.path.dirname(name) == "some/folder"
    assert temporaries.final_name(os.path.basename(name)) == "m.index"
    assert temporaries.final_name("m.index") is None
    assert temporaries.final_name("m.index.tmp-ossia-0123456789abcdef") is None
    assert temporaries.final_name(os.path.basename(name).replace("m.", "n.")) is None


def test_only_what_dead_processes_left_is_swept(tmp_path):
    left_behind(str(tmp_path / "m"))
    others = left_behind(str(tmp_path / "n"))
    mine = temporaries.create(str(tmp_path / "m"))
    foreign = tmp_path / "m.tmp-ossia-0123456789abcdef"
    foreign.write_bytes(b"x")
    temporaries.sweep(str(tmp_path), "m".__eq__)
    assert {str(path) for path in tmp_path.iterdir()} == {others, mine.path, str(foreign)}
    mine.stream.close()
    temporaries.sweep(str(tmp_path), "m".__eq__)
    assert os.path.exists(mine.path)
    mine.release()
    temporaries.sweep(str(tmp_path), "m".__eq__)
    assert not os.path.exists(mine.path)


def test_links_pipes_and_folders_stay(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"x")
    kinds = {
        "link": lambda path: os.symlink(target, path),
        "dangling": lambda path: os.symlink(tmp_path / "none", path),
        "pipe": os.mkfifo,
        "folder": os.mkdir,
    }
    for make in kinds.values():
        path = temporaries.temporary(str(tmp_path / "m"))
        make(path)
        if make is os.mkfifo:
            os.utime(path, (1, 1))
    temporaries.sweep(str(tmp_path), "m".__eq__)
    assert len(list(tmp_path.iterdir())) == 5 and target.read_bytes() == b"x"


def test_a_file_that_is_gone_cannot_be_locked(tmp_path):
    with pytest.raises(errors.NotFoundError):
        temporaries.lock(str(tmp_path / "none"))
    temporaries.sweep(str(tmp_path / "none"), "m".__eq__)


def test_without_locks_an_hour_decides(tmp_path, monkeypatch):
    monkeypatch.setattr(temporaries, "fcntl", None)
    old, new, link = (temporaries.temporary(str(tmp_path / "m")) for _ in range(3))
    for path in (old, new):
        with files.file_system(path).open(path, "wb"):
            pass
    os.utime(old, (1, 1))
    os.symlink(old, link)
    temporaries.sweep(str(tmp_path), "m".__eq__)
    assert {str(path) for path in tmp_path.iterdir()} == {new, link}
    made = temporaries.create(str(tmp_path / "m"))
    made.stream.close()
    assert made.descriptor is None


def test_a_file_that_is_swept_as_it_is_made_is_made_again(tmp_path, monkeypatch):
    lock, seen = temporaries.lock, []

    def swept_once(path):
        if not seen:
            temporaries.discard_abandoned(path)
        seen.append(path)
        return lock(path)

    monkeypatch.setattr(temporaries, "lock", swept_once)
    made = temporaries.create(str(tmp_path / "m"))
    assert len(seen) == 2 and os.listdir(tmp_path) == [os.path.basename(made.path)]
    made.stream.close()
    made.release()
