"""`tf.train.CheckpointManager`: numbers, what is kept, what it finds in a directory."""

from __future__ import annotations

import pytest

import ossia as tf


@pytest.fixture
def checkpoint():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        yield tf.train.Checkpoint(v=v)


def _names(paths):
    return [path.rsplit("/", 1)[-1] for path in paths]


def test_keeps_the_newest(checkpoint, tmp_path):
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.checkpoints == []
    paths = [manager.save() for _ in range(4)]
    assert _names(paths) == ["ckpt-1", "ckpt-2", "ckpt-3", "ckpt-4"]
    assert manager.checkpoints == paths[2:] and manager.latest_checkpoint == paths[3]
    assert sorted(file.name for file in tmp_path.glob("*.index")) == ["ckpt-3.index", "ckpt-4.index"]
    state = (tmp_path / "checkpoint").read_text().splitlines()
    assert state[:3] == [
        'model_checkpoint_path: "ckpt-4"',
        'all_model_checkpoint_paths: "ckpt-3"',
        'all_model_checkpoint_paths: "ckpt-4"',
    ]
    assert [line.split(":")[0] for line in state[3:]] == [*["all_model_checkpoint_timestamps"] * 2,
                                                          "last_preserved_timestamp"]
    checkpoint.restore(manager.latest_checkpoint).assert_consumed()


def test_numbers_given(checkpoint, tmp_path):
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), 2, checkpoint_name="model")
    number = tf.constant(5, tf.int64)
    assert _names([manager.save(77), manager.save(number), manager.save()]) == ["model-77", "model-5", "model-1"]
    manager.save(5)
    assert _names(manager.checkpoints) == ["model-1", "model-5"]


def test_goes_on_with_a_directory(checkpoint, tmp_path):
    first = tf.train.CheckpointManager(checkpoint, str(tmp_path), 3)
    paths = [first.save() for _ in range(3)]
    second = tf.train.CheckpointManager(checkpoint, str(tmp_path), 2)
    assert second.checkpoints == paths and second.latest_checkpoint == paths[-1]
    second.save()
    assert _names(second.checkpoints) == ["ckpt-3", "ckpt-4"]


def test_keeps_some_for_good(checkpoint, tmp_path):
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), 1, keep_checkpoint_every_n_hours=1e-9)
    for _ in range(3):
        manager.save()
    assert len(list(tmp_path.glob("*.index"))) == 3 and len(manager.checkpoints) == 1


def test_keeps_all(checkpoint, tmp_path):
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), None)
    assert [manager.save() for _ in range(6)] == manager.checkpoints


def test_refuses_to_keep_none(checkpoint, tmp_path):
    with pytest.raises(ValueError, match="positive integer or `None`"):
        tf.train.CheckpointManager(checkpoint, str(tmp_path), 0)
