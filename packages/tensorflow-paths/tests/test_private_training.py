"""What tests of training, savers, layers and scopes take from private modules."""

import os

import pytest

import ossia as tf
from ossia_core.names import nest
from ossia_tensorflow_paths.python.framework import meta_graph
from ossia_tensorflow_paths.python.framework import op_def_registry as registries
from ossia_tensorflow_paths.python.framework import tensor_util as tensors
from ossia_tensorflow_paths.python.layers import utils as windows
from ossia_tensorflow_paths.python.ops import lookup_ops as vocabularies
from ossia_tensorflow_paths.python.ops import variables
from ossia_tensorflow_paths.python.training import monitored_session as monitored
from ossia_tensorflow_paths.python.training import saver as checkpoints
from ossia_tensorflow_tests.python.util import messages


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_builders_of_savers(graph, tmp_path):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    for builder, restores in (checkpoints.BaseSaverBuilder(), 2), (checkpoints.BulkSaverBuilder(), 1):
        before = len(graph.get_operations())
        saver = tf.train.Saver([a, b], builder=builder)
        assert [op.type for op in graph.get_operations()[before:]].count("RestoreV2") == restores
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            path = saver.save(session, str(tmp_path / "model"))
            session.run(a.assign(5.0))
            saver.restore(session, path)
            assert session.run([a, b]) == [1, 2]
    saveable = checkpoints.BaseSaverBuilder.VariableSaveable(a, "", "a")
    assert isinstance(saveable, checkpoints.BaseSaverBuilder.SaveableObject)
    assert [type(found) for found in checkpoints.saveable_objects_for_op(a, "a")] == [type(saveable)]
    with pytest.raises(ValueError, match="two names"):
        checkpoints.validate_and_slice_inputs({"a": a, "b": a})


def test_names_of_checkpoint_files(tmp_path):
    folder = str(tmp_path)
    checkpoints.update_checkpoint_state_internal(
        folder, os.path.join(folder, "m-1"), [os.path.join(folder, "m-1")], save_relative_paths=True)
    assert 'model_checkpoint_path: "m-1"' in (tmp_path / "checkpoint").read_text()
    assert checkpoints._GetCheckpointFilename("d", None) == "d/checkpoint"
    assert checkpoints._GetCheckpointFilename("d", "x") == "d/x"
    assert checkpoints._prefix_to_checkpoint_path("p", 2) == "p.index"
    assert checkpoints._prefix_to_checkpoint_path("p", 1) == "p"
    assert checkpoints.meta_graph_filename("a/b-?????-of-00001") == "a/b.meta"
    assert checkpoints.wait_for_new_checkpoint(folder, seconds_to_sleep=0.01, timeout=0.02) is None


def test_warm_starts(tmp_path):
    (tmp_path / "old").write_text("apple\nbanana\nguava\n")
    (tmp_path / "new").write_text("guava\napple\ncherry\n")
    old = tf.get_variable("fruit", initializer=[[1.0], [2.0], [3.0]])
    parts = tf.get_variable("parts", [4, 1], partitioner=tf.fixed_size_partitioner(2))
    assert checkpoints._get_var_info(old) == ("fruit", old) and checkpoints._get_var_info(old, "x")[0] == "x"
    assert checkpoints._infer_var_name(list(parts)) == "parts"
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver([old]).save(session, str(tmp_path / "model"))
    arguments = str(tmp_path / "new"), 3, path, str(tmp_path / "old")
    for partitioner in None, tf.fixed_size_partitioner(2):
        with tf.Graph().as_default(), tf.Session() as session:
            new = tf.get_variable("fruit", [4, 1], initializer=tf.ones_initializer(), partitioner=partitioner)
            checkpoints._warm_start_var_with_vocab(new, *arguments, current_oov_buckets=1)
            session.run(tf.global_variables_initializer())
            assert session.run(tf.convert_to_tensor(new)).tolist() == [[3], [1], [0], [0]]
    with pytest.raises(ValueError, match="Must provide all of"):
        checkpoints._warm_start_var_with_vocab(old, "", 3, path, "x")


def test_layers_of_monitored_sessions():
    with tf.Session() as session:
        hooked = monitored._HookedSession(session, [])
        assert isinstance(hooked, monitored._WrappedSession) and hooked.run(tf.constant(1)) == 1
        assert monitored.NeverTriggerTimer().should_trigger_for_step(1) is False


def test_the_store_of_variables():
    store = variables._get_default_variable_store()
    v = store.get_variable("v", [2])
    assert store.get_variable("v", [2], reuse=True) is v and list(store._vars) == ["v"]
    with pytest.raises(ValueError, match="already exists"):
        store.get_variable("v", [2], reuse=False)
    assert variables._all_saveable_objects() == [v] and variables._all_saveable_objects("w") == []
    assert not variables.get_variable_scope_store().variable_scopes_count


def test_copies_of_scopes(graph):
    with tf.name_scope("one"):
        v = tf.Variable(1.0, name="v")
        tf.add(v, v, name="y")
    copied = meta_graph.copy_scoped_meta_graph("one", "two")
    assert list(copied) == ["v:0"] and copied["v:0"].name == "two/v:0"
    assert graph.get_operation_by_name("two/y").inputs[0].op.name == "two/v/read"
    with pytest.raises(ValueError, match="need to be different"):
        meta_graph.copy_scoped_meta_graph("one", "one")
    whole = tf.train.export_meta_graph()
    assert "container" in whole.graph_def.node[1].attr
    used = set(meta_graph.ops_used_by_graph_def(whole.graph_def))
    assert used == {"Const", "VariableV2", "Assign", "Identity", "Add"}
    meta_graph.strip_graph_default_valued_attrs(whole)
    assert "container" not in whole.graph_def.node[1].attr and whole.meta_info_def.stripped_default_attrs


def test_shapes_that_broadcast():
    shape = tf.TensorShape
    assert tensors.broadcast_shape(shape([None, 2]), shape([5, 1])).as_list() == [5, 2]
    assert tensors.is_broadcast_compatible(shape([None, 2]), shape([5, 1]))
    assert not tensors.is_broadcast_compatible(shape([2]), shape([3]))
    assert not tensors.is_broadcast_compatible(shape(None), shape([3]))
    x = tf.placeholder(tf.float32, [None, 2])
    assert tensors.rank(x) == 2 and not tensors.has_fully_defined_shape(x) and tensors.rank(3) is None


def test_predictions_come_before_labels_and_weights():
    found = tensors._remove_squeezable_dimensions(tf.zeros([2, 3, 1]), tf.zeros([2, 3]), tf.zeros([2]))
    assert [x.shape.as_list() for x in found] == [[2, 3], [2, 3], [2, 1]]


def test_messages_are_those_that_are_raised():
    with pytest.raises(ValueError) as caught:
        nest.assert_shallow_structure([1, 2], [1])
    assert str(caught.value) in (
        messages._INPUT_TREE_SMALLER_THAN_SHALLOW_TREE.format(input_size=1, shallow_size=2),
        messages._STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(input_length=1, shallow_length=2))
    with pytest.raises(ValueError) as caught:
        nest.assert_shallow_structure({"a": 1, "c": 2}, {"a": 1, "b": 2})
    assert str(caught.value) == messages._SHALLOW_TREE_HAS_INVALID_KEYS.format(["c"])
    with pytest.raises(TypeError) as caught:
        nest.assert_shallow_structure([[1]], [2])
    assert str(caught.value) == messages._IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(int)
    with pytest.raises(TypeError) as caught:
        nest.assert_shallow_structure([1], (1,))
    assert str(caught.value) == messages._STRUCTURES_HAVE_MISMATCHING_TYPES.format(input_type=tuple, shallow_type=list)
    assert "can not be broadcast" in messages._ASSERT_BROADCASTABLE_ERROR_PREFIX


def test_a_registry_says_where_a_name_was_taken():
    registry = registries.Registry("thing")
    registry.register(1, "a")
    place = r"test_a_registry_says_where_a_name_was_taken .*test_private_training.py:\d+"
    with pytest.raises(KeyError, match=rf"Registering two thing with name 'a'! \(Previous.* was in {place}\)"):
        registry.register(2, "a")
    assert list(registry.list()) == ["a"] and "a" in registry.list()


def test_sizes_of_windows():
    for function in windows.conv_output_length, windows.conv_input_length:
        with pytest.raises(AssertionError):
            function(3, 2, "wrong", 1)
    with pytest.raises(ValueError, match='must be one of "valid", "same"'):
        windows.normalize_padding("causal")
    assert windows.normalize_padding("SAME") == "same"


def test_an_unknown_hash_is_refused_where_it_is_used():
    table = vocabularies.IdTableWithHashBuckets(None, 3, vocabularies.HasherSpec("my-hash", None))
    with pytest.raises(ValueError, match="Unknown hasher my-hash"):
        table.lookup(tf.constant(["a"]))


def test_parts_of_an_imported_meta_graph(graph):
    from ossia_tensorflow_paths.python.training import saver as checkpoints

    tf.add(tf.constant(1.0, name="x"), 2.0, name="y")
    meta = tf.train.export_meta_graph()
    import_parts = checkpoints._import_meta_graph_with_return_elements
    saver, parts = import_parts(meta, import_scope="q", return_elements=["y:0", "x"])
    assert saver is None and [part.name for part in parts] == ["q/y:0", "q/x"]
