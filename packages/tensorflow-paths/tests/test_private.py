"""What programs take from TensorFlow's private modules: the same values, names and errors."""

import functools
import json
import re
import sys
import zlib

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.client import timeline
from ossia_tensorflow_paths.python.compat import compat as compatibility
from ossia_tensorflow_paths.python.framework import meta_graph
from ossia_tensorflow_paths.python.framework import op_statistics as statistics
from ossia_tensorflow_paths.python.framework import ops as graphs
from ossia_tensorflow_paths.python.framework import smart_cond as conditions
from ossia_tensorflow_paths.python.framework import tensor_spec as bounded
from ossia_tensorflow_paths.python.framework import tensor_util as tensors
from ossia_tensorflow_paths.python.layers import utils as windows
from ossia_tensorflow_paths.python.lib.io import file_io
from ossia_tensorflow_paths.python.ops import gen_ops as generated
from ossia_tensorflow_paths.python.ops import gradient_checker_v2 as gradients
from ossia_tensorflow_paths.python.ops import rnn_cell_impl as rnn_cells
from ossia_tensorflow_paths.python.ops import variables
from ossia_tensorflow_paths.python.ops.ragged import ragged_functional_ops as ragged
from ossia_tensorflow_paths.python.tools import freeze_graph as freezing
from ossia_tensorflow_paths.python.tools import inspect_checkpoint as inspection
from ossia_tensorflow_paths.python.util import deprecation as deprecations
from ossia_tensorflow_paths.python.util import function_utils as functions
from ossia_tensorflow_paths.python.util import object_identity as identity
from ossia_tensorflow_paths.python.util import tf_decorator as decorators
from ossia_tensorflow_paths.python.util import tf_inspect as inspecting


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_shapes():
    assert tensors.unknown_shape().ndims is None
    assert tensors.unknown_shape(ndims=2).as_list() == [None, None]
    assert tensors.vector(3).as_list() == [3] and tensors.matrix(2, None).as_list() == [2, None]
    assert tensors.as_dimension(4).value == 4 and tensors.as_shape([1]).as_list() == [1]
    part = tf.stack([tf.placeholder(tf.int32, []), 3])
    assert tensors.constant_value_as_shape(part).as_list() == [None, 3]
    with pytest.raises(TypeError, match="Unknown arguments"):
        tensors.unknown_shape(dims=2)


def test_generated_functions_take_arguments_by_position():
    x = tf.constant([-1.0, 2.0])
    with tf.Session() as session:
        assert session.run(generated.relu_grad(x, x)).tolist() == [0.0, 2.0]
        assert session.run(generated.mat_mul([[1.0]], [[2.0]], transpose_b=True)).tolist() == [[2.0]]
    assert generated.top_kv2(x, 1, name="best").values.op.name == "best"
    with pytest.raises(AttributeError, match="no_such_op"):
        generated.no_such_op  # noqa: B018


def test_conditions_known_while_the_graph_is_built(graph):
    assert conditions.smart_cond(True, lambda: 1, lambda: 2) == 1
    assert conditions.smart_cond(tf.constant(False), lambda: 1, lambda: 2) == 2
    assert conditions.smart_cond(0, lambda: 1, lambda: 2) == 2
    pred = tf.placeholder(tf.bool, [])
    found = conditions.smart_cond(pred, lambda: tf.constant(1), lambda: tf.constant(2), name="choice")
    assert found.op.type == "Merge" and found.op.name == "choice/Merge"
    with pytest.raises(TypeError, match="Found instead"):
        conditions.smart_cond(2.5, lambda: 1, lambda: 2)
    with pytest.raises(TypeError, match="must be callable"):
        conditions.smart_cond(pred, 1, 2)


def test_names_and_scopes():
    assert graphs.strip_name_scope("^a/b", "a") == "^b" and graphs.strip_name_scope("a/b", "") == "a/b"
    assert graphs.prepend_name_scope("loc:@b", "a/") == "loc:@a/b"
    assert [t.op.name for t in graphs.convert_n_to_tensor([1, 2.0], name="k")] == ["k_0", "k_1"]
    with tf.name_scope("s"):
        assert graphs.get_name_scope() == "s"
    assert not graphs.inside_function()


def test_variables():
    plain = tf.get_variable("plain", [])
    resource = tf.get_variable("resource", [], use_resource=True)
    assert variables.is_resource_variable(resource) and not variables.is_resource_variable(plain)
    assert isinstance(plain, variables.RefVariable) and isinstance(resource, variables.ResourceVariable)
    raw = variables.variable_op_v2([2], tf.float32)
    with tf.Session() as session:
        assert session.run(variables.init_variable(raw, tf.ones_initializer())).tolist() == [1.0, 1.0]


def test_a_cell_written_by_hand():
    class Cell(rnn_cells.LayerRNNCell):
        state_size = output_size = 3

        def build(self, shape):
            self.kernel = self.add_variable(rnn_cells._WEIGHTS_VARIABLE_NAME, [shape[1].value + 3, 3])
            self.built = True

        def call(self, inputs, state):
            output = tf.matmul(tf.concat([inputs, state], 1), self.kernel)
            return output, output

    outputs, _ = tf.nn.dynamic_rnn(Cell(), tf.ones([2, 3, 4]), dtype=tf.float32)
    assert outputs.shape.as_list() == [2, 3, 3]
    assert [v.name for v in tf.trainable_variables()] == ["rnn/cell/kernel:0"]
    with pytest.raises(TypeError, match=rnn_cells.ASSERT_LIKE_RNNCELL_ERROR_REGEXP):
        rnn_cells.assert_like_rnncell("cell", 3)
    assert rnn_cells._zero_state_tensors(3, 2, tf.float32).shape.as_list() == [2, 3]


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (windows.conv_output_length, (7, 3, "same", 2), 4),
        (windows.conv_output_length, (7, 3, "valid", 2, 2), 2),
        (windows.conv_output_length, (None, 3, "valid", 2), None),
        (windows.conv_output_length, (None, 3, "full", 2), None),
        (windows.conv_output_length, (5, 3, "full", 2), 4),
        (windows.conv_output_length, (7, 3, "full", 2, 2), 6),
        (windows.deconv_output_length, (4, 3, "valid", 2), 9),
        (windows.deconv_output_length, (4, 5, "same", 2), 8),
        (windows.deconv_output_length, (4, 3, "full", 2), 5),
        (windows.convert_data_format, ("channels_first", 5), "NCDHW"),
        (windows.normalize_tuple, (2, 3, "size"), (2, 2, 2)),
        (windows.normalize_padding, ("SAME",), "same"),
    ],
)
def test_layers_over_images(function, arguments, expected):
    assert function(*arguments) == expected


def test_files(tmp_path):
    path = str(tmp_path / "file")
    file_io.write_string_to_file(path, "one")
    file_io.atomic_write_string_to_file(path, b"two")
    assert file_io.read_file_to_string(path, binary_mode=True) == b"two"
    assert file_io.list_directory(str(tmp_path)) == ["file"]
    with pytest.raises(tf.errors.AlreadyExistsError):
        file_io.atomic_write_string_to_file(path, "three", overwrite=False)
    assert file_io.list_directory(str(tmp_path)) == ["file"]


@pytest.fixture
def trained(tmp_path):
    """A directory with a checkpoint and the text of the graph that it is of."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, tf.get_variable("w", [2, 1], initializer=tf.ones_initializer()), name="y")
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(y))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "model"))
        tf.train.write_graph(session.graph_def, str(tmp_path), "graph.pbtxt")
    return tmp_path


@pytest.mark.parametrize("meta", [False, True], ids=["graph", "meta-graph"])
def test_freeze_graph(trained, meta):
    files = ("", "", True) if meta else (str(trained / "graph.pbtxt"), "", False)
    frozen = freezing.freeze_graph(
        *files, str(trained / "model"), "y", None, None, str(trained / "frozen.pb"), True, "",
        input_meta_graph=str(trained / "model.meta") if meta else None,
    )
    assert sorted((node.name, node.op) for node in frozen.node if node.op != "Identity") == [
        ("w", "Const"), ("x", "Placeholder"), ("y", "MatMul")]
    assert tf.GraphDef.FromString((trained / "frozen.pb").read_bytes()) == frozen


def test_freeze_graph_refuses(trained):
    arguments = (str(trained / "graph.pbtxt"), "", False)
    with pytest.raises(ValueError, match="Input checkpoint '.*other' doesn't exist!"):
        freezing.freeze_graph(*arguments, str(trained / "other"), "y", None, None, None, True, "")
    with pytest.raises(ValueError, match="name of a node to --output_node_names"):
        freezing.freeze_graph(*arguments, str(trained / "model"), "", None, None, None, True, "")
    with pytest.raises(OSError, match="does not exist"):
        freezing.freeze_graph("missing", "", False, str(trained / "model"), "y", None, None, None, True, "")


@pytest.mark.parametrize("tags", ["serve", "serve,gpu"])
def test_freeze_graph_of_a_saved_model(tmp_path, tags):
    """Of the graph with just these tags, whatever else is named as input."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.matmul(x, tf.get_variable("w", initializer=[[1.0], [2.0]]), name="y")
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "model"))
        builder.add_meta_graph_and_variables(session, ["serve", "gpu"])
        builder.add_meta_graph(["serve"])
        builder.save()
    arguments = ("missing", "", False, None, "y", None, None, str(tmp_path / "frozen.pb"), True, "")
    frozen = freezing.freeze_graph(*arguments, input_saved_model_dir=str(tmp_path / "model"), saved_model_tags=tags)
    with tf.Graph().as_default(), tf.Session() as session:
        y, = tf.import_graph_def(frozen, return_elements=["y:0"], name="")
        assert session.run(y, {"x:0": [[3.0, 4.0]]}) == 11
    with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
        freezing.freeze_graph(*arguments, input_saved_model_dir=str(tmp_path / "model"), saved_model_tags="other")
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        freezing.freeze_graph(*arguments, input_saved_model_dir=str(tmp_path / "other"))


def test_inspect_checkpoint(trained, capsys):
    inspection.print_tensors_in_checkpoint_file(str(trained / "model"), "w", False)
    assert capsys.readouterr().out.splitlines() == ["tensor_name:  w", "[[1.]", " [1.]]", "# Total number of params: 8"]
    inspection.print_tensors_in_checkpoint_file(str(trained / "model"), None, False, True, ".*Adam")
    *names, total = capsys.readouterr().out.splitlines()
    assert names == [f"tensor_name:  {name}" for name in ["beta1_power", "beta2_power", "w", "w/Adam", "w/Adam_1"]]
    assert total == "# Total number of params: 4"
    inspection.print_tensors_in_checkpoint_file(str(trained / "model"), "q", False)
    assert "not found" in capsys.readouterr().out


def test_timeline():
    metadata = tf.RunMetadata()
    x = tf.placeholder(tf.float32, [], name="fed")
    with tf.Session() as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(tf.square(tf.add(x, 1.0, name="sum"), name="top"), {x: 2.0}, options, metadata)
    text = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format(show_memory=True)
    events = json.loads(text)["traceEvents"]
    steps = {event["name"]: event["args"] for event in events if event["ph"] == "X"}
    assert steps["Square"] == {"name": "top", "op": "Square", "input0": "sum"}
    assert {event["ph"] for event in events} == {"M", "X", "C", "N", "O", "D"}


def test_timeline_of_memory():
    """The numbers are those of TensorFlow 1.15 for the same steps."""
    metadata = tf.RunMetadata()
    device = metadata.step_stats.dev_stats.add(device="/cpu:0")
    for i, (name, label) in enumerate([("a", "a = NoOp()"), ("b", "b = Add(a, c:1)"), ("m", "MEMCPYHtoD")]):
        stats = device.node_stats.add(node_name=name, timeline_label=label, all_start_micros=100 + 10 * i)
        stats.op_end_rel_micros, stats.all_end_rel_micros = 5, 6
        allocation = stats.output.add(slot=0).tensor_description.allocation_description
        allocation.requested_bytes, allocation.allocator_name = 100 * (i + 1), "cpu"
    analysis = timeline.Timeline(metadata.step_stats).analyze_step_stats()
    assert analysis.allocator_maximums == {"cpu": (110, 300, {"a", "b"})}
    events = json.loads(analysis.chrome_trace.format_to_string())["traceEvents"]
    assert [event["args"]["name"] for event in events[:3]] == ["Allocators", "/cpu:0 Compute", "/cpu:0 Tensors"]
    counters = [(event["ts"], event["args"]["cpu"]) for event in events if event["ph"] == "C"]
    assert counters == [(100, 100), (110, 300), (115, 200), (116, 0), (120, 300), (126, 0)]
    dropped = {event["name"]: event["ts"] for event in events if event["ph"] == "D"}
    assert dropped == {"a": 115, "b": 116, "m": 126}


def test_timeline_of_memory_of_steps_that_take_no_time():
    """The numbers are those of TensorFlow 1.15 for the same steps."""
    metadata = tf.RunMetadata()
    device = metadata.step_stats.dev_stats.add(device="/cpu:0")
    for i, (name, label) in enumerate([("a", "a = NoOp()"), ("b", "b = Add(a, c:1)"), ("c", "c = Neg(b)")]):
        stats = device.node_stats.add(node_name=name, timeline_label=label, all_start_micros=100 + 10 * (i // 2))
        allocation = stats.output.add(slot=0).tensor_description.allocation_description
        allocation.requested_bytes, allocation.allocator_name = 100 * (i + 1), "cpu"
    analysis = timeline.Timeline(metadata.step_stats).analyze_step_stats()
    assert analysis.allocator_maximums == {"cpu": (100, 200, {"a", "b"})}
    events = json.loads(analysis.chrome_trace.format_to_string())["traceEvents"]
    counters = [(event["ts"], event["args"]["cpu"]) for event in events if event["ph"] == "C"]
    assert counters == [(100, -100), (100, 0), (100, 200), (109, 0), (110, -300), (110, 0)]


def test_scoped_meta_graph():
    with tf.variable_scope("part"):
        tf.get_variable("v", [2])
    found, names = meta_graph.export_scoped_meta_graph(export_scope="part")
    assert list(names) == ["v:0"]
    with tf.Graph().as_default():
        assert [v.name for v in meta_graph.import_scoped_meta_graph(found, import_scope="new").values()] == ["new/v:0"]


def test_deprecation_is_logged_once(caplog):
    @deprecations.deprecated("2020-01-01", "Use another.")
    def old(a):
        """Doubles."""
        return 2 * a

    @deprecations.deprecated_args(None, "Leave it out.", "b")
    def partly(a, b=None):
        return a

    assert [old(1), old(2), partly(1), partly(1, 2)] == [2, 4, 1, 1]
    first, second = caplog.records
    assert re.match(r"From .*test_private.py:\d+: .*old \(from .*\) is deprecated and will be removed", first.message)
    assert re.search(r"calling .*partly \(from .*\) with b is deprecated and will be removed in a", second.message)
    assert old.__name__ == "old" and old.__doc__.startswith("Doubles. (deprecated)") and "2020-01-01" in old.__doc__
    assert inspecting.getfullargspec(partly).args == ["a", "b"]


def test_deprecations_are_logged_in_parts():
    class Logger:
        said = []

        def warning(self, text, *words):
            self.said.append(words[1:])

    @deprecations.deprecated_arg_values(None, "Try.", kind="old", warn_once=False)
    def values(kind="old"):
        return kind

    alias = deprecations.deprecated_alias("was", "is", values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "tensorflow.python.platform.tf_logging", Logger())
        assert [values(), values("new"), alias("new"), alias("new")] == ["old", "new", "new", "new"]
        with deprecations.silence():
            values()
    named = (values.__qualname__, __name__, "kind", "'old'", "in a future version", "Try.")
    assert Logger.said == [named, ("was", "is")]
    assert values.__doc__.startswith("DEPRECATED FUNCTION ARGUMENT VALUES\n\nWarning: SOME ARGUMENT VALUES")
    with pytest.raises(ValueError, match="make sure @property appears before @deprecated"):
        deprecations.deprecated(None, "Try.")(3)


def test_dates_of_compatibility():
    assert compatibility.forward_compatible(2019, 8, 20) and not compatibility.forward_compatible(2019, 8, 21)
    with compatibility.forward_compatibility_horizon(2020, 1, 1):
        assert compatibility.forward_compatible(2019, 8, 21)
    assert not compatibility.enabled()


def test_gradients_of_functions():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    found, differences = gradients.compute_gradient(lambda x, y: x * y + tf.reduce_sum(x), [x, y])
    assert found[0].tolist() == [[5, 1, 1], [1, 6, 1], [1, 1, 7]] and found[1].tolist() == np.diag(x).tolist()
    assert gradients.max_error(found, differences) < 1e-5
    with tf.Session():
        found, _ = gradients.compute_gradient(lambda x: tf.abs(x) ** 2, [np.array([1 + 1j, 2 + 0j])])
        assert found[0].tolist() == [[2, 0], [2, 0], [0, 4], [0, 0]]
    with pytest.raises(ValueError, match="must be a list"):
        gradients.compute_gradient(tf.square, x)


def test_objects_told_apart():
    one, two = [], []
    found = identity.ObjectIdentitySet([one, two])
    assert len(found) == 2 and one in found and [] not in found
    found.discard(one)
    found.update([two])
    assert list(found) == [two]
    table = identity.ObjectIdentityDictionary()
    table[one] = 1
    assert table[one] == 1 and two not in table and list(table) == [[]]
    del table[one]
    assert len(table) == 0


def test_deprecation_says_when_and_what():
    for decorate in (
        lambda: deprecations.deprecated("soon", "Use another."),
        lambda: deprecations.deprecated("2020-01-01", ""),
        lambda: deprecations.deprecated_args("2020-01-01", "Leave it out."),
        lambda: deprecations.deprecated_args("2020-01-01", "Leave it out.", "b")(lambda a: a),
        lambda: deprecations.deprecated_arg_values("2020-01-01", "Say no."),
    ):
        with pytest.raises(ValueError):
            decorate()
    with pytest.raises(ValueError, match="Cannot specify both 'old' and 'new'"):
        deprecations.deprecated_argument_lookup("new", 1, "old", 2)
    assert deprecations.deprecated_argument_lookup("new", None, "old", 2) == 2
    assert deprecations.rewrite_argument_docstring("`a` and\na: one", "a", "b") == "`b` and\nb: one"


def test_deprecated_classes_and_values(caplog):
    class Held:
        """Holds."""

        def __init__(self, value):
            self.value = value

    Old = deprecations.deprecated_alias("tf.Old", "tf.Held", Held)

    @deprecations.deprecated_arg_values("2020-01-01", "Say no.", flag=True)
    def flagged(flag=False):
        return flag

    assert Old(3).value == 3 and issubclass(Old, Held) and [flagged(), flagged(flag=True)] == [False, True]
    assert ["tf.Old" in caplog.records[0].message, "flag=True" in caplog.records[1].message] == [True, True]
    with deprecations.silence():
        Old(4)
    assert len(caplog.records) == 2


def test_decorators_are_unwrapped():
    def target(a, b=1):
        """Targets."""

    made = decorators.make_decorator(target, lambda *args: 3, "named", "Both.")
    found, inner = decorators.unwrap(made)
    assert inner is target and [item.decorator_name for item in found] == ["named"]
    assert made() == 3 and made.__doc__ == "Both." and made.__name__ == "target"
    assert decorators.TFDecorator("outer", lambda a: a + 1)(1) == 2


def test_statistics():
    @statistics.RegisterStatistics("OpOfAStatistic", "flops")
    def flops(graph, node):
        return statistics.OpStats("flops", 3)

    node = tf.NodeDef(op="OpOfAStatistic", name="n")
    total = statistics.OpStats("flops")
    total += statistics.get_stats_for_node_def(tf.get_default_graph(), node, "flops")
    total += statistics.get_stats_for_node_def(tf.get_default_graph(), node, "flops")
    assert total.value == 6 and statistics.get_stats_for_node_def(tf.get_default_graph(), node, "other").value is None
    with pytest.raises(KeyError, match="Registering two"):
        statistics.RegisterStatistics("OpOfAStatistic", "flops")(flops)
    with pytest.raises(ValueError, match="Can't add"):
        total += statistics.OpStats("other", 1)


def test_bounded_specs():
    spec = bounded.BoundedTensorSpec([2, 3], tf.float32, 0, [1, 2, 3])
    assert spec.maximum.tolist() == [1, 2, 3] and not spec.minimum.flags.writeable
    assert spec == bounded.BoundedTensorSpec.from_spec(spec) != bounded.BoundedTensorSpec([2, 3], tf.float32, 0, 1)
    with pytest.raises(ValueError, match="not compatible with shape"):
        bounded.BoundedTensorSpec([2, 3], tf.float32, [0, 0], 1)


def test_ragged_functions():
    rows = tf.ragged.constant([[1, 2], [3]])
    with tf.Session() as session:
        assert session.run(ragged.concat([rows, rows], 1)).to_list() == [[1, 2, 1, 2], [3, 3]]
        assert session.run(ragged.segment_sum(rows, [0, 0], 1)).to_list() == [[4, 2]]
        assert session.run(ragged.to_tensor(ragged.from_sparse(ragged.to_sparse(rows)))).tolist() == [[1, 2], [3, 0]]
    assert ragged.match_row_splits_dtypes(rows, 3, return_dtype=True)[0] is tf.int64


def test_conditions_that_constants_decide():
    less = tf.less(tf.constant(1), tf.constant(2))
    assert conditions.smart_constant_value(less) is True and conditions.constant_value(less) is None
    assert conditions.smart_cond(np.bool_(True), lambda: "yes", lambda: "no") == "yes"
    assert conditions.smart_case([(False, lambda: 1), (True, lambda: 2)], lambda: 3) == 2
    p = tf.placeholder_with_default(True, [])
    chosen = conditions.smart_case([(p, lambda: tf.constant(1))], lambda: tf.constant(2))
    assert chosen.name == "smart_case_1/cond/Merge:0"


def test_graphs_of_inputs_and_gradients():
    x = tf.constant(1.0)
    assert graphs._get_graph_from_inputs([x, 3]) is x.graph and graphs.get_gradient_function(x.op) is None
    assert callable(graphs.get_gradient_function(tf.square(x).op)) and graphs.name_from_scope_name("a/") == "a"
    with pytest.raises(LookupError, match="no entry for: Bitcast"):
        graphs.get_gradient_function(tf.bitcast(x, tf.int32).op)
    with pytest.raises(ValueError, match="not from the passed-in graph"):
        graphs._get_graph_from_inputs([x], tf.Graph())


def test_files_are_compared(tmp_path):
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    file_io.write_string_to_file(one, "same")
    file_io.write_string_to_file(two, "same")
    assert file_io.filecmp(one, two) and file_io.file_crc32(one) == hex(zlib.crc32(b"same"))
    file_io.write_string_to_file(two, "other")
    assert not file_io.filecmp(one, two)


def test_arguments_of_functions():
    class Callable:
        def method(self, a, b=1, *, c=2, **rest):
            return a

        def __call__(self, x):
            return x

    call = Callable()
    assert functions.fn_args(call.method) == ("a", "b") and functions.fn_args(call) == ("x",)
    assert functions.fn_args(functools.partial(call.method, 1, b=2)) == ()
    assert functions.has_kwargs(call.method) and not functions.has_kwargs(call)
    assert functions.get_func_name(call.method) == "Callable.method"
    assert functions.get_func_name(functools.partial(call.method)) == "<class 'functools.partial'>"
    assert functions.get_func_code(call.method) is Callable.method.__code__
    assert functions.get_func_code(functools.partial(call.method)) is None
    with pytest.raises(TypeError, match="function-like"):
        functions.has_kwargs(3)


def test_modules_loaded_when_used():
    names: dict = {}
    names["json"] = functions.LazyLoader("json", names, "json")
    assert names["json"].dumps(1) == "1" and names["json"] is json


def test_floating_point_operations_of_nodes():
    def flops(tensor):
        return statistics.get_stats_for_node_def(tensor.graph, tensor.op.node_def, "flops").value

    with tf.Graph().as_default():
        x = tf.ones([1, 5, 5, 2])
        assert flops(tf.matmul(tf.ones([3, 2]), tf.ones([3, 4]), transpose_a=True)) == 48
        assert flops(tf.nn.conv2d(x, tf.ones([2, 2, 2, 3]), 1, "SAME")) == 1200
        assert flops(tf.nn.depthwise_conv2d(x, tf.ones([2, 2, 2, 3]), [1] * 4, "SAME")) == 1200
        assert flops(tf.nn.bias_add(x, tf.ones([2]))) == 50 and flops(tf.negative(x)) is None
        with pytest.raises(ValueError, match="not fully defined"):
            flops(tf.matmul(tf.placeholder(tf.float32, [None, 3]), tf.ones([3, 4])))
