"""Attributes that TensorFlow 2 added are dropped where they say nothing."""

import pytest

import ossia as tf


def product(**attributes):
    with tf.Graph().as_default() as graph:
        tf.matmul(tf.ones([1, 2]), tf.ones([2, 1]), name="y")
        graph_def = graph.as_graph_def()
    [node] = [node for node in graph_def.node if node.op == "MatMul"]
    for name, value in attributes.items():
        node.attr[name].CopyFrom(tf.AttrValue(**value))
    return graph_def


def test_defaults_are_dropped():
    with tf.Graph().as_default(), tf.Session() as session:
        [y] = tf.import_graph_def(
            product(grad_a={"b": False}, grad_b={"b": False}, debug_name={"s": b"any"}), return_elements=["y:0"]
        )
        assert session.run(y).tolist() == [[2.0]]
        assert "grad_a" not in y.op.node_def.attr


def test_what_only_informs_is_dropped():
    with tf.Graph().as_default(), tf.Session() as session:
        [y] = tf.import_graph_def(product(grad_a={"b": True}), return_elements=["y:0"])
        assert session.run(y).tolist() == [[2.0]]
        assert "grad_a" not in y.op.node_def.attr


@pytest.mark.parametrize("attributes", [{"unheard_of": {"b": False}}, {"is_files": {"b": True}}, {"axis": {"i": 1}}])
def test_others_are_refused(attributes):
    with tf.Graph().as_default(), pytest.raises(ValueError, match="mentions attr"):
        tf.import_graph_def(product(**attributes))
