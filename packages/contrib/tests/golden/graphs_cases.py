"""Graphs copied, looked into, and used as functions."""
import tempfile

import numpy as np
from golden_case import raises


def case_copied(tf):
    copy_graph = tf.contrib.copy_graph

    with tf.Graph().as_default():
        v = tf.Variable([1.0, 2.0], name="v")
        a = tf.add(tf.constant(2.0) * v, 1.0, name="a")
        other = tf.Graph()
        w = copy_graph.copy_variable_to_graph(v, other)
        b = copy_graph.copy_op_to_graph(a, other, [w])
    with tf.Session(graph=other) as session:
        session.run(w.initializer)
        return [session.run(b).tolist(), sorted(each.name for each in other.get_operations()), copy_graph.get_copied_op(a, other).name, b is copy_graph.copy_op_to_graph(a, other, [w]),
                [each.name for each in other.get_collection("trainable_variables")]]


def case_predictor(tf):
    folder = tempfile.mkdtemp() + "/model"
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        v = tf.get_variable("v", [3, 2], initializer=tf.ones_initializer())
        y = tf.matmul(x, v, name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"x": x}, {"y": y})
    predictor = tf.contrib.predictor

    model = predictor.from_saved_model(folder)
    named = predictor.from_saved_model(folder, input_names={"in": "x:0"}, output_names={"out": "y:0"})
    return [model({"x": np.ones([1, 3])})["y"].tolist(), named({"in": np.ones([1, 3])})["out"].tolist(), sorted(model.feed_tensors), sorted(model.fetch_tensors),
            raises(lambda: model({"z": 1})), raises(lambda: predictor.from_saved_model(folder, tags="none"))]


def case_ops_used(tf):
    tf.add(tf.constant(1.0), 2.0)
    graph_def = tf.get_default_graph().as_graph_def()
    util = tf.contrib.util
    array = util.make_ndarray(util.make_tensor_proto([[1, 2]], shape=[2]))
    return [sorted(util.ops_used_by_graph_def(graph_def)), [op.name for op in util.stripped_op_list_for_graph(graph_def).op], array.tolist(), util.constant_value(tf.constant([3])).tolist()]
