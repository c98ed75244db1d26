"""Graphs made ready for inference."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.tools import optimize_for_inference_lib as inference

FLOAT = tf.float32.as_datatype_enum


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def kinds(graph_def):
    return [(node.name, node.op) for node in graph_def.node]


@pytest.mark.parametrize("depthwise", [True, False])
def test_normalizations_become_weights(graph, depthwise):
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    weights = tf.constant(random.rand(2, 2, 2, 3).astype(np.float32), name="w")
    made = (tf.nn.depthwise_conv2d if depthwise else tf.nn.conv2d)(x, weights, [1, 1, 1, 1], "SAME", name="conv")
    channels = 6 if depthwise else 3
    mean, var, beta, gamma = (tf.constant(random.rand(channels).astype(np.float32), name=name) for name in "mvbg")
    made = tf.raw_ops.FusedBatchNorm(
        x=made, scale=gamma, offset=beta, mean=mean, variance=var, is_training=False, name="bn"
    )[0]
    result = tf.nn.relu(tf.identity(made), name="out")
    found = inference.optimize_for_inference(graph.as_graph_def(), ["x"], ["out"], FLOAT)
    assert ("bn", "BiasAdd") in kinds(found) and not {"Identity", "FusedBatchNorm"} & {op for _, op in kinds(found)}
    value = random.rand(1, 4, 4, 2)
    with tf.Session() as session:
        expected = session.run(result, {x: value})
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(found, name="")
        np.testing.assert_allclose(session.run("out:0", {"x:0": value}), expected, rtol=1e-4)


def test_pads_become_part_of_convolutions(graph):
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    padded = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT", name="p")
    tf.nn.conv2d(padded, tf.ones([2, 2, 2, 3]), [1, 1, 1, 1], "VALID", name="out")
    found = inference.optimize_for_inference(graph.as_graph_def(), ["x"], ["out"], FLOAT)
    assert ("out", "FusedPadConv2D") in kinds(found) and "p" not in dict(kinds(found))
    kept = inference.optimize_for_inference(graph.as_graph_def(), ["x"], ["out"], FLOAT, toco_compatible=True)
    assert ("out", "Conv2D") in kinds(kept)


def test_graphs_that_are_refused():
    twice, loose = tf.GraphDef(), tf.GraphDef()
    twice.node.add(name="a", op="NoOp")
    twice.node.add(name="a", op="NoOp")
    loose.node.add(name="a", op="Neg", input=["b:0"])
    for wrong in (twice, loose):
        with pytest.raises(ValueError):
            inference.ensure_graph_is_valid(wrong)
    with pytest.raises(ValueError):
        inference.fold_batch_norms(twice)
    with pytest.raises(ValueError, match="should be a Const op"):
        inference.values_from_const(loose.node[0])
    with pytest.raises(ValueError, match="found in map"):
        inference.node_from_map({}, "a:0")
    assert [inference.node_name_from_input(name) for name in ("^a", "a:1", "a")] == ["a"] * 3
