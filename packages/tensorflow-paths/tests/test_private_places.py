"""Private modules that know where a program did something, and modules that stand for others: what 1.15 gives."""

import sys
import types

import pytest

import ossia as tf
from ossia_tensorflow_paths.python.framework import error_interpolation as interpolation
from ossia_tensorflow_paths.python.framework import ops as graphs
from ossia_tensorflow_paths.python.util import deprecation as deprecations
from ossia_tensorflow_paths.python.util import module_wrapper as wrapped_modules
from ossia_tensorflow_paths.python.util import tf_export as exports
from ossia_tensorflow_paths.python.util import tf_stack as stacks


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_places_of_devices_and_colocations(graph):
    with tf.device("/cpu:0"):
        a = tf.constant(1, name="A").op
    with graph.colocate_with(a), tf.device("/cpu"):
        tf.constant(2, name="B")
    text = interpolation.interpolate("x {{colocation_node B}} y", graph)
    assert text.count("with tf.device(/cpu): <") == 2 and text.count("with tf.colocate_with(A): <") == 1
    assert text.startswith("x node B (defined at ") and "\n" in text
    assert ") placed on device Device assignments active during op 'B' creation:\n  with tf.device(/cpu): <" in text
    assert "  yAdditional information about colocations:Node-device colocations active during op 'B' creation:" in text
    fields = interpolation.compute_field_dict(a)
    assert fields["colocations"] == "No node-device colocations were active during op 'A' creation."
    assert fields["devs_and_colocs"] == f"{fields['colocations']}\n{fields['devices']}"
    assert fields["defined_at"] == f" (defined at {fields['file']}:{fields['line']})"
    assert "No device assignments were active" in interpolation.interpolate(
        "{{colocation_node C}}", tf.constant(1, name="C").graph
    )


def test_summaries_begin_each_line_with_the_prefix():
    place = stacks.TraceableObject("/cpu:0", "hope.py", 24)
    assert interpolation._compute_device_summary_from_list("n", [place, place], "ab ") == (
        "ab Device assignments active during op 'n' creation:\nab   with tf.device(/cpu:0): <hope.py:24>\n"
        "ab   with tf.device(/cpu:0): <hope.py:24>"
    )
    assert interpolation._compute_colocation_summary_from_dict("n", {"z": place}, "ab ") == (
        "ab Node-device colocations active during op 'n' creation:\nab   with tf.colocate_with(z): <hope.py:24>"
    )


def node(op_type, name):
    return graphs._NodeDef(op_type, name)


def test_pending_nodes_take_names_when_the_graph_takes_them(graph):
    x = tf.constant([[1, 2, 3]])
    first, second = (graphs._create_c_op(graph, node("Identity", name), [x], []) for name in ("myop", "myop_1"))
    made = [graph._create_op_from_tf_operation(pending) for pending in (first, second)]
    assert [op.name for op in made] == ["myop", "myop_1"] and made[0].outputs[0].shape.as_list() == [1, 3]
    assert tf.identity(x, name="myop").op.name == "myop_2"


def test_pending_nodes_in_control_flow(graph):
    x = tf.constant(1)

    def branch():
        graphs._create_c_op(graph, node("Identity", "cond/myop"), [x], [])
        (op,) = graph._add_new_tf_operations()
        assert op.inputs[0].op.type == "Switch" and op._get_control_flow_context().name == "cond/cond_text"
        return x

    tf.cond(x < 10, branch, lambda: x)

    def body(i):
        c = tf.constant(1.0, name="c")
        graphs._create_c_op(graph, node("Identity", "loop/myop"), [x], [])
        with tf.control_dependencies([c]):
            (op,) = graph._add_new_tf_operations()
        assert op.inputs[0].op.type == "Enter" and op.control_inputs == [c.op]
        return i

    tf.while_loop(lambda i: i < 10, body, [0], name="loop")


def test_stacks_without_a_file_and_with_other_places():
    frames = stacks.extract_stack()
    with stacks.CurrentModuleFilter():
        filtered = stacks.extract_stack()
    assert len(filtered) < len(frames) and not any(frame.filename == __file__ for frame in filtered)

    class Moved(stacks.StackTraceMapper):
        def get_effective_source_map(self):
            return {(__file__, line): ("generated.py", line + 1000, "made") for line in range(200)}

    with Moved():
        assert stacks.extract_stack()[-1][::2][:2] == ("generated.py", "made")
    assert stacks.extract_stack()[-1].filename == __file__


def test_modules_that_stand_for_others(monkeypatch):
    module = types.ModuleType("some")
    module.foo, module.bar = 1, 2
    monkeypatch.setitem(wrapped_modules.symbol_renames, "tf.some.bar", "tf.bar2")
    wrapped = wrapped_modules.TFModuleWrapper(module, "some", {"cmd": ("", "cmd"), "ABCMeta": ("abc", "ABCMeta")})
    warned = []
    monkeypatch.setattr(wrapped_modules.logging, "warning", lambda *args: warned.append(args[2:]))
    monkeypatch.delitem(sys.modules, "tensorflow.python.platform.tf_logging", raising=False)
    assert (wrapped.foo, wrapped.bar, wrapped.bar) == (1, 2, 2) and warned == [("tf.some.bar", "tf.bar2")]
    import abc
    import cmd
    assert wrapped.cmd is cmd and wrapped.ABCMeta is abc.ABCMeta and isinstance(wrapped, types.ModuleType)
    wrapped.cmd = 3
    wrapped.more = 4
    assert wrapped.cmd == 3 and module.more == 4 and "more" in wrapped.__all__ and "_x" not in wrapped.__all__
    with pytest.raises(AttributeError, match="module 'some' has no attribute 'nope'"):
        getattr(wrapped, "nope")  # noqa: B009


def test_deprecation_can_be_silenced_and_said_again(monkeypatch):
    warned = []
    monkeypatch.setattr(deprecations, "_warn", lambda *args: warned.append(args))

    @deprecations.deprecated("2016-07-04", "do this")
    def old():
        return 1

    monkeypatch.setattr(deprecations, "_PRINT_DEPRECATION_WARNINGS", False)
    old()
    assert not warned
    monkeypatch.setattr(deprecations, "_PRINT_DEPRECATION_WARNINGS", True)
    old(), old()
    assert len(warned) == 1
    deprecations._PRINTED_WARNING.clear()
    old()
    assert len(warned) == 2


def test_attributes_of_public_names():
    assert exports.API_ATTRS["tensorflow"] == ("_tf_api_names", "_tf_api_constants")
    assert exports.API_ATTRS_V1["estimator"].constants == "_estimator_api_constants_v1"
    assert exports.SUBPACKAGE_NAMESPACES == ["estimator"]


def test_references_to_objects_and_subscriptions():
    from ossia_tensorflow_paths.python.framework import subscribe as subscriptions
    from ossia_tensorflow_paths.python.util import object_identity as identity

    a, b = [1], [1]
    one, again, other = (identity._ObjectIdentityWrapper(item) for item in (a, a, b))
    assert one == again and one != other
    subscribed = subscriptions.subscribe(tf.constant(1.0), lambda tensor: [tf.identity(tensor)])
    assert subscriptions._is_subscribed_identity(subscribed)
    assert not subscriptions._is_subscribed_identity(tf.identity(subscribed))
