"""Object-based checkpoints: TensorFlow's files and nodes, statuses, deferred restoration, names against objects."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import ossia as tf
from ossia_core.proto import TrackableObjectGraph

GOLDEN = Path(__file__).parent / "golden"
OBJECTS = GOLDEN / "objects"
KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def _programs():
    spec = importlib.util.spec_from_file_location("object_programs", GOLDEN / "object_programs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {**module.PROGRAMS, **module.ONLY_115}


PROGRAMS = _programs()
RECORDED = {writer: json.loads((OBJECTS / f"{writer}.json").read_text()) for writer in ("tf115", "tf221")}


def _fill(session):
    for index, variable in enumerate(sorted(tf.global_variables(), key=lambda v: v.name)):
        value = np.arange(int(np.prod(variable.shape.as_list()))).reshape(variable.shape.as_list()) + 10 * index
        variable.load(value.astype(variable.dtype.base_dtype.as_numpy_dtype), session)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


@pytest.fixture
def session(graph):
    with tf.Session() as made:
        yield made


def _contents(prefix):
    reader = tf.train.load_checkpoint(str(prefix))
    return {name: np.asarray(reader.get_tensor(name)).tolist() for name in reader.get_variable_to_shape_map()}


def _graph(prefix):
    return TrackableObjectGraph.FromString(tf.train.load_checkpoint(str(prefix)).get_tensor(KEY))


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_files_and_nodes_are_those_of_tensorflow(name, graph, session, tmp_path):
    checkpoint = tf.train.Checkpoint(**PROGRAMS[name](tf))
    session.run(tf.global_variables_initializer())
    _fill(session)
    start = len(graph.get_operations())
    path = checkpoint.save(str(tmp_path / name), session=session)
    checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    nodes = [
        [op.name, op.type, op.device, [i.name for i in op.inputs], sorted(c.name for c in op.control_inputs)]
        for op in graph.get_operations()[start:]
    ]
    assert nodes == RECORDED["tf115"][name]["nodes"]
    assert _contents(path) == _contents(OBJECTS / "tf115" / f"{name}-1")
    for file in (OBJECTS / "tf115").glob(f"{name}-1.*"):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.parametrize("writer,name", [(writer, name) for writer in RECORDED for name in sorted(RECORDED[writer])])
def test_restores_what_tensorflow_wrote(writer, name, session):
    checkpoint = tf.train.Checkpoint(**PROGRAMS[name](tf))
    status = checkpoint.restore(str(OBJECTS / writer / f"{name}-1"))
    status.assert_consumed().initialize_or_restore(session)
    held = {spec.full_name for node in _graph(OBJECTS / writer / f"{name}-1").nodes for spec in node.attributes}
    values = {v.op.name: session.run(v).tolist() for v in tf.global_variables() if v.op.name in held}
    assert values and values == {variable: RECORDED[writer][name]["values"][variable] for variable in values}


def test_deferred_restoration(session, tmp_path):
    saved = tf.Module("m")
    saved.w, saved.late = tf.Variable([1.0, 2.0]), [tf.Variable(3.0), tf.Variable(4.0)]
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(m=saved).write(str(tmp_path / "x"), session)
    made = tf.Module("m")
    status = tf.train.Checkpoint(m=made).read(path)
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.m\.w"):
        status.assert_consumed()
    made.w = tf.Variable([0.0, 0.0])
    made.late = [tf.Variable(0.0)]
    status.assert_existing_objects_matched()
    made.late.append(tf.Variable(0.0))
    status.assert_consumed().run_restore_ops(session)
    assert session.run([made.w, *made.late])[1:] == [3.0, 4.0]


def test_slots_made_after_restore(session, tmp_path):
    def parts():
        variable, optimizer = tf.Variable([1.0]), tf.train.MomentumOptimizer(0.1, 0.9)
        return variable, optimizer, tf.train.Checkpoint(variable=variable, optimizer=optimizer)

    variable, optimizer, checkpoint = parts()
    optimizer.minimize(variable)
    session.run(tf.global_variables_initializer())
    optimizer.get_slot(variable, "momentum").load([7.0], session)
    path = checkpoint.save(str(tmp_path / "x"), session)
    variable, optimizer, checkpoint = parts()
    status = checkpoint.restore(path)
    with pytest.raises(AssertionError, match="optimizer's state 'momentum' for"):
        status.assert_consumed()
    optimizer.minimize(variable)
    status.assert_consumed().run_restore_ops(session)
    assert session.run(optimizer.get_slot(variable, "momentum")).tolist() == [7.0]


def test_statuses(session, tmp_path):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(v=v, w=w).save(str(tmp_path / "x"), session)
    tf.train.Checkpoint().restore(path).expect_partial()
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.v"):
        tf.train.Checkpoint().read(path).assert_consumed()
    with pytest.raises(AssertionError, match="Nothing except the root object"):
        tf.train.Checkpoint(other=v).read(path).assert_nontrivial_match()
    tf.train.Checkpoint(v=v).restore(path).assert_nontrivial_match().assert_existing_objects_matched()
    tf.train.Checkpoint(v=v, w=w, again=w).restore(path).assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="not bound to checkpointed values"):
        tf.train.Checkpoint(v=v, x=tf.Variable(1.0)).restore(path).assert_existing_objects_matched()
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.Checkpoint(v=v).restore(str(tmp_path / "absent"))
    new = tf.Variable(5.0)
    session.run(v.assign(9.0))
    tf.train.Checkpoint(v=v, new=new).restore(path).initialize_or_restore(session)
    assert session.run([v, new]) == [1.0, 5.0]


def test_restore_of_nothing_initializes(session):
    v = tf.Variable(3.0)
    checkpoint = tf.train.Checkpoint(v=v)
    status = checkpoint.restore(None)
    for method in (status.assert_consumed, status.assert_existing_objects_matched, status.run_restore_ops):
        with pytest.raises(AssertionError, match="No checkpoint specified"):
            method()
    status.initialize_or_restore()
    assert session.run([v, checkpoint.save_counter]) == [3.0, 0]


def test_name_based_checkpoints_into_objects(session, tmp_path):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    session.run(tf.global_variables_initializer())
    path = tf.train.Saver([v]).save(session, str(tmp_path / "names"))
    session.run(v.assign(8.0))
    checkpoint = tf.train.Checkpoint(v=v)
    checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    assert session.run([v, checkpoint.save_counter]) == [1.0, 0]
    both = tf.train.Checkpoint(v=v, w=w).restore(path)
    with pytest.raises(AssertionError, match="Object not restored"):
        both.assert_existing_objects_matched()
    with pytest.raises(tf.errors.NotFoundError, match="w not found"):
        both.run_restore_ops(session)
    session.run(w.assign(0.0))
    both.initialize_or_restore(session)
    assert session.run(w) == 2.0
    with pytest.raises(AssertionError, match="has none of the variables"):
        tf.train.Checkpoint(w=w).restore(path).assert_nontrivial_match()


def test_object_based_checkpoints_into_savers(session, tmp_path):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(v=v, w=w).save(str(tmp_path / "x"), session)
    session.run([v.assign(0.0), w.assign(0.0)])
    saver = tf.train.Saver([v, w])
    saver.restore(session, path)
    assert session.run([v, w]) == [1.0, 2.0]
    count = len(tf.get_default_graph().get_operations())
    saver.restore(session, path)
    assert len(tf.get_default_graph().get_operations()) == count
    with pytest.raises(tf.errors.NotFoundError, match="Existing variables not in the checkpoint: nn"):
        tf.train.Saver([v, tf.Variable(1.0, name="nn")]).restore(session, path)


def test_saving_and_restoring_again_adds_no_nodes(graph, session, tmp_path):
    v = tf.Variable(1.0)
    session.run(v.initializer)
    checkpoint = tf.train.Checkpoint(v=v)
    checkpoint.restore(checkpoint.save(str(tmp_path / "x"))).run_restore_ops()
    graph.finalize()
    for value in (2.0, 3.0):
        v.load(value, session)
        path = checkpoint.save(str(tmp_path / "x"))
        v.load(0.0, session)
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert session.run(v) == value
    assert path.endswith("x-3")


def test_python_state(session, tmp_path):
    class Lines(tf.train.experimental.PythonState):
        at = "one"

        def serialize(self):
            return self.at

        def deserialize(self, string_value):
            self.at = string_value

    state = Lines()
    checkpoint = tf.train.Checkpoint(lines=state)
    paths = []
    for state.at in ("two", "three"):
        paths.append(checkpoint.save(str(tmp_path / "x"), session))
    assert _contents(paths[0])["lines/.ATTRIBUTES/py_state"] == b"two"
    for path, expected in zip(paths, (b"two", b"three"), strict=True):
        checkpoint.restore(path).assert_consumed()
        assert state.at == expected


def test_tables(session, tmp_path):
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, 0, -1, -2)
    keys = tf.constant([5, 6], tf.int64)
    session.run(table.insert(keys, tf.constant([7, 8], tf.int64)))
    checkpoint = tf.train.Checkpoint(table=table)
    path = checkpoint.save(str(tmp_path / "x"), session)
    session.run(table.remove(keys))
    checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    assert session.run(table.lookup(keys)).tolist() == [7, 8]


def test_one_object_for_two_gets_the_value_of_the_first(session, tmp_path, caplog):
    first, second = tf.Variable(1.0), tf.Variable(2.0)
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(a=first, b=second).save(str(tmp_path / "x"), session)
    one = tf.Variable(0.0)
    tf.train.Checkpoint(a=one, b=one).restore(path).assert_consumed().run_restore_ops(session)
    assert session.run(one) == 1.0
    assert "stands for several objects" in caplog.text


def test_what_cannot_be_saved(session, tmp_path):
    for value in (3, [tf.Variable(1.0)], "text", None):
        with pytest.raises(ValueError, match="was expecting a trackable object"):
            tf.train.Checkpoint(value=value)
    module = tf.Module("m")
    module.numbered = {1: tf.Variable(1.0)}
    with pytest.raises(ValueError, match="non-string key"):
        tf.train.Checkpoint(m=module).write(str(tmp_path / "x"), session)


def test_no_session(tmp_path):
    with pytest.raises(ValueError, match="There is no session"):
        tf.train.Checkpoint(v=tf.Variable(1.0)).save(str(tmp_path / "x"))


def test_uninitialized_variables_leave_no_files(session, tmp_path):
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(tmp_path / "x"), session)
    assert not list(tmp_path.iterdir())


def test_second_form(session, tmp_path):
    v = tf.Variable(1.0)
    session.run(v.initializer)
    checkpoint = tf.compat.v2.train.Checkpoint(v=v)
    assert not isinstance(checkpoint, tf.train.Checkpoint)
    path = checkpoint.save(str(tmp_path / "x"))
    v.load(2.0, session)
    checkpoint.restore(path).assert_consumed().run_restore_ops()
    assert session.run(v) == 1.0
    assert tf.train.latest_checkpoint(str(tmp_path)) == path


@pytest.mark.parametrize("damage", [b"\x0a", b"\x0a\x04\x0a\x02\x08\x05", b""], ids=["cut", "index", "empty"])
def test_damaged_object_graphs(damage, session, tmp_path):
    v = tf.Variable(1.0)
    session.run(v.initializer)
    session.run(
        tf.raw_ops.SaveV2(
            prefix=str(tmp_path / "x"), tensor_names=[KEY], shape_and_slices=[""], tensors=[tf.constant(damage)]
        )
    )
    with pytest.raises(tf.errors.DataLossError):
        tf.train.Checkpoint(v=v).restore(str(tmp_path / "x"))
