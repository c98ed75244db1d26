"""Savers build the original's nodes, write its bytes, and raise its errors."""

import logging
import os
import shutil

import numpy as np
import pytest

from ossia_checkpoint import saver, state
from ossia_core.graph.graph import Graph
from ossia_core.session.session import Session
from ossia_core.variables.variable import Variable
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "saver_cases.py")


@pytest.fixture
def one_kept():
    """A session with a variable, and a saver that keeps one checkpoint."""
    with Graph().as_default():
        variable = Variable(np.zeros(3, np.float32), name="a")
        kept = saver.Saver(max_to_keep=1)
        with Session() as session:
            session.run(variable.initializer)
            yield session, kept


def everything(folder):
    return sorted(os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)


def test_checkpoints_of_another_directory_are_not_deleted(tmp_path, one_kept, caplog):
    """The state file that came with a copied directory still lists the checkpoints of the first one."""
    session, kept = one_kept
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    os.mkdir(first)
    kept.save(session, f"{first}/m", 1)
    shutil.copytree(first, second)
    before = everything(first)
    kept.recover_last_checkpoints(state.get_checkpoint_state(second).all_model_checkpoint_paths)
    kept._made.clear()  # as in another process
    with caplog.at_level(logging.WARNING):
        kept.save(session, f"{second}/m", 2)
    assert everything(first) == before and f"{first}/m-1 is one too many, but is not deleted" in caplog.text
    assert state.latest_checkpoint(second) == f"{second}/m-2"


@pytest.mark.parametrize("listed", ["*", "m-[0-9]", "../other/m-1", "?-1", "sub/m-1", "/{}/other/m-1"])
def test_a_list_of_others_is_no_reason_to_delete_them(tmp_path, one_kept, listed):
    session, kept = one_kept
    model = tmp_path / "model"
    for folder in (tmp_path / "other", model / "sub"):
        os.makedirs(folder)
        saver.Saver(max_to_keep=0).save(session, str(folder / "m"), 1)
    saver.Saver(max_to_keep=0).save(session, str(model / "m"), 1, write_state=False)
    before = everything(tmp_path)
    kept.set_last_checkpoints_with_time([(str(model / listed.format(str(tmp_path).strip("/"))), 0.0)])
    kept.save(session, str(model / "m"), 2)
    assert set(before) <= set(everything(tmp_path))


def test_own_checkpoints_are_deleted_wherever_they_are(tmp_path, one_kept, monkeypatch):
    session, kept = one_kept
    os.makedirs(tmp_path / "a")
    os.symlink(tmp_path / "a", tmp_path / "b")
    for step, folder in enumerate(("a", "b", ".", "a")):
        kept.save(session, str(tmp_path / folder / "m"), step)
    assert [os.path.basename(path) for path in everything(tmp_path) if path.endswith(".index")] == ["m-3.index"]
    kept.recover_last_checkpoints([str(tmp_path / "b" / "m-3")])
    kept._made.clear()
    kept.save(session, str(tmp_path / "a" / "m"), 4)
    assert [os.path.basename(path) for path in everything(tmp_path) if path.endswith(".index")] == ["m-4.index"]
