"""Positions of iterators in checkpoints: those that TensorFlow 1.15 wrote, and our own."""
import importlib.util
import json
import pathlib
import zipfile

import pytest

import ossia as tf

GOLDEN = pathlib.Path(__file__).parent / "golden"
_spec = importlib.util.spec_from_file_location("position_cases", GOLDEN / "position_cases.py")
cases = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(cases)
RECORDED = json.loads((GOLDEN / "positions.json").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The checkpoints of TensorFlow 1.15."""
    found = tmp_path_factory.mktemp("positions")
    with zipfile.ZipFile(GOLDEN / "positions.zip") as packed:
        packed.extractall(found)
    return found


def made(name):
    return lambda tf: cases.datasets(tf)[name]()


@pytest.mark.parametrize("case", RECORDED)
def test_what_follows_a_position_of_the_original(case, folder):
    name = case.rpartition("_")[0]
    assert cases.elements(tf, made(name), str(folder / case)) == RECORDED[case]


@pytest.mark.parametrize("case", RECORDED)
def test_positions_are_saved_as_the_original_saves_them(case, folder, tmp_path):
    name, _, taken = case.rpartition("_")
    prefix = str(tmp_path / "position")
    assert cases.elements(tf, made(name), prefix, int(taken)) == RECORDED[case]
    ours, theirs = (_values(path) for path in (prefix, str(folder / case)))
    if name not in ("parallel_map", "prefetch"):  # what is ahead depends on how fast it is made
        assert ours == theirs
    assert cases.elements(tf, made(name), prefix) == RECORDED[case]


def _values(prefix):
    reader = tf.train.load_checkpoint(prefix)
    (name,) = reader.get_variable_to_shape_map()
    proto = reader.get_tensor(name)
    names = proto.metadata.decode().split("@@")[1:]
    return dict(zip(names, [tf.make_ndarray(t).tolist() for t in proto.tensors], strict=True))


def test_datasets_that_do_not_tell_are_passed_over(tmp_path):
    def unique(tf):
        return tf.data.Dataset.from_tensor_slices([1, 1, 2, 3, 2, 4]).apply(tf.data.experimental.unique())

    assert cases.elements(tf, unique, str(tmp_path / "position"), 2) == [3, 4, "the end"]
    assert cases.elements(tf, unique, str(tmp_path / "position")) == [3, 4, "the end"]


def test_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = tf.data.Dataset.range(3).make_initializable_iterator()
        other = tf.data.Dataset.range(3).batch(2).make_initializable_iterator()
        position = tf.raw_ops.SerializeIterator(resource_handle=iterator._iterator_resource)
        restore = tf.raw_ops.DeserializeIterator(resource_handle=other._iterator_resource, serialized=position)
        with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
            session.run(position)
        session.run([iterator.initializer, other.initializer])
        with pytest.raises(tf.errors.NotFoundError, match="another dataset"):
            session.run(restore)
