"""Transforms of graphs: what they leave computes the same, or nearly so."""

import numpy as np
import pytest

import ossia as tf
from ossia_checkpoint.transforms.apply import parsed, transform_graph

X = np.random.RandomState(1).rand(2, 8, 8, 3).astype(np.float32)


@pytest.fixture(scope="module")
def graph():
    """A frozen network: a convolution with a factor, one with a normalisation, and a product of constants."""
    random = np.random.RandomState(0)

    def constant(name, *shape):
        return tf.constant(random.rand(*shape).astype(np.float32), name=name)

    with tf.Graph().as_default() as made:
        x = tf.placeholder(tf.float32, [None, 8, 8, 3], "x")
        first = tf.nn.conv2d(x, constant("w", 3, 3, 3, 16), strides=1, padding="SAME", name="conv")
        first = tf.identity(tf.multiply(first, constant("scale", 16), name="scaled"), name="same")
        second = tf.nn.conv2d(first, constant("w2", 3, 3, 16, 16), strides=1, padding="SAME", name="conv2")
        gamma, beta, mean, variance = (constant(name, 16) for name in ("gamma", "beta", "mean", "variance"))
        second, _, _ = tf.nn.fused_batch_norm(
            second, gamma, beta, mean=mean, variance=variance, is_training=False, name="norm"
        )
        three = tf.add(tf.constant(1.0, name="one"), tf.constant(2.0), name="three")
        with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op("gate")]):
            tf.multiply(tf.check_numerics(tf.nn.relu(second, "relu"), "", name="check"), three, name="out")
        tf.square(x, name="unused")
    return made.as_graph_def()


def value(graph):
    with tf.Graph().as_default(), tf.Session() as session:
        [out] = tf.import_graph_def(graph, return_elements=["out:0"], name="")
        return session.run(out, {"x:0": X})


def changed(graph, transforms):
    made = transform_graph(graph, ["x"], ["out"], transforms)
    return made, {node.name: node.op for node in made.node}


@pytest.mark.parametrize(
    ("transforms", "gone", "there"),
    [
        ("strip_unused_nodes", {"unused"}, {"relu": "Relu"}),
        ("remove_nodes(op=Identity, op=CheckNumerics)", {"same", "check"}, {}),
        ("fold_constants", {"one", "unused"}, {"three": "Const"}),
        ("fold_batch_norms", {"conv", "scale"}, {"scaled": "Conv2D"}),
        ("fold_old_batch_norms", {"gamma", "mean"}, {"norm": "BiasAdd", "conv2_bn_offset": "Const"}),
        ("remove_control_dependencies", set(), {"gate": "NoOp"}),
        ("remove_device", set(), {}),
        ("sort_by_execution_order", set(), {}),
        ("merge_duplicate_nodes", set(), {}),
        ("add_default_attributes", set(), {}),
        ("obfuscate_names", {"conv", "relu"}, {"x": "Placeholder", "out": "Mul"}),
    ],
)
def test_the_value_stays(graph, transforms, gone, there):
    before = {node.name for node in graph.node}
    made, ops = changed(graph, transforms)
    assert gone <= before and not gone & set(ops) and there.items() <= ops.items()
    np.testing.assert_allclose(value(made), value(graph), rtol=1e-4)
    assert {node.name for node in graph.node} == before


def test_weights_are_made_smaller(graph):
    made, ops = changed(graph, ["quantize_weights"])
    assert (ops["w2"], ops["w"]) == ("Dequantize", "Const")
    assert made.ByteSize() < 0.6 * graph.ByteSize()
    np.testing.assert_allclose(value(made), value(graph), rtol=0.01)
    made, ops = changed(graph, "round_weights(num_steps=4)")
    values = {node.name: tf.make_ndarray(node.attr["value"].tensor) for node in made.node if node.op == "Const"}
    assert len(np.unique(values["w2"])) <= 5


def test_what_is_fed_becomes_a_placeholder(graph):
    made = transform_graph(graph, ["same"], ["relu"], 'strip_unused_nodes(type=float, shape="1,8,8,16")')
    nodes = {node.name: node for node in made.node}
    assert nodes["same"].op == "Placeholder" and "conv" not in nodes
    assert [dim.size for dim in nodes["same"].attr["shape"].shape.dim] == [1, 8, 8, 16]


def test_attributes_and_types(graph):
    made, ops = changed(
        graph, "rename_op(old_op_name=Relu, new_op_name=Relu6) remove_attribute(attribute_name=dilations)"
    )
    assert ops["relu"] == "Relu6" and not any("dilations" in node.attr for node in made.node)
    made, _ = changed(graph, 'set_device(device="/cpu:1", if_default=true)')
    assert {node.device for node in made.node} == {"/cpu:1", "/device:CPU:0"}


def test_lists_are_read():
    assert parsed('a b(c=d, c="e f") g()') == [("a", {}), ("b", {"c": ["d", "e f"]}), ("g", {})]


@pytest.mark.parametrize(
    "text", ["nonesuch", "fold_constants(", "remove_nodes(op", "remove_nodes", "=", "round_weights(num_steps=x)"]
)
def test_refused(graph, text):
    with pytest.raises(tf.errors.InvalidArgumentError):
        transform_graph(graph, ["x"], ["out"], text)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not found in graph"):
        transform_graph(graph, ["x"], ["nothing"], "strip_unused_nodes")


def resized(x):
    return tf.image.resize_bilinear(x, [10, 10], name="resize")


def padded(x):
    return tf.pad(x, [[0, 0], [1, 1], [2, 2], [0, 0]], mode="REFLECT", name="pad")


def dilated(x):
    made = tf.space_to_batch_nd(x, [2, 2], [[2, 2], [2, 2]], name="first")
    made = tf.nn.conv2d(made, tf.ones([3, 3, 3, 2]), strides=1, padding="VALID", name="inner")
    return tf.batch_to_space_nd(made, [2, 2], [[0, 0], [0, 0]], name="conv")


def in_array(x):
    array = tf.TensorArray(tf.float32, size=2, name="array")
    return tf.concat([array.unstack(x).stack(), x], -1, name="joined")


@pytest.mark.parametrize(
    ("before", "transform", "gone", "there"),
    [
        (padded, "fuse_pad_and_conv", "MirrorPad", "FusedPadConv2D"),
        (resized, "fuse_resize_and_conv", "ResizeBilinear", "FusedResizeAndPadConv2D"),
        (lambda x: padded(resized(x)), "fuse_resize_pad_and_conv", "MirrorPad", "FusedResizeAndPadConv2D"),
        (dilated, "flatten_atrous_conv", "SpaceToBatchND", "Conv2D"),
        (in_array, "backport_concatv2", "ConcatV2", "Concat"),
        (in_array, "backport_tensor_array_v3", "TensorArrayV3", "TensorArrayV2"),
        (padded, "insert_logging(op=MirrorPad, first_n=0)", None, "Print"),
    ],
)
def test_nodes_become_others(before, transform, gone, there):
    with tf.Graph().as_default() as graph:
        x = before(tf.placeholder(tf.float32, [2, 8, 8, 3], "x"))
        if before in (dilated, in_array):
            tf.identity(x, "out")
        else:
            tf.identity(tf.nn.conv2d(x, tf.ones([3, 3, 3, 2]), strides=1, padding="VALID", name="conv"), "out")
    made = transform_graph(graph.as_graph_def(), ["x"], ["out"], [transform])
    types = {node.op for node in made.node}
    assert gone not in types and there in types
    if there == "TensorArrayV2":
        made.versions.producer = 20  # the last that had it
    np.testing.assert_allclose(value(made), value(graph.as_graph_def()), rtol=1e-5)


def test_what_is_not_there_says_so(graph):
    with pytest.raises(NotImplementedError, match="quantize_nodes"):
        transform_graph(graph, ["x"], ["out"], ["quantize_nodes"])
