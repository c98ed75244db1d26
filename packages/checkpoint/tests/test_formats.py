"""Checkpoint formats that a plugin brings, with what the base classes do for them."""

import io

import numpy as np
import pytest

import ossia as tf
from ossia_checkpoint import commit, formats
from ossia_checkpoint.formats import CheckpointFormat, Entry, TensorReader, TensorWriter, absent_tensor
from ossia_checkpoint.patterns import matching
from ossia_checkpoint.slices import parse_slice
from ossia_core.hookspecs import hookimpl
from ossia_core.names import dtypes, errors
from ossia_core.plugins import PluginWarning
from ossia_core.plugins import manager as plugins


class ArchiveFormat(CheckpointFormat):
    """A file of NumPy's beside the prefix: no more than what a format has to have."""

    def files(self, prefix):
        return matching(prefix + ".npz")

    def reader(self, prefix):
        return ArchiveReader(prefix + ".npz")

    def writer(self, prefix):
        return ArchiveWriter(prefix + ".npz")


class ArchiveReader(TensorReader):
    def __init__(self, path):
        self.values = dict(np.load(path))

    def names(self):
        return sorted(self.values)

    def entry(self, name):
        if name not in self.values:
            raise absent_tensor(name)
        return Entry(dtypes.as_dtype(self.values[name].dtype), self.values[name].shape)

    def read(self, name):
        return self.values[name].copy() if name in self.values else self.entry(name)

    def close(self):
        pass


class ArchiveWriter(TensorWriter):
    def __init__(self, path):
        super().__init__()
        self.path, self.values = path, {}

    def add(self, name, array, dtype=None):
        if name in self.values:
            raise errors.InvalidArgumentError(None, None, f"twice: {name}")
        self.values[name] = np.asarray(array)

    def finish(self):
        content = io.BytesIO()
        np.savez(content, **self.values)
        commit.write(self.path, content.getvalue())

    def abort(self):
        pass


class Plugin:
    """Registers the format, or a class that is not there."""

    def __init__(self, target):
        self.target = target

    @hookimpl
    def ossia_checkpoint_formats(self):
        return {"archive": self.target}


@pytest.fixture
def archive(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "archive_format", __import__("sys").modules[__name__])
    plugins.register(Plugin("archive_format:ArchiveFormat"), "archive")
    yield
    plugins.unregister("archive")


def test_the_formats_of_the_original_are_registered():
    table = plugins.table("ossia_checkpoint_formats")
    assert list(table)[0] == "V2" and list(table)[-1] == "V1"
    assert formats.named("V1") is formats.named("V1")
    with pytest.raises(ValueError, match="no checkpoint format 'V3'; the installed ones are .*V1"):
        formats.named("V3")


def test_each_checkpoint_is_of_its_format(golden, archive, tmp_path):
    with formats.named("archive").writer(str(tmp_path / "x")) as writer:
        writer.add("a", np.float32([1]))
    prefixes = golden / "v2", golden / "v1", golden / "v1*", tmp_path / "x"
    found = [formats.format_of(str(prefix)) for prefix in prefixes]
    assert found == [formats.named(name) for name in ("V2", "V1", "V1", "archive")]
    assert formats.format_of(str(tmp_path / "none")) is None
    assert list(found[0].files(str(golden / "v2")))[0] == str(golden / "v2.index")


def test_a_saver_names_one(archive, tmp_path):
    prefix = str(tmp_path / "model")
    with tf.Graph().as_default():
        a, b = tf.Variable([1.0, 2.0], name="a"), tf.Variable(3, name="b")
        saver = tf.train.Saver(write_version="archive", max_to_keep=1)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for step in (1, 2):
                saver.save(session, prefix, step)
            session.run(a.assign([0, 0]))
            saver.restore(session, tf.train.latest_checkpoint(str(tmp_path)))
            assert session.run([a, b])[0].tolist() == [1, 2]
        names = {path.name for path in tmp_path.iterdir()}
        assert names == {"checkpoint", "model-2.npz", "model-2.meta"}
        assert saver.as_saver_def().version == 2
        assert [op.type for op in tf.get_default_graph().get_operations() if "Save" in op.type] == ["SaveInFormat"]
    with tf.Graph().as_default(), tf.Session() as session:  # the graph says which format it writes
        saver = tf.train.import_meta_graph(f"{prefix}-2.meta")
        saver.restore(session, f"{prefix}-2")
        saver.save(session, prefix, 3, write_meta_graph=False)
        assert (tmp_path / "model-3.npz").exists() and not (tmp_path / "model-3.index").exists()
    tf.train.remove_checkpoint(f"{prefix}-3")
    assert tf.train.get_checkpoint_mtimes([f"{prefix}-2", f"{prefix}-3"]) == [
        pytest.approx((tmp_path / "model-2.npz").stat().st_mtime)
    ]


@pytest.mark.parametrize("version", ["V1", "V2"])
def test_a_saver_names_those_of_the_original(version, tmp_path):
    graphs = []
    for each in (version, {"V1": tf.train.SaverDef.V1, "V2": tf.train.SaverDef.V2}[version]):
        with tf.Graph().as_default() as graph:
            tf.Variable(1.0, name="a")
            saved = tf.train.Saver(write_version=each).as_saver_def()
            graphs.append((graph.as_graph_def(), saved))
    assert graphs[0] == graphs[1]


def test_a_format_that_is_not_installed_is_named(archive):
    with tf.Graph().as_default():
        tf.Variable(1.0)
        with pytest.raises(ValueError, match="no checkpoint format 'archives'.*archive"):
            tf.train.Saver(write_version="archives")


def test_a_format_that_cannot_be_loaded_is_left_out(tmp_path):
    plugins.register(Plugin("no_such_module:Format"), "archive")
    try:
        with pytest.warns(PluginWarning, match="'archive' .no_such_module:Format. cannot be loaded and is left out"):
            assert not tf.train.checkpoint_exists(str(tmp_path / "x"))
        with pytest.raises(ModuleNotFoundError):
            formats.named("archive")
    finally:
        plugins.unregister("archive")


def test_parts_are_put_together(archive, tmp_path):
    whole = np.arange(12, dtype=np.float32).reshape(4, 3)
    with formats.named("archive").writer(str(tmp_path / "x")) as writer:
        writer.add_slice("a", (4, 3), parse_slice("2,2:-"), whole[2:])
        writer.add_slice("a", (4, 3), parse_slice("0,2:-"), whole[:2])
        writer.add_slice("none", (0, 3), parse_slice("-:-"), whole[:0])
    with formats.named("archive").reader(str(tmp_path / "x")) as reader:
        assert (reader.read("a") == whole).all() and reader.entry("none").shape == (0, 3)
        assert reader.read_slice("a", parse_slice("1,2:0,2")).tolist() == whole[1:3, :2].tolist()
        with pytest.raises(errors.InvalidArgumentError):
            reader.read_slice("a", parse_slice("3,2:-"))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([((4,), "0,2", np.zeros(2))], "Parts of tensors are missing.*: a"),
        ([((4,), "0,2", np.zeros(3))], "does not have the shape"),
        ([((4,), "0,2", np.zeros(2)), ((5,), "2,2", np.zeros(2))], "differ in dtype or full shape"),
        ([((4,), "0,2", np.zeros(2)), ((4,), "2,2", np.zeros(2, np.float32))], "differ in dtype or full shape"),
        ([((4,), "3,2", np.zeros(2))], "out of bounds"),
        ([((4,), "0,3", np.zeros(3)), ((4,), "2,2", np.zeros(2))], "Overlapping"),
    ],
    ids=["missing", "shape", "whole", "dtype", "outside", "overlap"],
)
def test_parts_that_do_not_fit(archive, tmp_path, parts, message):
    with pytest.raises((errors.InvalidArgumentError, errors.DataLossError), match=message):
        with formats.named("archive").writer(str(tmp_path / "x")) as writer:
            for shape, box, value in parts:
                writer.add_slice("a", shape, parse_slice(box), value)
    assert not list(tmp_path.iterdir())


def test_shards_are_joined(archive, tmp_path):
    archive_format = formats.named("archive")
    prefixes = [str(tmp_path / f"part{i}") for i in range(2)]
    for i, prefix in enumerate(prefixes):
        with archive_format.writer(prefix) as writer:
            writer.add(f"a{i}", np.float32([i]))
    archive_format.merge(prefixes, str(tmp_path / "whole"))
    assert [path.name for path in tmp_path.iterdir()] == ["whole.npz"]
    assert tf.train.list_variables(str(tmp_path / "whole")) == [("a0", [1]), ("a1", [1])]
    with archive_format.writer(prefixes[0]) as writer:
        writer.add("a0", np.float32([5]))
    with pytest.raises(errors.InvalidArgumentError, match="twice"):
        archive_format.merge([str(tmp_path / "whole"), prefixes[0]], str(tmp_path / "other"))
    assert {path.name for path in tmp_path.iterdir()} == {"whole.npz", "part0.npz"}


def test_wildcards_remove_nothing(archive, tmp_path):
    for name in ("m-1", "m-2", "m-?"):
        with formats.named("archive").writer(str(tmp_path / name)) as writer:
            writer.add("a", np.float32([1]))
    tf.train.remove_checkpoint(str(tmp_path / "m-*"))
    assert len(list(tmp_path.iterdir())) == 3
    tf.train.remove_checkpoint(str(tmp_path / "m-?"))
    assert {path.name for path in tmp_path.iterdir()} == {"m-1.npz", "m-2.npz"}


def test_a_sharded_save_that_fails_leaves_nothing(archive, tmp_path, monkeypatch):
    def fail(self, prefixes, destination):
        raise errors.ResourceExhaustedError(None, None, "disk full")

    monkeypatch.setattr(ArchiveFormat, "merge", fail, raising=False)
    with tf.Graph().as_default():
        tf.Variable([1.0], name="a")
        saver = tf.train.Saver(write_version="archive", sharded=True)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            with pytest.raises(errors.ResourceExhaustedError):
                saver.save(session, str(tmp_path / "model"))
    assert not list(tmp_path.iterdir())
