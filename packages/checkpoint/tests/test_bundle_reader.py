"""Readers of a checkpoint that is replaced meanwhile read the old one or the new one, whatever is in their way."""

import os
import shutil
import threading

import numpy as np
import pytest

from ossia_checkpoint import bundle_reader, commit
from ossia_checkpoint.bundle import BundleWriter
from ossia_checkpoint.bundle_merge import merge_bundles
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_core import files
from ossia_core.names import errors


def save(prefix, value, shards=1):
    """Writes a checkpoint whose tensors all hold `value`."""
    if shards == 1:
        with BundleWriter(prefix) as writer:
            for name in ("a0", "a1"):
                writer.add(name, np.full(300, value))
        return
    parts = [f"{prefix}-part-{shard}" for shard in range(shards)]
    for shard, part in enumerate(parts):
        with BundleWriter(part) as writer:
            writer.add(f"a{shard}", np.full(300, value))
    merge_bundles(parts, prefix)


def value_of(reader):
    """The one number in all tensors."""
    found = {int(item) for name in reader.names() for item in reader.read(name)}
    assert len(found) == 1, found
    return found.pop()


def test_a_reader_keeps_the_checkpoint_that_it_opened(tmp_path):
    prefix = str(tmp_path / "m")
    save(prefix, 1, shards=2)
    with BundleReader(prefix) as reader:
        save(prefix, 2, shards=2)
        assert value_of(reader) == 1
        save(prefix, 3)
        for path in tmp_path.iterdir():
            path.unlink()
        assert value_of(reader) == 1


def links(path, name):
    os.link(path, name)


def moves(path, name):
    os.replace(path, name)


@pytest.mark.parametrize("keep", [links, moves])
@pytest.mark.parametrize("shards", [1, 2])
def test_every_moment_of_a_replacement(tmp_path, monkeypatch, keep, shards):
    """The replacement goes on by some steps between any two looks of the reader."""
    prefix = str(tmp_path / "m")
    monkeypatch.setattr(commit, "_link", lambda system, path, name: (step(), keep(path, name)))
    monkeypatch.setattr(commit, "durable", False)
    monkeypatch.setattr(files.LocalFileSystem, "rename", stepping(files.LocalFileSystem.rename))
    monkeypatch.setattr(files.LocalFileSystem, "remove", stepping(files.LocalFileSystem.remove))
    turn.writer = None
    states = 0
    for looks in range(1, 12):
        for steps in (1, 2, 3, 20):
            for path in tmp_path.iterdir():
                path.unlink()
            save(prefix, 1, shards)
            with turn.writing(lambda: save(prefix, 2, shards)):
                with monkeypatch.context() as patch:
                    for name in ("open", "exists"):
                        seen = looking(getattr(files.LocalFileSystem, name), looks, steps)
                        patch.setattr(files.LocalFileSystem, name, seen)
                    with BundleReader(prefix) as reader:
                        assert value_of(reader) in (1, 2)
                        states += 1
            with BundleReader(prefix) as reader:
                assert value_of(reader) == 2
    assert states == 44


class Turn:
    """Lets a writer in another thread go on one step at a time."""

    def __init__(self):
        self.writer = None
        self.go, self.stopped = threading.Semaphore(0), threading.Semaphore(0)
        self.free = False

    def writing(self, save):
        self.go, self.stopped, self.free = threading.Semaphore(0), threading.Semaphore(0), False
        self.writer = threading.Thread(target=self.run, args=(save,))
        self.done = False
        return self

    def run(self, save):
        self.go.acquire()
        save()
        self.done = True
        self.stopped.release()

    def __enter__(self):
        self.writer.start()

    def __exit__(self, *exc_info):
        self.free = True
        self.go.release()
        self.writer.join()
        self.writer = None

    def advance(self):
        if not self.done:
            self.go.release()
            self.stopped.acquire()


turn = Turn()


def step():
    """Where the writer stops until the reader has looked."""
    if threading.current_thread() is turn.writer and not turn.free:
        turn.stopped.release()
        turn.go.acquire()


def stepping(method):
    def stepped(*arguments):
        step()
        return method(*arguments)

    return stepped


def looking(method, looks, steps):
    """A method of the reader that lets the writer go on by `steps` before every so many calls."""
    count = 0

    def looked(*arguments):
        nonlocal count
        if threading.current_thread() is not turn.writer:
            count += 1
            if count % looks == 0:
                for _ in range(steps):
                    turn.advance()
        return method(*arguments)

    return looked


def test_a_checkpoint_that_changes_all_the_time_is_given_up(tmp_path, monkeypatch):
    prefix = str(tmp_path / "m")
    save(prefix, 1)
    numbers = iter(range(10_000))
    monkeypatch.setattr(commit, "version", lambda index: (next(numbers),))
    with pytest.raises(errors.AbortedError, match="faster than"):
        BundleReader(prefix)


def test_files_of_very_many_are_opened_when_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle_reader, "_AT_ONCE", 1)
    prefix = str(tmp_path / "m")
    save(prefix, 1, shards=3)
    with BundleReader(prefix) as reader:
        shutil.copy(f"{prefix}.data-00002-of-00003", tmp_path / "kept")
        os.unlink(f"{prefix}.data-00002-of-00003")
        assert reader.read("a0")[0] == reader.read("a1")[0] == 1
        with pytest.raises(errors.NotFoundError):
            reader.read("a2")
        os.replace(tmp_path / "kept", f"{prefix}.data-00002-of-00003")
        assert reader.read("a2")[0] == 1
