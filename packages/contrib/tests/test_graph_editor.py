"""Graphs looked into, rewired and copied as by TensorFlow 1.15.5."""

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_graph_editor = golden_tests(__file__, "graph_editor_cases.py")


def test_a_loop_is_not_copied():
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
    with pytest.raises(NotImplementedError, match="copies no loops"):
        tf.contrib.graph_editor.copy(tf.contrib.graph_editor.sgv(tf.get_default_graph()), dst_scope="copy")
