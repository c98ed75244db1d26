"""The `checkpoint` file: what is written into it and what is found through it."""

import os

import numpy as np
import pytest

from ossia_checkpoint import state
from ossia_checkpoint.bundle import BundleWriter
from ossia_core.names import errors


def checkpoint(prefix):
    with BundleWriter(str(prefix)) as writer:
        writer.add("a", np.zeros(1))
    return str(prefix)


def test_paths_are_relative_where_the_directory_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.makedirs("sub/dir")
    state.update_checkpoint_state("sub/dir", "sub/dir/a", ["sub/dir/b", "sub/dir/a"])
    text = 'model_checkpoint_path: "a"\nall_model_checkpoint_paths: "b"\nall_model_checkpoint_paths: "a"\n'
    assert (tmp_path / "sub/dir/checkpoint").read_text() == text
    found = state.get_checkpoint_state("sub/dir")
    assert found.model_checkpoint_path == "sub/dir/a" and list(found.all_model_checkpoint_paths) == [
        "sub/dir/b",
        "sub/dir/a",
    ]
    state.update_checkpoint_state("sub/dir", "other/a")
    assert state.get_checkpoint_state("sub/dir").model_checkpoint_path == "sub/dir/../../other/a"
    state.update_checkpoint_state("sub/dir", "/abs/a")
    assert state.get_checkpoint_state("sub/dir").model_checkpoint_path == "/abs/a"


def test_absolute_paths_and_relative_ones_on_request(tmp_path):
    path = str(tmp_path / "a")
    state.update_checkpoint_state(str(tmp_path), path)
    assert f'"{path}"' in (tmp_path / "checkpoint").read_text()
    state.write_state(str(tmp_path), path, [path], save_relative_paths=True)
    assert (tmp_path / "checkpoint").read_text() == 'model_checkpoint_path: "a"\nall_model_checkpoint_paths: "a"\n'


def test_the_newest_is_added_and_timestamps_must_match():
    proto = state.generate_checkpoint_state_proto("/d", "/d/b", ["/d/a"], [1.5, 2.5], 0.25)
    assert list(proto.all_model_checkpoint_paths) == ["/d/a", "/d/b"]
    assert list(proto.all_model_checkpoint_timestamps) == [1.5, 2.5] and proto.last_preserved_timestamp == 0.25
    with pytest.raises(ValueError):
        state.generate_checkpoint_state_proto("/d", "/d/b", ["/d/a"], [1.5])


def test_the_file_must_not_be_the_checkpoint(tmp_path):
    with pytest.raises(RuntimeError):
        state.update_checkpoint_state(str(tmp_path), str(tmp_path / "checkpoint"))


def test_latest_checkpoint(tmp_path, golden):
    assert state.latest_checkpoint(str(tmp_path)) is None
    prefix = str(tmp_path / "m")
    state.update_checkpoint_state(str(tmp_path), prefix)
    assert state.latest_checkpoint(str(tmp_path)) is None
    checkpoint(prefix)
    assert state.latest_checkpoint(str(tmp_path)) == prefix
    state.remove_checkpoint(prefix)
    (tmp_path / "m").write_bytes(b"")  # a checkpoint of format V1
    assert state.latest_checkpoint(str(tmp_path)) == prefix
    assert state.latest_checkpoint(str(golden / "train")) == str(golden / "train" / "model.ckpt-3")
    assert state.latest_checkpoint(str(golden / "train"), "plain_state") == str(golden / "train" / "plain")


@pytest.mark.parametrize(
    "content",
    [b"nonsense {", b'model_checkpoint_path: "x" unknown: 3', b'model_checkpoint_path: "\xff"', b"\x00" * 100],
)
def test_unreadable_files_are_ignored(tmp_path, content):
    (tmp_path / "checkpoint").write_bytes(content)
    assert state.get_checkpoint_state(str(tmp_path)) is None
    assert state.latest_checkpoint(str(tmp_path)) is None


def test_files_without_a_newest_checkpoint_and_huge_ones(tmp_path):
    (tmp_path / "checkpoint").write_text('all_model_checkpoint_paths: "x"')
    with pytest.raises(ValueError, match="Invalid checkpoint state"):
        state.get_checkpoint_state(str(tmp_path))
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "' + "x" * (17 << 20) + '"')
    assert state.get_checkpoint_state(str(tmp_path)) is None


def test_writing_where_there_is_no_directory(tmp_path):
    with pytest.raises(errors.NotFoundError):
        state.update_checkpoint_state(str(tmp_path / "none"), str(tmp_path / "none/a"))


def test_removing(tmp_path):
    for name in (
        "q.index",
        "q.data-00000-of-00002",
        "q.data-00001-of-00002",
        "q.meta",
        "q.data",
        "qq.index",
        "v1",
        "v1.meta",
    ):
        (tmp_path / name).write_bytes(b"")
    state.remove_checkpoint(str(tmp_path / "q"))
    state.remove_checkpoint(str(tmp_path / "v1"), checkpoint_format_version=1)
    state.remove_checkpoint(str(tmp_path / "none"))
    assert sorted(os.listdir(tmp_path)) == ["q.data", "qq.index"]


def test_existence_and_times(tmp_path, golden):
    prefix = checkpoint(tmp_path / "m")
    assert state.checkpoint_exists(prefix) and state.checkpoint_exists(str(golden / "v1"))
    assert not state.checkpoint_exists(str(tmp_path / "none"))
    assert state.checkpoint_exists(str(tmp_path / "?"))
    times = state.get_checkpoint_mtimes([prefix, str(tmp_path / "none"), str(golden / "v1")])
    assert len(times) == 2 and times[0] == pytest.approx(os.stat(prefix + ".index").st_mtime)


def test_meta_graph_names():
    assert state.meta_graph_filename("a/m-1") == "a/m-1.meta"
    assert state.meta_graph_filename("a/m-1-?????-of-00008", "x") == "a/m-1.x"


def test_iterating_over_checkpoints(tmp_path):
    checkpoints = state.checkpoints_iterator(str(tmp_path), timeout=0)
    assert list(checkpoints) == []
    seen = []
    for number in range(2):
        state.update_checkpoint_state(str(tmp_path), checkpoint(tmp_path / f"m-{number}"))
        if not number:
            checkpoints = state.checkpoints_iterator(
                str(tmp_path), timeout=0, timeout_fn=lambda: seen.append("timeout") or len(seen) > 1
            )
        assert next(checkpoints) == str(tmp_path / f"m-{number}")
    assert list(checkpoints) == [] and seen == ["timeout"] * 2


def test_a_named_pipe_is_no_state(tmp_path):
    os.mkfifo(tmp_path / "checkpoint")
    assert state.get_checkpoint_state(str(tmp_path)) is None
    assert state.latest_checkpoint(str(tmp_path)) is None


def test_a_name_with_wildcards_removes_itself_alone(tmp_path):
    for name in ("q.index", "q.data-00000-of-00001", "*.index", "*.data-00000-of-00001"):
        (tmp_path / name).write_bytes(b"")
    state.remove_checkpoint(str(tmp_path / "*"))
    assert sorted(os.listdir(tmp_path)) == ["q.data-00000-of-00001", "q.index"]


def test_what_lies_in_a_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.makedirs("model/sub")
    os.symlink("model", "link")
    for path in ("model/m-1", "model/../model/m-1", "link/m-1", str(tmp_path / "model/m-1"), "model/m-?????-of-00002"):
        assert state.lies_in(path, "model"), path
    for path in ("other/m-1", "model/../m-1", "m-1", "/m-1", "model/sub/m-1", "model/*", "model/m-[0-9]", "model/m-?"):
        assert not state.lies_in(path, "model"), path
    assert state.lies_in("m-1", "") and not state.lies_in("model/m-1", "")
