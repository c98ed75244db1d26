"""Collections whose items programs themselves write to meta graphs."""
import pytest

import ossia as tf
from ossia_checkpoint.collection_defs import register_proto_function


def test_registered_functions_write_and_read_the_items():
    register_proto_function(
        "words", proto_type=tf.train.BytesList,
        to_proto=lambda word, export_scope: tf.train.BytesList(value=[word.encode()]) if word != "left out" else None,
        from_proto=lambda proto, import_scope: proto.value[0].decode(),
    )
    with tf.Graph().as_default() as graph:
        tf.constant(1)
        for word in ("one", "left out", "two"):
            graph.add_to_collection("words", word)
        meta_graph = tf.train.export_meta_graph()
    assert len(meta_graph.collection_def["words"].bytes_list.value) == 2
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta_graph)
        assert graph.get_collection("words") == ["one", "two"]


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="callable"):
        register_proto_function("words", proto_type=tf.train.BytesList, to_proto=3)
