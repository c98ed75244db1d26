"""Functions of a graph's library made of Python functions, and control flow built from them, as in the original."""

import pytest

import ossia as tf
from ossia_tensorflow_paths.python.framework import function as defun
from ossia_tensorflow_paths.python.framework.function import Defun
from ossia_tensorflow_paths.python.ops import functional_ops as functional


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


def types(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def test_a_call_is_a_node_of_the_functions_type(graph):
    @Defun(tf.float32, tf.float32, func_name="Both")
    def both(a, b):
        return tf.add(a, b * 2.0, name="sum"), a * b

    total, product = both(tf.ones([2]), 3.0, name="call")
    assert types(graph) == [("ones", "Const"), ("Const", "Const"), ("call", "Both")]
    assert total.shape.ndims is None and total.op.get_attr("_disable_call_shape_inference") is True
    signature = both.definition.signature
    assert [arg.name for arg in signature.input_arg] == ["a", "b"]
    assert [arg.name for arg in signature.output_arg] == ["sum", "mul_1"]
    assert [value.tolist() for value in run(total, product)] == [[7.0, 7.0], [3.0, 3.0]]
    (slope,) = tf.gradients(total, total.op.inputs[1])
    assert slope.op.type == "SymbolicGradient" and slope.op.name == "gradients/call_grad/SymbolicGradient"
    assert run(slope) == [4.0]


def test_results_none_one_and_names(graph):
    nothing = Defun(tf.float32, func_name="Nothing")(lambda x: None)(1.0)
    assert isinstance(nothing, tf.Operation)
    named = Defun(tf.float32, func_name="Named", out_names=["r"], noinline=True)(lambda x: x * 2.0)
    assert [arg.name for arg in named.definition.signature.output_arg] == ["r"]
    assert named.definition.attr["_noinline"].b
    assert run(named(2.0)) == [4.0]
    identity = Defun(tf.float32, func_name="Same")(lambda x: x)
    assert [arg.name for arg in identity.definition.signature.input_arg] == ["x_0"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="output names size = 2 outputs size = 1"):
        Defun(tf.float32, func_name="Out", out_names=["a", "b"])(lambda x: x)(1.0)


def test_gradients_of_ones_own():
    square = Defun(tf.float32, func_name="Square2")(lambda x: x * x)
    square.set_grad_func(Defun(tf.float32, tf.float32, func_name="Slope")(lambda x, dy: dy * 5.0))
    assert square.grad_func_name == "Slope"
    with pytest.raises(ValueError, match="already has"):
        square.set_grad_func(square)
    y = square(3.0)
    python = Defun(tf.float32, func_name="P", python_grad_func=lambda op, dy: dy * 7.0)(lambda x: x * x)(2.0)
    symbolic = functional.Gradient([y, tf.constant(2.0)], square)
    assert run(*tf.gradients(y, y.op.inputs[0]), *tf.gradients(python, python.op.inputs[0]), *symbolic) == [5, 7, 10]


def test_what_is_used_of_the_graph_around_becomes_an_input(graph):
    outer = tf.constant(5.0, name="outer")
    seen = []

    @Defun(tf.float32, func_name="Captures")
    def captures(x):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0), use_resource=True)
        seen.extend([defun.get_extra_vars()[0].name, len(defun.get_extra_inputs())])
        return x * w + outer

    y = captures(2.0)
    assert [t.name for t in captures.captured_inputs] == ["ReadVariableOp:0", "outer:0"]
    assert [arg.name for arg in captures.definition.signature.input_arg] == ["x", "mul_placeholder", "add_placeholder"]
    assert seen == ["w:0", 0] and [v.name for v in tf.global_variables()] == ["w:0"]
    assert run(y) == [11.0]


def test_dtypes_of_the_call_make_the_function():
    @Defun()
    def add(x, y):
        return x + y

    whole, part, again = add(1, 2), add(1.0, 2.0), add(3, 4)
    assert whole.op.type == again.op.type != part.op.type
    assert run(whole, part, again) == [3, 3.0, 7]
    assert add.instantiate([tf.int32, tf.int32]).declared_input_types == (tf.int32, tf.int32)


def test_functions_in_functions_and_libraries(graph):
    double = Defun(tf.float32, func_name="Double")(lambda x: x * 2.0)
    y = Defun(tf.float32, func_name="Twice")(lambda x: double(double(x)))(1.5)
    proto = graph.as_graph_def()
    assert {f.signature.name for f in proto.library.function} == {"Double", "Twice"}
    assert run(y) == [6.0]
    known = {function.name: function for function in defun.from_library(proto.library)}
    with tf.Graph().as_default():
        assert known["Double"].declared_input_types == (tf.float32,)
        assert run(known["Double"](2.0)) == [4.0]
    proto.library.gradient.add(function_name="Double", gradient_func="Missing")
    with pytest.raises(ValueError, match="Missing"):
        defun.from_library(proto.library)


@pytest.mark.parametrize(
    "arguments, function, message",
    [
        ([tf.float32], 3, "must be callable"),
        ([tf.float32], lambda x=1: x, "defaults"),
        ([tf.float32], lambda **k: k, "keywords"),
        ([tf.float32, tf.float32], lambda x: x, "fewer arguments"),
        ([tf.float32], lambda x, y: x, "more arguments"),
    ],
)
def test_refused_functions(arguments, function, message, graph):
    with pytest.raises(ValueError, match=message):
        Defun(*arguments)(function)
    assert not graph.get_operations()


def test_refused_calls():
    same = Defun(tf.float32, func_name="Id")(lambda x: x)
    for arguments, options, message in (
        ((1.0, 2.0), {}, "Expected number of arguments: 1, received: 2"), ((1,), {}, "int32"),
        ((1.0,), {"bogus": 1}, "Unknown keyword"),
    ):
        with pytest.raises(ValueError, match=message):
            same(*arguments, **options)
    with pytest.raises(ValueError, match="Unknown keyword"):
        _ = Defun(tf.float32, bogus=1)(lambda x: x).definition


def test_functional_control_flow(graph):
    double = Defun(tf.float32, func_name="Double")(lambda x: x * 2.0)
    less = Defun(tf.float32, func_name="Less2")(lambda x: x - 2.0)
    chosen = functional.If(tf.constant(False), [tf.constant(3.0)], double, less)
    test = Defun(tf.int32, tf.float32, func_name="Test")(lambda i, x: i < 3)
    body = Defun(tf.int32, tf.float32, func_name="Body")(lambda i, x: (i + 1, x * 2.0))
    looped = functional.While([tf.constant(0), tf.constant(1.0)], test, body)
    assert chosen[0].op.type == "If" and looped[0].op.type == "While"
    assert run(*chosen, *looped) == [1.0, 3, 8.0]
    outer = tf.constant(1.0)
    captures = Defun(tf.int32, tf.float32, func_name="Captures")(lambda i, x: (i + 1, x + outer))
    assert run(*functional.While([tf.constant(0), tf.constant(1.0)], test, captures)) == [3, 4.0]
    with pytest.raises(ValueError, match="implicitly captured"):
        functional.While([tf.constant(0), tf.constant(1.0)], captures, captures)


def test_gradients_of_functions_without_dtypes(graph):
    @Defun(func_name="Spec")
    def gradient(x, dy):
        return x * dy * 10

    @Defun(grad_func=gradient)
    def doubled(x):
        """Twice `x`."""
        return x * 2

    for dtype in (tf.float32, tf.float64):
        x = tf.constant(3.0, dtype)
        y = doubled(x)
        assert run(y, tf.gradients(y, x)[0]) == [6.0, 30.0]
    names = [function.signature.name for function in graph.as_graph_def().library.function]
    assert {"Spec_f32f32", "Spec_f64f64"} < set(names)
    assert {function.signature.description for function in graph.as_graph_def().library.function} == {"", "Twice `x`."}
    kinds = [tf.uint8, tf.bool, tf.string, tf.quint8, tf.bfloat16, tf.complex64, tf.int64]
    assert defun._type_list_to_str(kinds) == "i8bsqu8b16c64i64"


def test_bodies_cannot_follow_nodes_around_them():
    outside = tf.constant(1.0)

    @Defun(tf.float32)
    def body(x):
        with tf.control_dependencies([outside]):
            return tf.identity(x)

    with pytest.raises(ValueError, match="not an element of this graph"):
        body(2.0)


def test_two_functions_of_one_name_are_refused():
    first, second = Defun(tf.float32, func_name="twin")(lambda x: x), Defun(tf.float32, func_name="twin")(lambda x: -x)
    with tf.Graph().as_default() as other:
        second(1.0)
    with tf.Graph().as_default():
        first(1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="different function with the same name"):
            second(1.0)
        with pytest.raises(ValueError, match="different function with the same name"):
            tf.import_graph_def(other.as_graph_def(), name="")
