"""Ossia under the name `tensorflow`, with the private paths that programs import from."""

import importlib
import sys

import pytest

from ossia_command import aliases


@pytest.fixture(autouse=True)
def tensorflow():
    aliases.install()
    yield
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, aliases.TensorflowFinder)]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tensorflow"]:
        del sys.modules[name]


def test_public_names():
    import tensorflow as tf
    import tensorflow.compat.v1 as tf1
    import tensorflow.errors
    from tensorflow.compat.v1 import errors

    import ossia

    assert tf is ossia and tf1 is ossia.compat.v1
    assert tensorflow.errors is ossia.errors and errors is ossia.compat.v1.errors
    with pytest.raises(ModuleNotFoundError):
        import tensorflow.no_such


# What programs import, most used first: the module, and one name that they take from it.
PATHS = """
    python.framework.ops                convert_to_tensor
    python.framework.ops                GraphKeys
    python.framework.ops                RegisterGradient
    python.framework.dtypes             float32
    python.framework.errors             NotFoundError
    python.framework.errors_impl        OutOfRangeError
    python.framework.tensor_shape       TensorShape
    python.framework.constant_op        constant
    python.framework.graph_util         convert_variables_to_constants
    python.framework.importer           import_graph_def
    python.framework.random_seed        get_seed
    python.client.session               Session
    python.ops.array_ops                placeholder
    python.ops.control_flow_ops         cond
    python.ops.gradients                gradients
    python.ops.gradients_impl           gradients
    python.ops.variable_scope           get_variable
    python.ops.variables                Variable
    python.ops.resource_variable_ops    Variable
    python.ops.tensor_array_ops         TensorArray
    python.platform.app                 run
    python.platform.flags               DEFINE_string
    python.platform.gfile               Exists
    python.platform.tf_logging          info
    python.platform.test                TestCase
    python.util.compat                  as_bytes
    python.util.nest                    flatten
    core.framework.graph_pb2            GraphDef
    core.framework.node_def_pb2         NodeDef
    core.protobuf.config_pb2            ConfigProto
    core.protobuf.meta_graph_pb2        MetaGraphDef
    core.protobuf.saver_pb2             SaverDef
    core.example.example_pb2            Example
"""


@pytest.mark.parametrize("path", [tuple(line.split()) for line in PATHS.split("\n") if line.strip()], ids=" ".join)
def test_private_paths(path):
    module_name, name = path
    module = importlib.import_module(f"tensorflow.{module_name}")
    assert getattr(module, name) is not None
    parent, _, last = f"tensorflow.{module_name}".rpartition(".")
    namespace: dict = {}
    exec(f"from {parent} import {last} as module\nfrom tensorflow.{module_name} import {name} as found", namespace)
    assert namespace["module"] is module and namespace["found"] is getattr(module, name)


def test_unknown_private_name():
    from tensorflow.python.framework import ops

    with pytest.raises(AttributeError, match=r"tensorflow\.python\.framework\.ops.*'no_such'"):
        ops.no_such  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        import tensorflow.python.no_such.module  # noqa: F401


def test_every_pattern_counts():
    patterns = list(aliases.SOURCES)
    samples = [pattern.replace("*", "") for pattern in patterns]
    hidden = [
        pattern for pattern, sample in zip(patterns, samples) if aliases.sources(sample) is not aliases.SOURCES[pattern]
    ]
    assert not hidden
