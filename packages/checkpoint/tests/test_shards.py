"""Folders of shards: a dead process's are swept, those of others and of the living never, a failed save leaves none."""

import os
import subprocess
import sys

import numpy as np
import pytest

import ossia_core.graph.graph as graphs
from ossia_checkpoint import bundle, saver, shards, state
from ossia_core import files, temporaries
from ossia_core.graph.scopes import device
from ossia_core.names import errors
from ossia_core.proto import ConfigProto
from ossia_core.session.session import Session
from ossia_core.variables.variable import Variable

DIGITS = "0123456789abcdef" * 2


@pytest.fixture
def sharded():
    """A session with variables on two devices, and a saver of shards."""
    graph = graphs.Graph()
    with graph.as_default():
        with device("/cpu:0"):
            a = Variable(np.zeros(10, np.float32), name="a")
        with device("/cpu:1"):
            b = Variable(np.zeros(10, np.float32), name="b")
        sharded_saver = saver.Saver(sharded=True)
        with Session(config=ConfigProto(device_count={"CPU": 2})) as session:
            session.run([a.initializer, b.initializer])
            yield session, sharded_saver


def left_behind(folder):
    """Shards of a process that is dead."""
    program = "import os, sys; from ossia_checkpoint import shards; shards.claim(sys.argv[1]); os._exit(1)"
    subprocess.run([sys.executable, "-c", program, folder])
    assert os.listdir(folder) == [shards.MARK]
    for name in ("part-00000-of-00002.data-00000-of-00001", "part-00000-of-00002.index"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"x" * 1000)


def test_what_a_dead_process_left_goes_at_the_next_save(tmp_path, sharded):
    session, sharded_saver = sharded
    dead, others = str(tmp_path / f"m_temp_{DIGITS}"), str(tmp_path / f"n_temp_{DIGITS}")
    left_behind(dead)
    left_behind(others)
    sharded_saver.save(session, str(tmp_path / "m"), 7)
    assert not os.path.exists(dead) and len(os.listdir(others)) == 3
    assert sorted(name for name in os.listdir(tmp_path) if "temp" in name) == [f"n_temp_{DIGITS}"]
    assert state.latest_checkpoint(str(tmp_path)) == str(tmp_path / "m-7")


def test_what_a_living_process_writes_stays(tmp_path, sharded):
    session, sharded_saver = sharded
    folder = str(tmp_path / f"m_temp_{DIGITS}")
    program = "import sys; from ossia_checkpoint import shards; shards.claim(sys.argv[1]); print(); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-uc", program, folder], stdin=-1, stdout=-1) as process:
        process.stdout.readline()
        sharded_saver.save(session, str(tmp_path / "m"), 7)
        assert os.listdir(folder) == [shards.MARK]
        process.kill()


def test_links_are_not_followed_and_folders_of_others_are_not_emptied(tmp_path, sharded):
    session, sharded_saver = sharded
    model, data = tmp_path / "model", tmp_path / "data"
    own = model / f"m_temp_{'f' * 32}"
    for folder in (model, data, own):
        folder.mkdir()
    for folder in (data, own):
        (folder / "part-00000-of-00002.index").write_bytes(b"precious")
        os.utime(folder / "part-00000-of-00002.index", (1, 1))
    left_behind(str(model / f"m_temp_{DIGITS}"))
    os.rename(model / f"m_temp_{DIGITS}", tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", model / f"m_temp_{DIGITS}")
    os.symlink(data, model / f"m_temp_{'e' * 32}")
    sharded_saver.save(session, str(model / "m"))
    assert os.listdir(data) == os.listdir(own) == ["part-00000-of-00002.index"]
    assert len(os.listdir(tmp_path / "elsewhere")) == 3
    assert (model / f"m_temp_{'e' * 32}").is_symlink()


def test_of_a_folder_with_more_in_it_only_the_shards_go(tmp_path, sharded):
    session, sharded_saver = sharded
    folder = tmp_path / f"m_temp_{DIGITS}"
    left_behind(str(folder))
    (folder / "notes").write_bytes(b"precious")
    os.symlink(folder / "notes", folder / "part-00001-of-00002.index")
    sharded_saver.save(session, str(tmp_path / "m"))
    assert sorted(os.listdir(folder)) == ["notes", "part-00001-of-00002.index"]
    assert (folder / "notes").read_bytes() == b"precious"


@pytest.mark.parametrize("fails", ["data-00000", "index", "part-00001-of-00002.data", "m.index", shards.MARK])
def test_a_failed_save_leaves_nothing(tmp_path, sharded, monkeypatch, fails):
    session, sharded_saver = sharded
    opened = files.LocalFileSystem.open

    def refusing(self, path, mode):
        if mode == "wb" and fails in path:
            raise errors.ResourceExhaustedError(None, None, f"{path}; No space left on device")
        return opened(self, path, mode)

    with monkeypatch.context() as patch:
        patch.setattr(files.LocalFileSystem, "open", refusing)
        with pytest.raises(errors.ResourceExhaustedError, match=str(tmp_path)):
            sharded_saver.save(session, str(tmp_path / "m"))
    assert os.listdir(tmp_path) == []
    sharded_saver.save(session, str(tmp_path / "m"))
    assert sorted(os.listdir(tmp_path)) == [
        "checkpoint", "m.data-00000-of-00002", "m.data-00001-of-00002", "m.index", "m.meta",
    ]


def test_claims():
    assert shards.checkpoint_of(f"a/m-1_temp_{DIGITS}") == "a/m-1"
    assert shards.checkpoint_of("a/m-1") is None and shards.checkpoint_of(f"a/m_temp_{DIGITS}0") is None
    with pytest.raises(errors.NotFoundError):
        shards.claim(f"none/m_temp_{DIGITS}")


def test_a_folder_that_somebody_else_made_is_not_claimed(tmp_path):
    folder = tmp_path / f"m_temp_{DIGITS}"
    folder.mkdir()
    (folder / "notes").write_bytes(b"precious")
    shards.claim(str(folder))
    with bundle.BundleWriter(str(folder / "part-00000-of-00001")) as writer:
        writer.add("a", np.zeros(3))
    shards.abandon(str(tmp_path / "m"))
    assert len(os.listdir(folder)) == 3


FORKING = """
import os, sys
from ossia_checkpoint import shards
shards.claim(sys.argv[1])
child = os.fork()
if child == 0:
    shards.abandon(shards.checkpoint_of(sys.argv[1]))
    os._exit(len(shards._claims))
assert os.waitpid(child, 0)[1] == 0
print("forked", flush=True)
sys.stdin.readline()
"""


def test_a_forked_child_keeps_no_claim_of_its_parent(tmp_path):
    folder = str(tmp_path / f"m_temp_{DIGITS}")
    with subprocess.Popen([sys.executable, "-c", FORKING, folder], stdin=-1, stdout=-1) as process:
        assert process.stdout.readline() == b"forked\n"
        with temporaries.abandoned(os.path.join(folder, shards.MARK)) as free:
            assert not free and os.listdir(folder) == [shards.MARK]
        process.communicate()
    with temporaries.abandoned(os.path.join(folder, shards.MARK)) as free:
        assert free
