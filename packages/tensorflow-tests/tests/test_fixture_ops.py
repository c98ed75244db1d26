"""The ops of the original's own tests: their definitions, what they build, and the few that run."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.ops import gen_ops as generated
from ossia_tensorflow_paths.python.ops import resources
from ossia_testkit.golden import golden_tests
from ossia_testkit.op_definitions import op_definition_tests

test_built_and_run = golden_tests(__file__, "fixture_ops_cases.py")
test_op_definition = op_definition_tests("ossia_command")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    with tf.Session(graph=graph) as session:
        yield session


def test_outputs_have_unknown_shapes():
    assert generated.int_output().shape.ndims is None
    struct = generated.complex_struct(n_a=2, n_b=1, t_c=[tf.string, tf.float32])
    assert [[x.dtype.name for x in part] for part in struct] == [["int32"] * 2, ["int64"], ["string", "float32"]]
    assert all(x.shape.ndims is None for part in struct for x in part)
    assert isinstance(generated.none(), tf.Operation)
    with pytest.raises(TypeError, match="Expected int32"):
        generated.int_input(1.0)


def test_graphs_of_them_are_imported():
    node = tf.NodeDef(name="A", op="IntOutputFloatOutput")
    (second,) = tf.import_graph_def(tf.GraphDef(node=[node]), return_elements=["A:1"], name="")
    assert second.dtype == tf.float32


def test_old_graphs_have_an_op_that_new_ones_do_not():
    with pytest.raises(NotImplementedError, match="has been removed in version 8. For reasons"):
        generated.old()
    with pytest.raises(tf.errors.UnimplementedError, match="has been removed in version 8. For reasons"):
        tf.import_graph_def(tf.GraphDef(node=[tf.NodeDef(name="B", op="Old")], versions={"producer": 8}))
    tf.import_graph_def(tf.GraphDef(node=[tf.NodeDef(name="C", op="Old")], versions={"producer": 7}), name="")


def test_a_node_without_kernel_is_refused_in_a_run(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"No OpKernel was registered .* 'ListOutput'.*DT_FLOAT\]"):
        session.run(generated.list_output([tf.int32, tf.float32]))


def test_kernels(graph, session):
    assert session.run(generated.graph_def_version()) == tf.GRAPH_DEF_VERSION
    attr = session.run(generated.test_attr(T=tf.float64))
    assert (attr, attr.dtype) == (1, np.float64)
    assert session.run(generated.device_placement_op()) == b"/job:localhost/replica:0/task:0/device:CPU:0"
    assert session.run(generated.kernel_label()) == b"My label is: default"
    with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel"):
        session.run(generated.kernel_label_required([1]))
    with graph._kernel_label_map({"KernelLabelRequired": "overload_2"}):
        assert session.run(generated.kernel_label_required([1])) == b"My label is: overload_2"
    with pytest.raises(ValueError, match="Wrong graph version"):
        generated.requires_older_graph_version()


def test_resources_that_a_node_makes(session):
    handle = generated.stub_resource_handle_op(container="a", shared_name="b")
    made = generated.resource_initialized_op(handle)
    create, use = generated.resource_create_op(handle), generated.resource_using_op(handle)
    assert not session.run(made)
    with pytest.raises(tf.errors.NotFoundError, match="Could not find resource: a/b"):
        session.run(use)
    resources.register_resource(handle, create, made)
    report = resources.report_uninitialized_resources()
    assert session.run(report).tolist() == [handle.name.encode()]
    session.run(resources.initialize_resources(resources.shared_resources()))
    assert session.run([made, report])[1].tolist() == []
    assert session.run(use) is None
    with pytest.raises(tf.errors.AlreadyExistsError, match="Resource a/b"):
        session.run(create)
