"""The format, as users reach it, and its files, as they may be."""

import json
import struct

import numpy as np
import pytest

import ossia as tf
from ossia_checkpoint import formats


def saver_of(values, **options):
    variables = [tf.Variable(value, name=name) for name, value in values.items()]
    return variables, tf.train.Saver(write_version="safetensors", **options)


VALUES = {
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3), "step": np.int64(7), "flags": np.array([True, False]),
    "empty": np.zeros((0, 4), np.float64), "small": np.array([-1, 2], np.int8), "half": np.float16([1.5]),
}


def test_saves_finds_restores_and_removes(tmp_path):
    with tf.Graph().as_default():
        variables, saver = saver_of(VALUES, max_to_keep=2)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for step in (1, 2, 3):
                saver.save(session, str(tmp_path / "model"), global_step=step)
            expected = session.run(variables)
        found = sorted(path.name for path in tmp_path.glob("*.safetensors"))
        assert found == ["model-2.safetensors", "model-3.safetensors"]
        assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model-3")
        assert tf.train.checkpoint_exists(str(tmp_path / "model-2"))
        assert len(tf.train.get_checkpoint_mtimes([str(tmp_path / "model-1"), str(tmp_path / "model-2")])) == 1
        with tf.Session() as session:
            saver.restore(session, str(tmp_path / "model-3"))
            for value, wanted in zip(session.run(variables), expected):
                np.testing.assert_array_equal(value, wanted)
        tf.train.remove_checkpoint(str(tmp_path / "model-3"))
        assert tf.train.latest_checkpoint(str(tmp_path)) is None


def test_readers_recognise_a_file(tmp_path):
    with formats.named("safetensors").writer(str(tmp_path / "model")) as writer:
        writer.add("b", np.float32([[1, 2]]))
        writer.add("a", np.int32(3))
    for path in ("model", "model.safetensors"):
        reader = tf.train.load_checkpoint(str(tmp_path / path))
        assert reader.get_variable_to_shape_map() == {"a": [], "b": [1, 2]}
        assert reader.get_variable_to_dtype_map()["b"] is tf.float32 and reader.get_tensor("a") == 3
        assert reader.debug_string() == b"a (DT_INT32) []\nb (DT_FLOAT) [1,2]\n"
        with pytest.raises(tf.errors.NotFoundError):
            reader.get_tensor("c")
    content = (tmp_path / "model.safetensors").read_bytes()
    size = int.from_bytes(content[:8], "little")
    assert json.loads(content[8 : 8 + size])["b"] == {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}
    assert content[8 + size :] == struct.pack("<ffi", 1, 2, 3)


def test_partitioned_and_sharded_variables(tmp_path):
    with tf.Graph().as_default():
        whole = tf.get_variable(
            "whole", [10], initializer=tf.initializers.ones(), partitioner=tf.fixed_size_partitioner(3)
        )
        with tf.device("/device:CPU:1"):
            tf.Variable(1.0, name="far")
        saver = tf.train.Saver(write_version="safetensors", sharded=True)
        with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
            session.run(tf.global_variables_initializer())
            saver.save(session, str(tmp_path / "model"), write_meta_graph=False)
            session.run([part.assign(part * 0) for part in whole])
            saver.restore(session, str(tmp_path / "model"))
            assert session.run(tf.convert_to_tensor(whole)).tolist() == [1] * 10
    assert tf.train.list_variables(str(tmp_path)) == [("far", []), ("whole", [10])]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint", "model.safetensors"]


def test_what_the_format_lacks(tmp_path):
    with pytest.raises(tf.errors.UnimplementedError, match="no string"):
        with formats.named("safetensors").writer(str(tmp_path / "x")) as writer:
            writer.add("text", np.array([b"a"], object), tf.string)
    assert not list(tmp_path.iterdir())
    with tf.Graph().as_default(), pytest.raises(ValueError, match="no checkpoint format 'safetensor'.*safetensors"):
        tf.Variable(1.0)
        tf.train.Saver(write_version="safetensor")


@pytest.mark.parametrize(
    "header",
    [
        "", "[]", "{", '{"a": 3}', '{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}',
        '{"a": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}',
        '{"a": {"dtype": "F32", "shape": [-1, -2], "data_offsets": [0, 8]}}',
        '{"a": {"dtype": "F32", "shape": [2.0], "data_offsets": [0, 8]}}',
        '{"a": {"dtype": "F99", "shape": [2], "data_offsets": [0, 8]}}',
        '{"a": {"dtype": ["F32"], "shape": [2], "data_offsets": [0, 8]}}',
        '{"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 8]}}',
        '{"a": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}, "a": {}}',
        "[" * 100_000,
    ],
    ids=range(13),
)
def test_files_that_lie(tmp_path, header):
    text = header.encode()
    (tmp_path / "x.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(8))
    with pytest.raises((tf.errors.DataLossError, tf.errors.UnimplementedError)):
        tf.train.load_variable(str(tmp_path / "x"), "a")


def test_every_truncation_is_seen(tmp_path):
    with formats.named("safetensors").writer(str(tmp_path / "good")) as writer:
        writer.add("a", np.float32([1, 2]))
    good = (tmp_path / "good.safetensors").read_bytes()
    for size in range(len(good)):
        (tmp_path / "x.safetensors").write_bytes(good[:size])
        with pytest.raises(tf.errors.DataLossError):
            tf.train.load_variable(str(tmp_path / "x"), "a")
