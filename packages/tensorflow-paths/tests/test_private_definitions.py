"""Nodes of op types by name, functions that copy what they use, and names of devices that do not change."""

from __future__ import annotations

import pytest

import ossia as tf
from ossia_tensorflow_paths.core import enums
from ossia_tensorflow_paths.python.framework import device as device_names
from ossia_tensorflow_paths.python.framework import errors_impl as failures
from ossia_tensorflow_paths.python.framework import function as defun
from ossia_tensorflow_paths.python.framework import kernels as kernel_list
from ossia_tensorflow_paths.python.framework import meta_graph
from ossia_tensorflow_paths.python.framework import type_spec as type_specs
from ossia_tensorflow_paths.python.ops import functional_ops as functional
from ossia_tensorflow_paths.python.ops import gen_ops as generated


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize(
    ("op_type", "arguments", "message"),
    [
        ("unknown", {}, "Unrecognized Op name unknown"),
        ("Identity", {}, "No argument for input input"),
        ("Identity", {"input": 1, "b": 2, "a": 3}, "got unexpected keyword arguments: a, b"),
        ("Identity", {"input": 1, "T": tf.int32}, "Should not specify value for inferred attr 'T'."),
        ("AddN", {"inputs": 3}, "Expected list for 'inputs' argument to 'AddN' Op, not 3."),
        ("Placeholder", {"dtype": tf.int32}, "No argument for attr shape"),
        ("Squeeze", {"input": [1], "squeeze_dims": 0}, "Expected list for attr squeeze_dims"),
        ("IdentityN", {"input": [None]}, "have types .<NOT CONVERTIBLE TO TENSOR>. that are invalid. Tensors: .None."),
    ],
)
def test_nodes_by_name_are_refused_as_the_original_does(op_type, arguments, message):
    with pytest.raises((TypeError, RuntimeError), match=message):
        generated._op_def_lib.apply_op(op_type, **arguments)


def test_nodes_by_name_take_reserved_names_and_give_tuples():
    library = generated._op_def_lib
    assert library.apply_op("Identity", input_=1).dtype is tf.int32
    assert type(library.apply_op("Unique", x=[1, 1], out_idx=None)) is tuple


def test_functions_capture_by_value():
    one, fed, state = tf.constant(1.0), tf.placeholder(tf.float32), tf.get_variable("v", [], use_resource=False)

    def made(outer):
        options = {"func_name": "add", "capture_by_value": True, "experimental_tag": "a"}
        return defun.Defun(tf.float32, **options)(lambda x: x + outer * 2.0)

    function = made(one)
    with tf.Session() as session:
        assert session.run(function(2.0)) == 4.0
    assert function.captured_inputs == [] and function.definition.attr["experimental_tag"].s == b"a"
    for outer, kind in ((fed, "placeholder"), (state, "stateful node")):
        with pytest.raises(ValueError, match=f"Cannot capture a {kind} .* by value"):
            made(outer)(1.0)


def test_functions_return_no_none():
    with pytest.raises(ValueError, match="Function nothing can not return None"):
        defun.Defun(func_name="nothing")(lambda: (None, 1)).definition  # noqa: B018


def test_device_specs_that_do_not_change():
    spec = device_names.DeviceSpecV2.from_string("/job:a/task:1")
    with pytest.raises(AttributeError):
        spec.job = "b"
    assert spec.replace(job="b").to_string() == "/job:b/task:1"
    assert spec.make_merged_spec(tf.DeviceSpec(job="c")).to_string() == "/job:c/task:1"
    assert spec == spec.parse_from_string("/job:a/task:1")


def test_codes_of_errors():
    assert enums.Code.Value("NOT_FOUND") == tf.errors.NOT_FOUND and enums.Code.Name(0) == "OK"
    for code in enums.Code.values()[1:]:
        assert failures._make_specific_exception(None, None, "m", code).error_code == code
    with pytest.warns(UserWarning, match="Unknown error code: 37"):
        assert type(failures._make_specific_exception(None, None, "m", 37)) is tf.errors.OpError


def test_kernels():
    assert [kernel.op for kernel in kernel_list.get_registered_kernels_for_op("Identity").kernel] == ["Identity"]
    assert not kernel_list.get_registered_kernels_for_op("Nothing").kernel
    assert len(kernel_list.get_all_registered_kernels().kernel) > 500


def test_op_lists_of_graphs_with_unknown_types_are_refused():
    graph_def = tf.GraphDef()
    graph_def.node.add(name="a", op="Nothing")
    with pytest.raises(ValueError, match="Op Nothing is used by the graph, but is not registered"):
        meta_graph.stripped_op_list_for_graph(graph_def)


def test_specs_of_values_of_other_classes():
    class Number:
        pass

    with pytest.raises(TypeError, match="Could not build a TypeSpec for"):
        type_specs.type_spec_from_value(Number())
    type_specs.register_type_spec_from_value_converter(Number, lambda value: tf.TensorSpec([], tf.int32))
    assert type_specs.type_spec_from_value(Number()) == tf.TensorSpec([], tf.int32)


def test_functions_are_given_by_their_names():
    defun.Defun(tf.float32, func_name="square")(lambda x: x * x).add_to_graph(tf.get_default_graph())
    inputs = [tf.constant(3.0), tf.constant(1.0)]
    [gradient] = functional.symbolic_gradient(input=inputs, Tout=[tf.float32], f="square")
    with tf.Session() as session:
        assert session.run(gradient) == 6.0


def test_ops_of_a_graph_are_those_of_functions_that_nodes_call():
    graph_def = tf.GraphDef()
    graph_def.node.add(name="n", op="B")
    for name, op in (("A", "Add"), ("B", "A"), ("C", "Mul")):
        function = graph_def.library.function.add()
        function.signature.name = name
        function.node_def.add(name="n", op=op)
    assert [op.name for op in meta_graph.stripped_op_list_for_graph(graph_def).op] == ["Add"]
    assert meta_graph.ops_used_by_graph_def(graph_def) == ["Add"]
