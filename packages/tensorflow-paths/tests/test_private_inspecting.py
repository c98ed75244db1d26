"""What tests take from `tf_inspect`, `tf_decorator`, `decorator_utils`, `function_utils` and `protobuf.compare`."""

import functools
import inspect
import unittest

import pytest

import ossia as tf
from ossia_tensorflow_paths.python.util import function_utils as functions
from ossia_tensorflow_paths.python.util import tf_decorator as decorators
from ossia_tensorflow_paths.python.util import tf_inspect as inspecting
from ossia_tensorflow_paths.python.util.protobuf import compare as comparisons


def two(a, b, c=1):
    """The sum.

    Of all.
    """
    return a + b + c


def increment(function):
    def wrapper(x):
        return wrapper.__wrapped__(x) + 1

    return decorators.make_decorator(function, wrapper)


@pytest.mark.parametrize(
    ("function", "args", "defaults"),
    [
        (two, ["a", "b", "c"], (1,)),
        (functools.partial(two, 1), ["b", "c"], (1,)),
        (functools.partial(two, b=3), ["a", "b", "c"], (3, 1)),
        (functools.partial(two, 1, 2, 3), [], (1,)),
        (increment(functools.partial(two, 1)), ["b", "c"], (1,)),
    ],
)
def test_arguments(function, args, defaults):
    spec = inspecting.getargspec(function)
    assert spec == (args, None, None, defaults) and spec._fields == ("args", "varargs", "keywords", "defaults")


def test_arguments_that_cannot_be_told():
    with pytest.raises(ValueError, match=r"Some arguments \['b'\] do not have default value"):
        inspecting.getargspec(functools.partial(two, a=1))
    with pytest.raises(ValueError, match="unknown partial keyword"):
        inspecting.getargspec(functools.partial(two, d=1))


def test_the_outermost_decorator_tells_the_arguments():
    stated = [inspecting.ArgSpec([name], None, None, (3,)) for name in "iq"]
    inner = decorators.make_decorator(two, lambda *a: two(*a), "inner", "", stated[0])
    outer = decorators.make_decorator(inner, lambda *a: inner(*a), "outer", "", stated[1])
    assert inspecting.getfullargspec(outer) == inspect.FullArgSpec(["q"], None, None, (3,), [], None, {})
    assert inspecting.getcallargs(outer) == {"q": 3}


def test_arguments_of_calls():
    class Bound:
        def method(self, a, b=2):
            pass

        @classmethod
        def of_class(cls, a):
            pass

    bound = Bound()
    assert inspecting.getcallargs(bound.method, 3) == {"self": bound, "a": 3, "b": 2}
    assert inspecting.getcallargs(Bound.of_class, 3) == {"cls": Bound, "a": 3}
    assert inspecting.getcallargs(lambda positional, func=1: None, 0, func=10) == {"positional": 0, "func": 10}


def test_what_is_beneath_decorators():
    decorated = increment(two)
    assert inspecting.isfunction(decorated) and not inspecting.isclass(decorated)
    assert inspecting.getsource(decorated).startswith("def two")
    assert inspecting.currentframe().f_code.co_name == "test_what_is_beneath_decorators"


def test_rewrap():
    def double(x):
        return 2 * x

    decorated = increment(increment(double))
    assert decorated(1) == 4
    decorators.rewrap(decorated, double, lambda x: 3 * x)
    assert decorated(1) == 5
    decorators.rewrap(decorated, decorated._tf_decorator._decorated_target, lambda x: 3 * x)
    assert decorated(1) == 4


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        (None, "Nothing\n\nWarning: Go\naway\nInstead"),
        ("Brief", "Brief (old)\n\nWarning: Go\naway\nInstead"),
        ("Brief\n\n  More\n    in", "Brief (old)\n\nWarning: Go\naway\nInstead\n\nMore\n  in"),
        ("Two\n  lines", "Two (old)\n\nWarning: Go\naway\nInstead\n\nlines"),
    ],
)
def test_notices(doc, expected):
    assert decorators.add_notice_to_docstring(doc, "Instead", "Nothing", "(old)", ["Go", "away"]) == expected


def test_notices_need_text_and_functions():
    with pytest.raises(ValueError, match="must not be empty"):
        decorators.add_notice_to_docstring("", "", "", "", [])
    with pytest.raises(ValueError, match="make sure @property appears before @mine"):
        decorators.validate_callable(property(two), "mine")


def test_a_config_without_rewriting():
    config = tf.ConfigProto.FromString(functions.get_disabled_rewriter_config())
    assert config.graph_options.rewrite_options.disable_meta_optimizer


def test_messages_are_compared():
    class Test(comparisons.ProtoAssertions, unittest.TestCase):
        pass

    one, other = tf.GraphDef(), tf.GraphDef()
    one.node.add(name="x", op="Y")
    other.node.add(name="x", op="Z")
    Test().assertProtoEqual("node { name: 'x' op: 'Y' }", one)
    with pytest.raises(AssertionError, match="(?s)Y.*Z.*mine"):
        Test().assertProtoEqual(one, other, msg="mine")
    assert comparisons.ProtoEq(one, one) and not comparisons.ProtoEq(one, other) and comparisons.ProtoEq(1, 1)


def test_numbers_are_rounded():
    proto = tf.make_tensor_proto([], tf.float32)
    proto.float_val.extend([1.00000001, 1 / 3])
    proto.double_val.append(1 / 3)
    comparisons.NormalizeNumberFields(proto)
    assert [round(x, 9) for x in proto.double_val] == [0.3333333] and proto.float_val[0] == 1.0
    example = tf.train.Example()
    example.features.feature["k"].float_list.value.append(1 / 3)
    text = str(comparisons.NormalizeNumberFields(example))
    assert "0.333333\n" in text
