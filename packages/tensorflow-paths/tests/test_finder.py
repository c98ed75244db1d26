"""Ossia under the name `tensorflow`, with the private paths that programs import from."""

import fnmatch
import importlib
import sys

import pytest

from ossia_tensorflow_paths import finder, table


@pytest.fixture(autouse=True)
def tensorflow():
    finder.install()
    yield
    sys.meta_path[:] = [found for found in sys.meta_path if not isinstance(found, finder.TensorflowFinder)]
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
    python.framework.tensor_shape       unknown_shape
    python.framework.tensor_util        constant_value
    python.framework.test_util          run_deprecated_v1
    python.client.device_lib            list_local_devices
    python.client.timeline              Timeline
    python.layers.utils                 smart_cond
    python.lib.io.file_io               FileIO
    python.ops.control_flow_ops         with_dependencies
    python.ops.data_flow_ops            StagingArea
    python.ops.gen_nn_ops               relu_grad
    python.ops.init_ops                 Initializer
    python.ops.resource_variable_ops    ResourceVariable
    python.ops.rnn_cell_impl            LayerRNNCell
    python.ops.variables                RefVariable
    python.tools.freeze_graph           freeze_graph
    python.training.moving_averages     assign_moving_average
    python.training.slot_creator        create_slot
    python.training.training_ops        apply_adam
    python.util.deprecation             deprecated
    core.framework.types_pb2            DT_FLOAT
    core.lib.core.error_codes_pb2       NOT_FOUND
    python.util.compat                  as_bytes
    python.util.nest                    flatten
    core.framework.graph_pb2            GraphDef
    core.framework.node_def_pb2         NodeDef
    core.protobuf.config_pb2            ConfigProto
    core.protobuf.meta_graph_pb2        MetaGraphDef
    core.protobuf.saver_pb2             SaverDef
    core.example.example_pb2            Example
    python.compat.compat                forward_compatible
    python.compat.v2_compat             disable_v2_behavior
    python.framework.composite_tensor   CompositeTensor
    python.framework.config             list_physical_devices
    python.framework.device_spec        DeviceSpec
    python.ops.control_flow_v2_toggles  control_flow_v2_enabled
    python.ops.gradient_checker_v2      compute_gradient
    python.ops.linalg_ops_impl          eye
    python.ops.list_ops                 tensor_list_stack
    python.ops.unconnected_gradients    UnconnectedGradients
    python.training.gen_training_ops    apply_adam
    python.util.object_identity         ObjectIdentitySet
    examples.tutorials.mnist.input_data read_data_sets
    python.framework.test_ops           int_output
    python.ops.linalg.linear_operator_test_util add_tests
    python.ops.linalg.linear_operator_util matrix_solve_with_broadcast
    python.ops.linalg.linear_operator_algebra RegisterCholesky
    python.ops.spectral_ops_test_util   fft_kernel_label_map
    python.kernel_tests.random.util     chi_squared
    python.kernel_tests.signal.test_util grappler_optimize
    python.training.saver_test_utils    CheckpointedOp
    python.util.lock_util               GroupLock
    python.keras.engine.base_layer      Layer
    examples.tutorials.mnist.mnist      inference
    contrib.framework.python.ops.audio_ops decode_wav
    contrib.lookup.lookup_ops           index_table_from_tensor
    contrib.seq2seq.python.ops.attention_wrapper _BaseAttentionMechanism
    lite.python.lite                    TFLiteConverter
    models.rnn.rnn_cell                 BasicLSTMCell
    models.rnn.seq2seq                  rnn_decoder
    python.tpu.tpu_config               TPUConfig
    python.training.summary_io          SummaryWriterCache
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
    modules = [f"{package}.{name}" for package, names in table.MODULES.items() for name in names.split()]
    used = {next((key for key in table.SOURCES if fnmatch.fnmatchcase(module, key)), None) for module in modules}
    assert [pattern for pattern in table.SOURCES if pattern not in used] == []
    assert [module for module in modules if not table.sources(module)] == []
    assert [module for module in table.EMPTY if table.sources(module) or module in modules] == []


def test_modules_without_members_are_importable():
    from tensorflow.python.grappler import item

    with pytest.raises(AttributeError, match=r"tensorflow\.python\.grappler\.item.*'Item'"):
        item.Item  # noqa: B018


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow.python.framework.ops import no_such",
        "from tensorflow.python.ops.rnn_cell_impl import _Linear",
        "from tensorflow.python.ops import no_such_ops",
        "import tensorflow.python.ops.array_ops.reshape",
        "import tensorflow.contrib.boosted_trees",
    ],
)
def test_what_is_not_there_is_not_imported(line):
    with pytest.raises(ImportError, match="tensorflow"):
        exec(line)


def test_systems_that_ossia_does_not_have_are_named():
    with pytest.raises(ImportError, match=r"Ossia does not have tf\.autograph"):
        import tensorflow.autograph.experimental
    with pytest.raises(ImportError, match=r"Ossia does not have tf\.xla: "):
        import tensorflow.xla  # noqa: F401


def test_modules_are_attributes_of_their_packages():
    import tensorflow.python

    assert tensorflow.python.ops.array_ops.reshape is tensorflow.reshape


def test_mocks_take_the_place_of_members():
    from unittest import mock

    from tensorflow.python.ops import init_ops, random_ops

    import ossia

    plain = random_ops.truncated_normal
    with mock.patch.object(random_ops, "truncated_normal", wraps=plain) as mocked, ossia.Graph().as_default():
        init_ops.variance_scaling_initializer(distribution="truncated_normal")([2, 3])
        assert mocked.called
    assert random_ops.truncated_normal is plain and ossia.random.truncated_normal is plain
    random_ops.truncated_normal = len
    assert random_ops.truncated_normal is len
    random_ops.truncated_normal = plain
    random_ops.of_the_program = 1
    assert ossia.truncated_normal is plain and random_ops.of_the_program == 1


def test_functions_of_defun():
    from tensorflow.python.eager.function import defun

    import ossia

    with ossia.Graph().as_default(), ossia.Session() as session:
        assert session.run(defun(lambda x: x * 2)(ossia.constant(3))) == 6
