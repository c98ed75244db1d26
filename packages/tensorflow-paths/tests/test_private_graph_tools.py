"""Private modules that look at graphs and change them: what the original gives for the same calls."""

import inspect

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths import finder
from ossia_tensorflow_paths.python.framework import error_interpolation as interpolation
from ossia_tensorflow_paths.python.framework import func_graph
from ossia_tensorflow_paths.python.framework import op_def_registry as registries
from ossia_tensorflow_paths.python.framework import subscribe as subscriptions
from ossia_tensorflow_paths.python.ops import op_selector
from ossia_tensorflow_paths.python.summary import plugin_asset as plugin_assets
from ossia_tensorflow_paths.python.tools import commands, saved_model_cli
from ossia_tensorflow_paths.python.tools import strip_unused_lib as stripping
from ossia_tensorflow_paths.python.training.tracking import tracking
from ossia_tensorflow_paths.python.util import dispatch as dispatching
from ossia_tensorflow_paths.python.util import serialization
from ossia_tensorflow_paths.python.util import tf_stack as stacks


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def names(items):
    return [item.name for item in items]


def side_effect(tensor):
    return [tf.identity(tensor, name="side")]


def test_subscriptions_come_between_a_tensor_and_its_users(graph):
    a = tf.constant(1.0, name="a")
    b = tf.add(a, 1.0, name="b")
    with tf.control_dependencies([b]):
        after = tf.no_op(name="after")
    c = tf.multiply(b, 2.0, name="c")
    found = subscriptions.subscribe({"x": [a, b]}, side_effect)
    assert names(found["x"]) == ["a/subscription/Identity:0", "b/subscription/Identity:0"]
    assert names(c.op.inputs) == ["b/subscription/Identity:0", "c/y:0"]
    assert names(b.op.inputs) == ["a/subscription/Identity:0", "b/y:0"]
    assert names(after.control_inputs) == ["b/subscription/Identity"]
    again = subscriptions.subscribe(found["x"][1], [side_effect, side_effect])
    assert again is found["x"][1]
    assert names(again.op.control_inputs) == [
        "b/subscription/side", "b/subscription/side_1", "b/subscription/side_2",
    ]


def test_subscribed_tensors_run_their_side_effects():
    seen = []
    total = tf.constant(1.0) + tf.constant(2.0)
    user = tf.identity(total)
    subscriptions.subscribe(total, lambda t: [tf.py_func(lambda x: seen.append(float(x)), [t], [])])
    with tf.Session() as session:
        assert session.run(user) == 3.0 and session.run(total) == 3.0
    assert seen == [3.0]


def test_subscriptions_in_branches(graph):
    x = tf.constant(1.0, name="x")
    tf.cond(tf.constant(True), lambda: tf.add(x, 1.0, name="in"), lambda: x)
    found = subscriptions.subscribe(graph.get_tensor_by_name("cond/in:0"), side_effect)
    assert found.name == "cond/in/subscription/Identity:0"
    assert found.op._get_control_flow_context() is graph.get_operation_by_name("cond/in")._get_control_flow_context()


@pytest.mark.parametrize("value", [None, "x", tf.SparseTensor])
def test_only_tensors_are_subscribed_to(value):
    with pytest.raises(TypeError, match="has invalid type"):
        subscriptions.subscribe(value, side_effect)


def test_walks():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    c = tf.add(a, b, name="c")
    d = tf.multiply(c, a, name="d")
    with tf.control_dependencies([b]):
        e = tf.identity(d, name="e")
    walk = op_selector.get_backward_walk_ops
    assert names(walk(e)) == ["e", "d", "c", "a", "b"]
    assert set(names(walk(e.op, inclusive=False))) == {"d", "a", "c", "b"}
    assert set(names(walk(e, control_inputs=True))) == {"e", "d", "b", "a", "c"}
    assert set(names(walk(e, stop_at_ts=[c]))) == {"e", "d", "a"}
    assert names(walk(e, within_ops=[e.op, d.op])) == ["e", "d"] and walk(e, within_ops=[d.op]) == []
    assert set(names(walk(e, within_ops_fn=lambda op: op.type != "Const"))) == {"e", "d", "c"}
    assert names(op_selector.get_generating_ops([c, d, c])) == ["c", "d", "c"]
    assert names(op_selector.get_consuming_ops([a, b])) == ["c", "d"]
    assert names(op_selector.get_tensors(e.graph)) == ["a:0", "b:0", "c:0", "d:0", "e:0"]
    assert set(names(op_selector.graph_inputs(e.op))) == {"d", "b"}
    assert [op_selector.is_differentiable(op) for op in (c.op, a.op)] == [True, False]


def test_lists_of_tensors_and_operations(graph):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.Graph().as_default():
        other = tf.constant(3.0)
    assert names(op_selector.make_list_of_t([a.op, b], ignore_ops=True)) == ["b:0"]
    assert names(op_selector.make_list_of_op([a, b.op], ignore_ts=True)) == ["b"]
    assert len(op_selector.make_list_of_t(graph)) == len(op_selector.make_list_of_op(graph)) == 2
    assert op_selector.get_unique_graph([a, b.op]) is graph
    assert op_selector.get_unique_graph([], none_if_empty=True) is None
    assert op_selector.concatenate_unique([1, 2], [2, 3]) == [1, 2, 3]
    for error, function, arguments in (
        (TypeError, op_selector.make_list_of_t, ([a.op],)), (TypeError, op_selector.make_list_of_t, (3,)),
        (TypeError, op_selector.make_list_of_op, ([a],)), (TypeError, op_selector.get_tensors, (3,)),
        (TypeError, op_selector.make_list_of_t, (graph, True, False)), (TypeError, op_selector.get_unique_graph, (3,)),
        (ValueError, op_selector.get_unique_graph, ([],)), (ValueError, op_selector.get_unique_graph, ([a, other],)),
        (ValueError, op_selector.check_graphs, (a, other)), (TypeError, op_selector.get_generating_ops, ([a.op],)),
    ):
        with pytest.raises(error):
            function(*arguments)


def test_assets_of_plugins(tmp_path, graph):
    class Asset(plugin_assets.PluginAsset):
        plugin_name = "notes"

        def assets(self):
            return {"a.txt": "hello", "b.bin": b"\0\1"}

    class Other(plugin_assets.PluginAsset):
        plugin_name = "notes"

    class Nameless(plugin_assets.PluginAsset):
        pass

    asset = plugin_assets.get_plugin_asset(Asset)
    assert plugin_assets.get_plugin_asset(Asset) is asset and plugin_assets.get_all_plugin_assets() == [asset]
    assert plugin_assets.get_all_plugin_assets(tf.Graph()) == []
    with pytest.raises(ValueError, match="Plugin name collision between classes Other and Asset"):
        plugin_assets.get_plugin_asset(Other)
    with pytest.raises(ValueError, match="has no plugin_name"):
        plugin_assets.get_plugin_asset(Nameless)
    tf.summary.FileWriter(str(tmp_path), graph=graph).close()
    assert (tmp_path / "plugins/notes/a.txt").read_text() == "hello"
    assert (tmp_path / "plugins/notes/b.bin").read_bytes() == b"\0\1"


def test_names_in_messages(graph):
    tf.constant(1.0, name="One")
    assert interpolation.parse_message("x{{node One}}y{{bad Two}}") == (
        ["x", "y", ""], [("node", "One"), ("bad", "Two")],
    )
    text = interpolation.interpolate("x{{node One}}y", graph)
    assert text.startswith("xnode One (defined at ") and text.endswith(" y")
    for message in ("plain", "{{node zzz}}", "{{bad One}}", "{{node One} }"):
        assert interpolation.interpolate(message, graph) == message


def test_stacks_that_know_where():
    stack = stacks.TraceableStack()
    stack.push_obj("a")
    line = inspect.currentframe().f_lineno - 1
    stack.push_obj("b")
    assert list(stack.peek_objs()) == ["b", "a"] and stack.peek_top_obj() == "b" and len(stack) == 2
    assert [t.lineno for t in stack.peek_traceable_objs()] == [line + 2, line]
    assert stack.copy().pop_obj() == "b" and stack.pop_obj() == "b" and list(stack.peek_objs()) == ["a"]
    thing = stacks.TraceableObject(17)
    assert thing.set_filename_and_line_from_caller() == thing.SUCCESS and thing.filename == __file__
    assert thing.set_filename_and_line_from_caller(offset=10_000) == thing.HEURISTIC_USED
    assert thing.copy_metadata().obj is None
    frame, = stacks.extract_stack(limit=1)
    assert frame.name == "test_stacks_that_know_where"
    assert stacks.convert_stack([frame])[0][3] == "frame, = stacks.extract_stack(limit=1)"


def test_functions_for_other_classes():
    class Thing:
        pass

    @dispatching.dispatch_for_types(tf.negative, Thing)
    def negative_of_things(x, name=None):
        return "negative"

    @dispatching.add_dispatch_support
    def mine(x):
        return tf.convert_to_tensor(x)

    dispatching.dispatch_for_types(mine, Thing)(lambda x: "mine")
    assert tf.negative(Thing()) == "negative" and mine(Thing()) == "mine" and mine(1.0).dtype is tf.float32
    with pytest.raises(TypeError):
        mine(object())
    with pytest.raises(AssertionError, match="signature"):
        dispatching.dispatch_for_types(tf.negative, Thing)(lambda y: y)


def test_json_types():
    shape = tf.TensorShape([1, None])
    assert serialization.get_json_type(shape) == [1, None] and serialization.get_json_type(tf.Dimension(3)) == 3
    assert serialization.get_json_type(int) == "int" and serialization.get_json_type(np.float32(2)) == 2.0
    assert serialization.get_json_type(np.array([1, 2])) == [1, 2]
    with pytest.raises(TypeError, match="Not JSON Serializable"):
        serialization.get_json_type(object())
    with pytest.raises(ValueError, match="unknown TensorShape"):
        serialization.get_json_type(tf.TensorShape(None))


def test_parts_of_graphs(graph, tmp_path, capsys):
    x = tf.constant([1.0], name="x")
    tf.add(tf.multiply(x, 2.0, name="y"), 1.0, name="z")
    whole, kind = graph.as_graph_def(), tf.float32.as_datatype_enum
    found = stripping.strip_unused(whole, ["y"], ["z"], kind)
    assert [(n.name, n.op, list(n.input)) for n in found.node] == [
        ("y", "Placeholder", []), ("z/y", "Const", []), ("z", found.node[2].op, ["y", "z/y"]),
    ]
    assert found.node[0].attr["dtype"].type == kind
    assert len(stripping.strip_unused(whole, ["y", "x"], ["z"], [kind, kind]).node) == 3
    for error, inputs, outputs in (
        (KeyError, ["q"], ["z"]), (AssertionError, ["y"], ["q"]), (ValueError, ["y:0"], ["z"]),
    ):
        with pytest.raises(error):
            stripping.strip_unused(whole, inputs, outputs, kind)
    source, target = tmp_path / "in.pb", tmp_path / "out.pbtxt"
    source.write_bytes(whole.SerializeToString())
    stripping.strip_unused_from_files(str(source), True, str(target), False, "y", "z", kind)
    assert 'op: "Placeholder"' in target.read_text() and "3 ops in the final graph" in capsys.readouterr().out


def test_op_libraries():
    library = registries.OpDefLibrary()
    with pytest.raises(RuntimeError, match="Unrecognized Op name Neg"):
        library.apply_op("Neg", x=1.0)
    library.add_op(tf.constant(1.0).op.op_def)
    library.add_op(tf.negative(1.0).op.op_def)
    assert library.apply_op("Neg", name="less", x=1.0).op.name == "less"


def test_bodies_traced_by_hand():
    x = tf.constant(1.0)
    body = func_graph.func_graph_from_py_func("f", lambda x, y=2.0: {"s": x + y, "c": None}, (x,), {})
    assert body.name == "f" and names(body.inputs) == ["placeholder:0"] and names(body.outputs) == ["Identity:0"]
    assert body.structured_outputs["c"] is None
    specs = (tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.int32, name="yy"))
    body = func_graph.func_graph_from_py_func("f", lambda x, y: [x * 2, y], specs, {})
    assert names(body.inputs) == ["placeholder:0", "yy:0"] and body.output_types == [tf.float32, tf.int32]
    assert body.structured_input_signature == (
        (tf.TensorSpec([None, 2], tf.float32, "0"), tf.TensorSpec([], tf.int32, "1")), {},
    )
    body = func_graph.func_graph_from_py_func("f", lambda: tf.no_op(), (), {}, op_return_value=tf.constant(1))
    assert body.structured_outputs.dtype is tf.int32
    for error, function, args in (
        (TypeError, lambda: tf.no_op(), ()), (TypeError, lambda: object(), ()),
        (ValueError, lambda items: items.append(1), ([x],)),
    ):
        with pytest.raises(error):
            func_graph.func_graph_from_py_func("f", function, args, {})


class Holder(tracking.AutoTrackable):
    pass


def dependencies(item):
    return [name for name, _ in item._checkpoint_dependencies]


def test_attributes_become_dependencies():
    item = Holder()
    item.v, item.n, item.t = tf.Variable(1.0), 3, (1,)
    item.l, item.d, item.o = [tf.Variable(2.0)], {"a": item.v}, Holder()
    item.none = tracking.NoDependency([1])
    assert dependencies(item) == ["v", "l", "d", "o"] and item.none == [1] and type(item.none) is list
    assert isinstance(item.l, list) and isinstance(item.d, dict) and dependencies(item.d) == ["a"]
    item.l.append(tf.Variable(3.0))
    assert dependencies(item.l) == ["0", "1"] and len(item.l.variables) == 2
    del item.o
    assert dependencies(item) == ["v", "l", "d"] and item._lookup_dependency("v") is item.v
    assert item._lookup_dependency("o") is None
    assert [type(part).__name__ for part in tracking.list_objects(item)][:1] == ["Holder"]
    with pytest.raises(TypeError, match="not a Trackable"):
        item._track_trackable(3, "b")
    with pytest.raises(ValueError, match="already declared"):
        item._track_trackable(Holder(), "v")
    with tracking.no_automatic_dependency_tracking_scope(item):
        item.q = Holder()
    assert "q" not in dependencies(item)
    for value in (item.v, tf.train.AdamOptimizer(), tf.layers.Dense(1), tf.Module(), item):
        assert isinstance(value, tracking.Trackable)
    assert not isinstance(3, tracking.Trackable) and not isinstance(item.v, tracking.AutoTrackable)


def test_structures_of_trackables():
    items = tracking.List([tf.Variable(1.0)])
    items.extend([tf.Variable(2.0, trainable=False)])
    assert dependencies(items) == ["0", "1"] and len(items.trainable_variables) == 1 and len(items.weights) == 2
    with pytest.raises(ValueError, match="Only trackable objects"):
        items.append(3)
    mapping = tracking.Mapping(a=tf.Variable(1.0))
    assert dependencies(mapping) == ["a"] and list(mapping) == ["a"] and len(mapping) == 1
    with pytest.raises(ValueError, match="append-only"):
        mapping["a"] = tf.Variable(1.0)
    with pytest.raises(TypeError, match="only string keys"):
        mapping[3] = tf.Variable(1.0)


def test_modules_are_found():
    finder.install()
    from tensorflow.python.framework import error_interpolation, op_def_library, subscribe, traceable_stack
    from tensorflow.python.framework.func_graph import func_graph_from_py_func
    from tensorflow.python.ops import op_selector as selector
    from tensorflow.python.summary import plugin_asset
    from tensorflow.python.tools import strip_unused_lib
    from tensorflow.python.training.tracking import base, data_structures
    from tensorflow.python.training.tracking import tracking as modules
    from tensorflow.python.util import dispatch, tf_stack
    from tensorflow.python.util import serialization as json

    assert subscribe.subscribe is subscriptions.subscribe and selector.get_tensors is op_selector.get_tensors
    assert modules.AutoTrackable is tracking.AutoTrackable and base.Trackable is tracking.Trackable
    assert data_structures.NoDependency is tracking.NoDependency and dispatch.dispatch is dispatching.dispatch
    assert json.get_json_type is serialization.get_json_type and tf_stack.extract_stack is stacks.extract_stack
    assert error_interpolation.interpolate is interpolation.interpolate
    assert op_def_library.OpDefLibrary is registries.OpDefLibrary
    assert traceable_stack.TraceableStack is stacks.TraceableStack
    assert func_graph_from_py_func is func_graph.func_graph_from_py_func
    assert plugin_asset.PluginAsset is plugin_assets.PluginAsset
    assert strip_unused_lib.strip_unused is stripping.strip_unused


def test_functions_become_graphs_of_their_own(graph):
    from ossia_tensorflow_paths.python.framework.func_graph import function_def_to_graph
    from ossia_tensorflow_paths.python.framework.function import Defun

    @Defun(tf.float32, tf.int32, func_name="pair")
    def pair(x, y):
        return tf.identity(x, name="o"), y + 1

    pair.add_to_graph(graph)
    body = function_def_to_graph(pair.definition, [tf.TensorShape([1, 2]), tf.TensorShape(None)])
    assert (body.name, names(body.inputs), names(body.outputs)) == ("pair", ["x:0", "y:0"], ["o_0:0", "add_0:0"])
    assert body.outputs[0].shape.as_list() == [1, 2] and body.outputs[1].shape.ndims is None
    with pytest.raises(ValueError, match="must match the number of input_args"):
        function_def_to_graph(pair.definition, [tf.TensorShape([1])])


def test_meta_graphs_of_chosen_collections(graph):
    from ossia_tensorflow_paths.python.framework import meta_graph

    tf.Variable(tf.constant(1.0, name="a"), name="v")
    for item in (3, 4):
        tf.add_to_collection("counts", item)
    tf.add_to_collection("mixed", 1)
    tf.add_to_collection("mixed", "a")
    made = meta_graph.create_meta_graph_def(graph_def=graph.as_graph_def(add_shapes=True))
    assert sorted(made.collection_def) == ["counts", "trainable_variables", "variables"]
    assert [op.name for op in made.meta_info_def.stripped_op_list.op] == ["Assign", "Const", "Identity", "VariableV2"]
    one = tf.MetaGraphDef()
    meta_graph.add_collection_def(one, "counts", graph=graph)
    assert list(one.collection_def["counts"].int64_list.value) == [3, 4]
    meta_graph.add_collection_def(one, "variables", export_scope="elsewhere")
    assert "variables" not in one.collection_def
    with pytest.raises(TypeError, match="graph_def must be of type GraphDef"):
        meta_graph.create_meta_graph_def(graph_def=3)


def test_cases_whose_predicates_are_known(graph):
    from ossia_tensorflow_paths.python.framework.smart_cond import smart_case

    assert smart_case([(False, lambda: 1)]) == 1
    assert smart_case([(True, lambda: 1), (True, lambda: 2)], exclusive=True) == 1
    with pytest.raises(TypeError, match="fns must be a list, tuple, or dict"):
        smart_case("a")
    assert not graph.get_operations()


def test_rows_of_batches_by_index():
    from ossia_ops.array.batched_gather import batch_gather_nd

    rows = batch_gather_nd(tf.constant([[1, 2], [3, 4]]), tf.constant([[0], [1]]), 1)
    assert rows.op.name.startswith("BatchGatherND/") and rows.shape.as_list() == [2]
    with tf.Session() as session:
        assert session.run(rows).tolist() == [1, 4]


def test_tools_are_commands(graph, tmp_path, monkeypatch, capsys):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.add(x * tf.get_variable("v", initializer=[1.0, 2.0]), 1.0, name="y")
    monkeypatch.chdir(tmp_path)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, "model")
        tf.train.write_graph(session.graph_def, ".", "graph.pbtxt")
        tf.saved_model.simple_save(session, "saved", {"x": x}, {"y": y})
    commands.freeze(["--input_graph=graph.pbtxt", "--input_checkpoint=model", "--output_graph=frozen.pb",
                     "--output_node_names=y"])
    commands.strip(["--input_graph=frozen.pb", "--input_binary", "--output_graph=stripped.pb",
                    "--input_node_names=x", "--output_node_names=y"])
    assert commands.optimize(["--input=frozen.pb", "--output=optimized.pb", "--input_names=x", "--output_names=y"]) == 0
    for name in ("frozen.pb", "stripped.pb", "optimized.pb"):
        with tf.Graph().as_default() as read, tf.Session() as session:
            tf.import_graph_def(tf.GraphDef.FromString((tmp_path / name).read_bytes()), name="")
            assert "VariableV2" not in {op.type for op in read.get_operations()}
            assert session.run("y:0", {"x:0": [[1.0, 1.0]]}).tolist() == [[2, 3]]
    capsys.readouterr()
    assert commands.inspect(["--file_name=model", "--all_tensors"]) == 0
    assert capsys.readouterr().out == "tensor_name:  v\n[1. 2.]\n# Total number of params: 2\n"
    saved_model_cli.main(["show", "--dir", "saved", "--all"])
    assert "    inputs['x'] tensor_info:\n        dtype: DT_FLOAT\n        shape: (-1, 2)\n" in capsys.readouterr().out
    chosen = ["--dir", "saved", "--tag_set", "serve", "--signature_def", "serving_default"]
    saved_model_cli.main(["run", *chosen, "--input_exprs", "x=[[1.0, 2.0]]"])
    assert capsys.readouterr().out == "Result for output key y:\n[[2. 5.]]\n"
    saved_model_cli.main(["run", *chosen, "--input_exprs", "x=[[1.0, 2.0]]", "--outdir", "out"])
    assert np.load("out/y.npy").tolist() == [[2, 5]]
    with pytest.raises(RuntimeError, match="already exists"):
        saved_model_cli.main(["run", *chosen, "--input_exprs", "x=[[1.0, 2.0]]", "--outdir", "out"])
    with pytest.raises(RuntimeError, match="literals"):
        saved_model_cli.main(["run", *chosen, "--input_exprs", "x=open('a')"])
    with pytest.raises(ValueError, match="valid input key"):
        saved_model_cli.main(["run", *chosen, "--input_exprs", "z=1"])


def test_a_tool_runs_as_a_module():
    found = finder.TensorflowFinder().find_spec("tensorflow.python.tools.freeze_graph.__main__", None)
    assert found.loader.get_code(found.name).co_filename == "<tensorflow.python.tools.freeze_graph.__main__>"
    assert finder.TensorflowFinder().find_spec("tensorflow.python.ops.array_ops.__main__", None) is None
