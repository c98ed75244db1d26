"""Sessions refuse graphs whose nodes cannot be where they should be."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_placement = golden_tests(__file__, "placement_cases.py")


@pytest.mark.parametrize("interactive", [True, False])
def test_only_what_runs_has_to_be_placed_where_it_is_asked_for(interactive):
    config = tf.ConfigProto(graph_options=tf.GraphOptions(place_pruned_graph=True))
    with tf.Graph().as_default():
        with tf.device("/device:GPU:7"):
            elsewhere = tf.constant(1.0)
        here = tf.constant(2.0)
        session = tf.InteractiveSession() if interactive else tf.Session(config=config)
        assert session.run(here) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device for operation Const"):
            session.run(elsewhere)
        session.close()


def test_the_graph_def_of_a_session_has_shapes_where_it_is_asked_for():
    with tf.Graph().as_default():
        tf.constant([1.0])
        config = tf.ConfigProto(graph_options=tf.GraphOptions(infer_shapes=True))
        assert "_output_shapes" in tf.Session(config=config).graph_def.node[0].attr
        assert "_output_shapes" not in tf.Session().graph_def.node[0].attr


def test_log_of_places(capsys):
    with tf.Graph().as_default():
        c = tf.add(tf.constant(1.0, name="a"), 2.0, name="c")
        with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as session:
            session.run(c)
            session.run(c)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Device mapping:")
    assert lines.count("c: (Add): /job:localhost/replica:0/task:0/device:CPU:0") == 1 and len(lines) == 4
