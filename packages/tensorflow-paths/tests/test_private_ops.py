"""What programs take from the private modules of ops and of the graph: the same values, names and errors."""



import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths import finder, renamed, table
from ossia_tensorflow_paths.python.framework import op_def_registry as registries
from ossia_tensorflow_paths.python.framework import ops as graphs
from ossia_tensorflow_paths.python.framework import test_util
from ossia_tensorflow_paths.python.ops import control_flow_util as control_flow
from ossia_tensorflow_paths.python.ops import inplace_ops as inplace
from ossia_tensorflow_paths.python.ops import resources, synonyms


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_op_modules_have_the_functions_of_their_ops():
    stitched = aliases_member("data_flow_ops", "parallel_dynamic_stitch")([[0], [1]], [[1], [2]])
    assert stitched.op.type == "ParallelDynamicStitch"
    assert aliases_member("array_ops", "broadcast_gradient_args")([2, 3], [3])[0].op.type == "BroadcastGradientArgs"
    values = aliases_member("random_ops", "parameterized_truncated_normal")([3], means=1.0, seed=4)
    given = [x.op.name.rpartition("/")[2] for x in values.op.inputs]
    assert given == ["shape", "means", "stddevs", "minvals", "maxvals"]
    with pytest.raises(AttributeError, match="no_such_op"):
        aliases_member("array_ops", "no_such_op")


def aliases_member(module, name):
    """What `tensorflow.python.ops.<module>` gives under a name."""
    inner = f"python.ops.{module}"
    return getattr(finder.PrivateModule(f"tensorflow.{inner}", table.sources(inner)), name)


def test_tables_and_layers_under_private_paths():
    assert aliases_member("lookup_ops", "MutableHashTable").__name__ == "MutableHashTable"
    name = "tensorflow.python.layers.base"
    module = finder.PrivateModule(name, table.sources("python.layers.base"))
    assert module.keras_style_scope is tf.layers.experimental.keras_style_scope


def test_blocks_of_channels():
    x = tf.reshape(tf.range(16), [1, 2, 1, 8])
    blocks = test_util.NHWCToNCHW_VECT_C(x)
    assert test_util.NHWCToNCHW_VECT_C([1, 2, 3, 8]) == [1, 2, 2, 3, 4]
    assert test_util.NCHW_VECT_CToNHWC([1, 3, 4, 4, 4]) == [1, 4, 4, 12]
    with tf.Session() as session:
        assert session.run(blocks)[0, 1, 1].tolist() == [[12, 13, 14, 15]]
        assert session.run(test_util.NCHW_VECT_CToNHWC(blocks)).ravel().tolist() == list(range(16))
    with pytest.raises(ValueError, match="multiple of 4"):
        test_util.NHWCToNCHW_VECT_C([1, 2, 3, 5])


def test_combinations_and_versions():
    made = test_util.generate_combinations_with_testcase_name(a_b=[1, "x y"], mode="graph")
    assert [dict(one) for one in made] == [
        {"a_b": 1, "mode": "graph", "testcase_name": "_test_ab_1_mode_graph"},
        {"a_b": "x y", "mode": "graph", "testcase_name": "_test_ab_xy_mode_graph"},
    ]
    graph = tf.Graph()
    test_util.set_producer_version(graph, 9)
    assert graph.graph_def_versions.producer == 9


def test_sessions_log_errors(monkeypatch):
    logged = []
    monkeypatch.setattr(tf.logging, "error", logged.append)
    value = tf.check_numerics(tf.placeholder_with_default(np.float32(np.nan), []), "it is")
    with test_util.ErrorLoggingSession() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(value)
    assert len(logged) == 1 and "it is : Tensor had NaN values" in logged[0]


def test_synonyms():
    assert synonyms.Convolution2D is tf.layers.Conv2D and synonyms.deconv2d is tf.layers.conv2d_transpose
    x = tf.constant([[1.0, 5.0], [4.0, 2.0]])
    product, = synonyms._hessian_vector_product(tf.reduce_sum(x**3), [x], [tf.ones([2, 2])])
    step = tf.train.create_global_step()
    read = synonyms._get_or_create_global_step_read()
    assert read.name == "global_step/add:0" and synonyms._get_global_step_read() is read
    with tf.Session() as session:
        assert session.run(synonyms.argmax_v2(x, 1)).tolist() == [1, 0]
        assert session.run(synonyms.argmin_v2(x)).tolist() == [0, 1]
        assert session.run(product).tolist() == [[6.0, 30.0], [24.0, 12.0]]
        session.run(step.initializer)
        assert session.run(synonyms._increment_global_step(2)) == 2
    with pytest.raises(ValueError, match="same length"):
        synonyms._hessian_vector_product(tf.reduce_sum(x), [x], [])


def test_registries():
    things = registries.Registry("things")
    things.register(len)
    things.register(3, "three")
    assert sorted(things.list()) == ["len", "three"] and things.lookup("three") == 3 and things.lookup(b"len") is len
    with pytest.raises(KeyError, match="two things with name 'len'"):
        things.register(len)
    with pytest.raises(LookupError, match="things registry has no entry for: four"):
        things.lookup("four")
    known = registries.get_registered_ops()
    assert known["MatMul"].attr[0].name == "transpose_a" and "NoSuchOp" not in known and "TopK" in set(known)
    assert known["TopK"].deprecation.version == 7
    with pytest.raises(tf.errors.NotFoundError, match="NoSuchOp"):
        registries.register_op_list(op_list("MatMul", "NoSuchOp"))


def op_list(*names):
    from ossia_core.proto import OpList

    return OpList(op=[{"name": name} for name in names])


def test_resources_are_reported_until_they_are_made():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="resource")
    resources.register_resource(
        handle, tf.raw_ops.AssignVariableOp(resource=handle, value=1.0),
        tf.raw_ops.VarIsInitializedOp(resource=handle), is_shared=False,
    )
    assert not resources.shared_resources() and resources.local_resources()[0].handle is handle
    missing = resources.report_uninitialized_resources()
    with tf.Session() as session:
        assert session.run(missing).tolist() == [handle.name.encode()]
        session.run(resources.initialize_resources(resources.local_resources()))
        assert session.run(missing).tolist() == []
        assert session.run(resources.report_uninitialized_resources([])).tolist() == []
    assert resources.initialize_resources([], name="none").type == "NoOp"


def test_rows_in_place():
    x = tf.zeros([3, 2])
    found = [
        inplace.inplace_update(x, 1, [5.0, 6.0]), inplace.inplace_add(x, [0, 2], [[1.0, 2.0], [3.0, 4.0]]),
        inplace.inplace_sub(x, None, tf.ones([3, 2])), inplace.empty_like(x, init=True),
    ]
    with tf.Session() as session:
        values = [value.tolist() for value in session.run(found)]
    zero = [0.0, 0.0]
    assert values == [[zero, [5, 6], zero], [[1, 2], zero, [3, 4]], [[-1, -1]] * 3, [zero] * 3]


def test_what_nodes_are_to_control_flow(graph):
    x = tf.placeholder(tf.float32, [])
    tf.cond(x > 0, lambda: x * 2.0, lambda: tf.while_loop(lambda i: i < x, lambda i: i * 2.0 + x, [x]))
    node = graph.get_operation_by_name
    assert control_flow.IsCondSwitch(node("cond/mul/Switch")) and control_flow.IsCondMerge(node("cond/Merge"))
    assert control_flow.IsLoopSwitch(node("cond/while/Switch_1")) and control_flow.IsLoopMerge(node("cond/while/Merge"))
    assert not control_flow.IsLoopSwitch(node("cond/mul/Switch")) and not control_flow.IsCondMerge(
        node("cond/while/Merge"))
    inner = node("cond/while/mul")
    assert control_flow.IsInWhileLoop(inner) and control_flow.IsInCond(inner)
    assert control_flow.GetWhileContext(inner).name == "cond/while/while_context"
    assert control_flow.OpInContext(inner, control_flow.GetContainingCondContext(control_flow.GetOutputContext(inner)))
    enter = control_flow.GetLoopConstantEnter(node("cond/while/add").inputs[1])
    assert enter is not None and control_flow.IsLoopConstantEnter(enter)
    assert control_flow.GetOutputContext(node("cond/while/Exit")).IsCondContext()
    assert not control_flow.IsInCond(x.op) and control_flow.IsContainingContext(None, None)


def test_renamed_members_exist():
    import importlib

    for name in renamed._renamed():
        public = renamed.public_name(name)
        module, _, member = f"ossia.{public}".rpartition(".")
        assert getattr(importlib.import_module(module), member) is not None, name
    assert renamed.public_name("python.ops.check_ops.assert_equal_v2") == "compat.v2.debugging.assert_equal"
    assert renamed.public_name("python.ops.check_ops.assert_equal") is None


def test_gradient_functions_and_older_graphs(graph):
    assert graphs.get_gradient_function(tf.constant(1.0).op) is None
    assert callable(graphs.get_gradient_function(tf.square(1.0).op)) and graphs.name_from_scope_name("a/b/") == "a/b"
    with tf.Graph().as_default() as old:
        test_util.set_producer_version(old, 8)
        assert old.graph_def_versions.producer == 8
    assert test_util.get_node_def_from_graph("Const", graph.as_graph_def()).op == "Const"
    assert test_util.get_node_def_from_graph("none", graph.as_graph_def()) is None


def test_pieces_of_networks():
    weights, biases = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([0.0, 1.0, 2.0])
    sampled = (tf.constant([2], tf.int64), tf.constant([[1.0]]), tf.constant([1.0]))
    logits, labels = aliases_member("nn_impl", "_compute_sampled_logits")(
        weights, biases, tf.constant([[1]]), tf.constant([[1.0, 1.0]]), 1, 3, sampled_values=sampled
    )
    convolved = aliases_member("nn_ops", "Convolution")(
        tf.TensorShape([1, 3, 3, 1]), tf.TensorShape([2, 2, 1, 1]), "VALID", dilation_rate=[2, 2]
    )(tf.reshape(tf.range(9.0), [1, 3, 3, 1]), tf.ones([2, 2, 1, 1]))
    pooled = aliases_member("nn_ops", "max_pool_with_argmax_v2")(tf.ones([1, 2, 2, 1]), 2, [2, 2], "SAME")
    added = aliases_member("nn_ops", "xw_plus_b_v1")([[1.0, 2.0]], [[1.0], [2.0]], [1.0])
    with tf.Session() as session:
        assert session.run([logits, labels])[0].tolist() == [[8.0, 13.0]]
        assert session.run(labels).tolist() == [[1.0, 0.0]]
        assert session.run(convolved).ravel().tolist() == [16.0]
        assert session.run(pooled)[1].ravel().tolist() == [0]
        assert session.run(added).tolist() == [[6.0]] and added.op.type == "BiasAddV1"
        assert session.run(aliases_member("nn_impl", "_count_nonzero")(tf.constant([0, 1, 2]))) == 2
        flat = aliases_member("nn_ops", "_flatten_outer_dims")(tf.zeros([2, 3, 4]))
        assert flat.shape.as_list() == [6, 4] == list(session.run(flat).shape)
    with pytest.raises(ValueError, match="named arguments"):
        aliases_member("nn_ops", "_ensure_xent_args")("f", 1, 2, 3)
    with pytest.raises(ValueError, match="NHWC"):
        aliases_member("nn_ops", "max_pool_with_argmax_v2")(tf.ones([1, 2, 2, 1]), 2, 2, "SAME", "NCHW")


def test_rows_are_transformed_where_they_are_stored():
    lookup = aliases_member("embedding_ops", "_embedding_lookup_and_transform")
    table = np.arange(12.0).reshape(6, 2)
    doubled = lookup([table[:3], table[3:]], [1, 4], "div", transform_fn=lambda rows: rows * 2.0)
    whole = lookup(table, [[1, 4]], transform_fn=lambda rows: rows[..., :1])
    with tf.Session() as session:
        assert session.run(doubled).tolist() == [[4.0, 6.0], [16.0, 18.0]]
        assert session.run(whole).tolist() == [[[2.0], [8.0]]]
    assert whole.op.inputs[0].op.type == "ParallelDynamicStitch"
    with pytest.raises(ValueError, match="partition strategy"):
        lookup(table, [[1, 4]], "other", transform_fn=lambda rows: rows)


def test_pieces_of_losses_and_metrics():
    name = aliases_member("metrics_impl", "_at_k_name")("precision", 3, class_id=2)
    present = aliases_member("losses.losses_impl", "_num_present")(tf.zeros([3, 4]), tf.constant([[1.0], [0.0], [2.0]]))
    divided = aliases_member("metrics_impl", "_safe_scalar_div")(tf.constant(1.0), tf.constant(0.0), "x")
    kept = aliases_member("metrics_impl", "metric_variable")([2], tf.float32, name="kept")
    with tf.Session() as session:
        assert session.run([present, divided]) == [8.0, 0.0]
    assert name == "precision_at_3_class2"
    assert kept.name == "kept:0" and kept in tf.local_variables() and kept in tf.get_collection("metric_variables")


def test_pieces_of_random_ops_and_variables():
    widened = aliases_member("random_grad", "add_leading_unit_dimensions")(tf.ones([3, 2]), 2)
    assert widened.shape.as_list() == [1, 1, 3, 2]
    drawn = aliases_member("stateless_random_ops", "stateless_multinomial")([[1.0, 2.0]], 3, [1, 2])
    assert drawn.op.name == "stateless_multinomial/StatelessMultinomial"
    drawn = aliases_member("stateful_random_ops", "non_deterministic_ints")([3], tf.int32)
    assert drawn.op.type == "NonDeterministicInts" and drawn.dtype == tf.int32
    assert aliases_member("stateful_random_ops", "RNG_ALG_PHILOX") == 1
    variable = tf.Variable(2.0, name="v")
    guarded = aliases_member("variables", "_try_guard_against_uninitialized_dependencies")("w", variable * 3.0)
    with tf.Session() as session:
        assert session.run(guarded) == 6.0


def test_handles_and_variables_without_values():
    from ossia_core.proto import CppShapeInferenceResult
    from ossia_tensorflow_paths.python.ops import resource_variable_ops as uninitialized

    v = aliases_member("resource_variable_ops", "ResourceVariable")([1.0, 2.0], name="v", trainable=False)
    about = uninitialized.get_resource_handle_data(tf.identity(v.handle))
    assert isinstance(about, CppShapeInferenceResult.HandleData) and about.is_set
    assert about.shape_and_type[0].dtype == tf.float32.as_datatype_enum
    assert [d.size for d in about.shape_and_type[0].shape.dim] == [2]
    assert not uninitialized.get_resource_handle_data(tf.raw_ops.Placeholder(dtype=tf.resource)).is_set
    assert aliases_member("resource_variable_ops", "read_variable_op")(v.handle, tf.float32).shape.as_list() == [2]
    with tf.Graph().as_default() as other, tf.Session() as session:
        copy = uninitialized.copy_to_graph_uninitialized(v)
        assert [op.name for op in other.get_operations()] == ["v", "v/Read/ReadVariableOp"]
        assert (copy.name, copy.shape, copy.dtype, copy.trainable) == ("v:0", v.shape, v.dtype, False)
        assert tf.global_variables() == [copy] and copy.initializer is None and copy.initial_value is None
        assert not session.run(copy.is_initialized())
        session.run(copy.assign([3.0, 4.0]).op)
        assert session.run(copy).tolist() == [3.0, 4.0]
        assign = aliases_member("resource_variable_ops", "shape_safe_assign_variable_handle")
        session.run(assign(copy.handle, copy.shape, [5.0, 6.0]))
        assert session.run(copy).tolist() == [5.0, 6.0]
        with pytest.raises(ValueError, match="incompatible"):
            assign(copy.handle, copy.shape, [5.0])
    measure = aliases_member("resource_variable_ops", "variable_shape")
    known, unknown = measure(v.handle, tf.int64), measure(tf.raw_ops.Placeholder(dtype=tf.resource))
    assert [(x.op.type, x.dtype) for x in (known, unknown)] == [("Const", tf.int64), ("VariableShape", tf.int32)]


def test_functions_that_nodes_call_are_counted():
    functions = aliases_member("script_ops", "_py_funcs")
    before = functions.size()
    tf.py_func(lambda x: x, [1.0], tf.float32)
    assert functions.size() == before + 1


def test_tensors_are_compared_as_objects():
    x = tf.constant(1.0)
    assert synonyms.tensor_equals(x, x) and not synonyms.tensor_equals(x, None) and synonyms.tensor_not_equals(x, 1.0)
