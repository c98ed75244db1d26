"""What is beside the nodes of a meta graph: where they come from; and which savers are left out of it."""

import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_debug_info_beside_the_meta_graph(tmp_path):
    from ossia_core.proto import GraphDebugInfo

    v = tf.Variable([1.0], name="v")
    with tf.Session() as session:
        session.run(v.initializer)
        tf.train.Saver().save(session, str(tmp_path / "model"), save_debug_info=True)
    info = GraphDebugInfo.FromString((tmp_path / "model.debug").read_bytes())
    here = list(info.files).index(__file__)
    assert here in {line.file_index for line in info.traces["v/Assign"].file_line_cols}


def test_extraneous_savers_are_left_out(tmp_path):
    tf.Variable([1.0], name="v")
    first, second = tf.train.Saver(), tf.train.Saver()
    tf.add_to_collection(tf.GraphKeys.SAVERS, first)
    tf.add_to_collection("names", first.saver_def.restore_op_name)
    meta = second.export_meta_graph(clear_extraneous_savers=True)
    assert {node.name.partition("/")[0] for node in meta.graph_def.node} == {"v", "save_1"}
    assert "names" not in meta.collection_def
    [kept] = meta.collection_def[tf.GraphKeys.SAVERS].bytes_list.value
    assert tf.train.SaverDef.FromString(kept).restore_op_name == "save_1/restore_all"
