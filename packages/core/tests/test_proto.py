"""The message classes: lazy, complete, usable as TensorFlow's are, and current."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from ossia_core import proto


def test_importing_the_module_does_not_import_protobuf():
    program = "import sys, ossia_core.proto; assert 'google.protobuf' not in sys.modules; ossia_core.proto.NodeDef"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_descriptors_are_current():
    pytest.importorskip("grpc_tools")
    repository = Path(__file__).parents[3]
    subprocess.run([sys.executable, repository / "tools/compile_protos.py", "--check"], check=True)


def test_every_public_message_exists_and_round_trips_when_empty():
    for name in proto.PUBLIC:
        cls = getattr(proto, name)
        assert cls.FromString(cls().SerializeToString()) == cls()


def test_dir_lists_messages_and_enums():
    assert {"GraphDef", "DataType", "SavedTensorSlices", "Code"} <= set(dir(proto))
    for name in dir(proto):
        getattr(proto, name)


@pytest.mark.parametrize("name", ["Nothing", "nodeDef", "_x"])
def test_unknown_names_are_attribute_errors(name):
    with pytest.raises(AttributeError):
        getattr(proto, name)


def test_published_field_numbers():
    numbers = {
        ("GraphDef", "node"): 1,
        ("GraphDef", "versions"): 4,
        ("NodeDef", "attr"): 5,
        ("AttrValue", "func"): 10,
        ("TensorProto", "tensor_content"): 4,
        ("TensorProto", "uint64_val"): 17,
        ("Event", "summary"): 5,
        ("SaverDef", "version"): 7,
        ("ConfigProto", "gpu_options"): 6,
        ("BundleEntryProto", "crc32c"): 6,
        ("VariableDef", "aggregation"): 9,
        ("MetaGraphDef", "collection_def"): 4,
    }
    for (message, field), number in numbers.items():
        assert getattr(proto, message).DESCRIPTOR.fields_by_name[field].number == number


def test_messages_behave_as_programs_expect():
    config = proto.ConfigProto(gpu_options=proto.GPUOptions(allow_growth=True), device_count={"CPU": 2})
    assert config.gpu_options.allow_growth and config.device_count["CPU"] == 2
    assert proto.SaverDef.V2 == 2 and proto.OptimizerOptions.L0 == -1 and proto.SessionLog.START == 1
    assert proto.Summary.Value(tag="a", simple_value=1.5).simple_value == 1.5
    assert proto.DataType.Name(1) == "DT_FLOAT" and proto.DataType.Value("DT_INT32") == 3
    example = proto.Example()
    example.features.feature["x"].int64_list.value.append(3)
    assert proto.Example.FromString(example.SerializeToString()) == example
    graph = proto.GraphDef(node=[proto.NodeDef(name="a", op="NoOp")])
    assert type(graph.node[0]) is proto.NodeDef
    assert pickle.loads(pickle.dumps(graph)) == graph == copy.deepcopy(graph)


def test_text_form():
    from google.protobuf import text_format

    node = text_format.Parse('name: "x" attr { key: "T" value { type: DT_FLOAT } }', proto.NodeDef())
    assert node.attr["T"].type == 1
    assert text_format.Parse(text_format.MessageToString(node), proto.NodeDef()) == node


def test_unknown_fields_survive():
    unknown = b"\xfa\x7f\x03abc"  # field 2047
    assert unknown in proto.NodeDef.FromString(b"\n\x01a" + unknown).SerializeToString()


def test_any_holds_messages():
    collection = proto.CollectionDef()
    collection.any_list.value.add().Pack(proto.NodeDef(name="a"))
    unpacked = proto.NodeDef()
    assert collection.any_list.value[0].Unpack(unpacked) and unpacked.name == "a"
