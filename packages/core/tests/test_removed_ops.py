"""Op types that newer graphs do not have: building and importing them is refused, older graphs run."""
import pytest
from google.protobuf import text_format

import ossia as tf

OLD = """
node { name: "p" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "t" op: "PlaceholderV2" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "i" op: "Identity" input: "t" attr { key: "T" value { type: DT_FLOAT } } }
"""


def graph_def(producer):
    proto = text_format.Parse(OLD, tf.GraphDef())
    proto.versions.producer = producer
    return proto


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_building_is_refused_before_anything_is_made(graph):
    for kind, version in (("PlaceholderV2", 23), ("TensorArrayCloseV2", 26)):
        arguments = {"dtype": tf.float32, "shape": [2]} if kind == "PlaceholderV2" else {"handle": "h"}
        with pytest.raises(NotImplementedError, match=f"{kind} is not available in GraphDef version 134.*{version}"):
            getattr(tf.raw_ops, kind)(**arguments)
    assert not graph.get_operations()
    assert graph.unique_name("PlaceholderV2") == "PlaceholderV2"


def test_create_op_refuses_with_the_status_of_an_import(graph):
    with pytest.raises(tf.errors.UnimplementedError, match="removed in version 23"):
        graph.create_op("PlaceholderV2", [], [tf.float32], attrs={"dtype": tf.float32, "shape": tf.TensorShape([2])})
    assert not graph.get_operations()


@pytest.mark.parametrize("producer", [23, 134])
def test_importing_a_newer_graph_is_refused(graph, producer):
    with pytest.raises(tf.errors.UnimplementedError, match=f"GraphDef version {producer}"):
        tf.import_graph_def(graph_def(producer), name="")
    assert not graph.get_operations() and graph.graph_def_versions.producer == 134


@pytest.mark.parametrize("producer", [0, 22])
def test_an_older_graph_is_imported_runs_and_grows(graph, producer):
    tf.import_graph_def(graph_def(producer), name="")
    assert graph.graph_def_versions.producer == producer
    more = tf.raw_ops.PlaceholderV2(dtype=tf.float32, shape=[1])
    with tf.Session() as session:
        assert session.run(["i:0", more], {"t:0": [1.0, 2.0], more: [3.0]})[0].tolist() == [1.0, 2.0]


def test_a_function_of_an_older_graph_may_hold_it():
    proto = graph_def(22)
    library = """
    library { function {
      signature { name: "f" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_INT32 } }
      node_def { name: "a" op: "TensorArrayV2" input: "n:output:0" attr { key: "dtype" value { type: DT_FLOAT } } }
      node_def { name: "n" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
                 attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 } } } }
      node_def { name: "s" op: "TensorArraySizeV2" input: "a:handle:0" input: "x" }
      ret { key: "y" value: "s:size:0" }
    } }
    node { name: "c" op: "f" input: "p" }
    """
    text_format.Merge(library, proto)
    tf.import_graph_def(proto, name="")
    with tf.Session() as session:
        assert session.run("c:0", {"p:0": 0.0}) == 3


def test_the_definition_says_so(graph):
    tf.import_graph_def(graph_def(1), name="")
    definition = graph.get_operation_by_name("t").op_def
    assert definition.deprecation.version == 23 and "Placeholder" in definition.deprecation.explanation
    assert not graph.get_operation_by_name("i").op_def.HasField("deprecation")
