"""Whatever stops a save, what was committed before is still there, and nothing is half there.

The disk is modelled: file contents are lost, or torn, unless the file was synced; renames, links and removals since the
last sync of the directory may be lost from any one on. Every operation of a save is a place to stop, with every such
outcome.
"""

import errno
import io
import itertools
import os

import numpy as np
import pytest

from ossia_checkpoint import commit, state
from ossia_checkpoint.bundle import BundleWriter
from ossia_checkpoint.bundle_merge import merge_bundles
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_core import files
from ossia_core.names import errors


class PowerLoss(BaseException):
    """The machine stops; nothing after it reaches the disk."""


class Inode:
    def __init__(self):
        self.content = b""
        self.synced = b""
        self.ever_synced = False


class Disk(files.FileSystem):
    """Files in memory, under names of one directory level, with what is on the disk and what is only in the cache."""

    def __init__(self):
        self.names = {}  # path -> Inode, as programs see it
        self.durable = {}  # the same, as of the last sync of the directory
        self.journal = []  # changes of names since then
        self.count = 0
        self.fail_at = None
        self.failure = None
        self.dead = False

    def step(self):
        if self.dead:
            raise PowerLoss
        self.count += 1
        if self.count == self.fail_at:
            if isinstance(self.failure, PowerLoss):
                self.dead = True
            raise self.failure

    def change(self, action):
        action(self.names)
        self.journal.append(action)

    def open(self, path, mode):
        if mode == "rb":
            if path not in self.names:
                raise errors.NotFoundError(None, None, f"{path}; No such file or directory")
            return io.BytesIO(self.names[path].content)
        self.step()
        inode = Inode()
        self.change(lambda names: names.__setitem__(path, inode))
        return Writer(self, inode)

    def stat(self, path):
        if path in self.names:
            return files.FileStatistics(len(self.names[path].content), 0, False)
        if self.is_directory(path):
            return files.FileStatistics(0, 0, True)
        raise errors.NotFoundError(None, None, f"{path}; No such file or directory")

    def is_directory(self, path):
        return path.rstrip("/") == "disk://d"

    def list_directory(self, path):
        return [os.path.basename(name) for name in self.names]

    def make_directory(self, path):
        raise errors.AlreadyExistsError(None, None, path)

    def remove(self, path):
        if path not in self.names:
            raise errors.NotFoundError(None, None, f"{path}; No such file or directory")
        self.step()
        self.change(lambda names: names.pop(path, None))

    def remove_directory(self, path):
        pass

    def rename(self, source, target):
        self.step()
        if source not in self.names:
            raise errors.NotFoundError(None, None, f"{source}; No such file or directory")

        def action(names):
            if source in names:
                names[target] = names.pop(source)

        self.change(action)

    def sync(self, path):
        self.step()
        if self.is_directory(path):
            self.durable = dict(self.names)
            self.journal.clear()
        else:
            inode = self.names[path]
            inode.synced, inode.ever_synced = inode.content, True

    def outcomes(self):
        """Each disk that may be found after a power loss."""
        for kept, contents in itertools.product(range(len(self.journal) + 1), ("all", "torn", "none")):
            names = dict(self.durable)
            for action in self.journal[:kept]:
                action(names)
            found = Disk()
            copies = {}
            for path, inode in names.items():
                if id(inode) not in copies:
                    copy = copies[id(inode)] = Inode()
                    extra = inode.content[len(inode.synced) :] if inode.content.startswith(inode.synced) else b""
                    kept_extra = {"all": extra, "torn": extra[: len(extra) // 2], "none": b""}[contents]
                    copy.content = copy.synced = inode.synced + kept_extra
                found.names[path] = copies[id(inode)]
            found.durable = dict(found.names)
            yield found


class Writer(io.RawIOBase):
    def __init__(self, disk, inode):
        self.disk, self.inode = disk, inode

    def writable(self):
        return True

    def write(self, data):
        self.disk.step()
        self.inode.content += bytes(data)
        return len(bytes(data))

    def close(self):
        if not self.closed and not self.disk.dead:
            self.disk.step()
        super().close()


def link(disk, path, name):
    disk.step()
    inode = disk.names[path]
    disk.change(lambda names: names.__setitem__(name, inode))


@pytest.fixture(params=["links", "moves"])
def use(request, monkeypatch):
    """A function that makes a disk the file system, with hard links or without."""

    def install(disk):
        monkeypatch.setattr(files, "file_system", lambda path: disk)
        return disk

    if request.param == "links":
        monkeypatch.setattr(commit, "_link", link)
    return install


DIRECTORY = "disk://d"


def save(prefix, value):
    with BundleWriter(f"{DIRECTORY}/{prefix}") as writer:
        writer.add("a", np.full(5, value, np.int32))
        writer.add("text", np.array([b"%d" % value] * 3, object))


def save_new(value):
    save(f"m-{value}", value)
    finish(f"m-{value}")


def save_same(value):
    save("m", value)
    finish("m")


def save_sharded(value):
    for shard in range(3):
        with BundleWriter(f"{DIRECTORY}/part-{shard}") as writer:
            writer.add(f"a{shard}" if shard else "a", np.full(5, value, np.int32))
    merge_bundles([f"{DIRECTORY}/part-{shard}" for shard in range(3)], f"{DIRECTORY}/m")
    finish("m")


def save_rotating(value):
    save(f"m-{value}", value)
    finish(f"m-{value}")
    if value > 1:
        state.remove_checkpoint(f"{DIRECTORY}/m-{value - 1}")


def finish(prefix):
    state.update_checkpoint_state(DIRECTORY, f"{DIRECTORY}/{prefix}")


def restored():
    """The value in the newest checkpoint."""
    prefix = state.latest_checkpoint(DIRECTORY)
    assert prefix is not None
    with BundleReader(prefix) as reader:
        values = {name: reader.read(name) for name in reader.names()}
    found = {int(item) for array in values.values() for item in array.reshape(-1)}
    assert len(found) == 1, found
    return found.pop()


SAVES = [save_new, save_same, save_sharded, save_rotating]


def steps_of(save, use):
    disk = use(Disk())
    save(1)
    before = disk.count
    save(2)
    return disk.count - before


@pytest.mark.parametrize("save", SAVES)
def test_power_loss_at_every_step(save, use):
    total = steps_of(save, use)
    states = 0
    for step in range(1, total + 1):
        disk = use(Disk())
        save(1)
        disk.fail_at, disk.failure = disk.count + step, PowerLoss()
        with pytest.raises(PowerLoss):
            save(2)
        for found in disk.outcomes():
            use(found)
            assert restored() in (1, 2)
            save(3)  # what was left behind is no hindrance
            assert restored() == 3
            states += 1
    assert states > 3 * total


@pytest.mark.parametrize("save", SAVES)
def test_once_committed_it_stays(save, use):
    disk = use(Disk())
    save(1)
    save(2)
    for found in disk.outcomes():
        use(found)
        assert restored() == 2


@pytest.mark.parametrize("save", SAVES)
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EACCES], ids=errno.errorcode.get)
def test_a_failing_operation(save, code, use):
    for step in range(1, steps_of(save, use) + 1):
        disk = use(Disk())
        save(1)
        disk.fail_at, disk.failure = disk.count + step, OSError(code, os.strerror(code))
        try:
            save(2)
        except (errors.OpError, OSError):
            assert restored() in (1, 2)
        else:
            assert restored() == 2  # only a removal failed
        assert not [name for name in disk.names if ".tmp-ossia-" in name]
        save(3)
        assert restored() == 3


def test_a_replacement_that_was_cut_off_reads_as_before(tmp_path):
    prefix = str(tmp_path / "m")
    with BundleWriter(prefix) as writer:
        writer.add("a", np.int32([1]))
    old = tmp_path / "m.index", tmp_path / "m.data-00000-of-00001"
    for path in old:
        os.link(path, str(path) + commit.BACKUP)
    old[1].unlink()
    old[1].write_bytes(b"\2\0\0\0")  # the new data are in place, the new index is not
    with BundleReader(prefix) as reader:
        assert reader.read("a").tolist() == [1]
    assert state.checkpoint_exists(prefix)
    with BundleWriter(prefix) as writer:
        writer.add("a", np.int32([3]))
    with BundleReader(prefix) as reader:
        assert reader.read("a").tolist() == [3]
    assert sorted(tmp_path.iterdir()) == sorted(old)
    state.remove_checkpoint(prefix)
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_in_one_step(tmp_path):
    path = str(tmp_path / "f")
    commit.write(path, b"one")
    commit.write(path, b"two")
    assert (tmp_path / "f").read_bytes() == b"two" and os.listdir(tmp_path) == ["f"]


def test_without_syncing(tmp_path, monkeypatch):
    monkeypatch.setattr(commit, "durable", False)
    synced = []
    monkeypatch.setattr(files.LocalFileSystem, "sync", lambda self, path: synced.append(path))
    commit.write(str(tmp_path / "f"), b"one")
    assert not synced and (tmp_path / "f").read_bytes() == b"one"


@pytest.mark.skipif(not hasattr(__import__("signal"), "SIGXFSZ"), reason="file size limits are a matter of POSIX")
def test_a_full_disk(tmp_path):
    import subprocess
    import sys

    program = f"""
import resource, signal
import numpy as np
from ossia_checkpoint.bundle import BundleWriter
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_core.names import errors
prefix = {str(tmp_path / "m")!r}
def save(value, size):
    with BundleWriter(prefix) as writer:
        writer.add("a", np.full(size, value))
save(1, 10)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100000, resource.RLIM_INFINITY))
try:
    save(2, 100000)
except errors.ResourceExhaustedError as error:
    print(error.message)
with BundleReader(prefix) as reader:
    assert reader.read("a").tolist() == [1] * 10
"""
    out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert out.startswith(str(tmp_path / "m.data-00000-of-00001")) and "File too large" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.data-00000-of-00001", "m.index"]


KILLED_PROGRAM = """
import sys
import numpy as np
from ossia_checkpoint import state
from ossia_checkpoint.bundle import BundleWriter
folder, value = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
while True:
    value += 1
    prefix = f"{folder}/m-{value % 3}"
    with BundleWriter(prefix) as writer:
        for i in range(4):
            writer.add(f"a{i}", np.full(20000, value))
    state.update_checkpoint_state(folder, prefix)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_killed_process(tmp_path):
    import random
    import subprocess
    import sys
    import time

    seed = random.randrange(1 << 30)
    rng = random.Random(seed)
    value = 0
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED_PROGRAM, str(tmp_path), str(value)], stdout=subprocess.PIPE
        )
        assert process.stdout.readline()
        time.sleep(rng.uniform(0.002, 0.15))
        process.kill()
        process.communicate()
        prefix = state.latest_checkpoint(str(tmp_path))
        if prefix is None:
            assert value == 0, f"seed {seed}"
            continue
        with BundleReader(prefix) as reader:
            found = {int(item) for i in range(4) for item in np.unique(reader.read(f"a{i}"))}
        assert len(found) == 1 and min(found) >= value, f"seed {seed}"
        value = found.pop()
