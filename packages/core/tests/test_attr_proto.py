"""Attributes as protos and as Python values."""

import numpy as np
import pytest

from ossia_core.names import dtypes
from ossia_core.names.attr_proto import from_attr_value, to_attr_value
from ossia_core.names.shapes import TensorShape
from ossia_core.proto import AttrValue, NameAttrList, TensorProto


@pytest.mark.parametrize(
    "value, kind",
    [
        (b"a", "string"),
        (3, "int"),
        (1.5, "float"),
        (True, "bool"),
        (dtypes.float32, "type"),
        (dtypes.float32_ref, "type"),
        (TensorShape([1, None]), "shape"),
        (TensorShape(None), "shape"),
        (NameAttrList(name="f"), "func"),
        ([b"a", b"b"], "list(string)"),
        ([], "list(int)"),
        ([1, 2], "list(int)"),
        ([0.5], "list(float)"),
        ([True, False], "list(bool)"),
        ([dtypes.int32], "list(type)"),
        ([TensorShape([]), TensorShape([2])], "list(shape)"),
        ([NameAttrList(name="f")], "list(func)"),
    ],
)
def test_round_trip(value, kind):
    proto = to_attr_value(value, kind)
    back = from_attr_value(AttrValue.FromString(proto.SerializeToString()), kind)
    assert type(back) is type(value)
    assert str(back) == str(value)
    if type(value) is not list or value:
        assert to_attr_value(value) == proto  # the kind follows from the value
        assert str(from_attr_value(proto)) == str(value)


def test_tensors():
    array = np.float32([[1, 2]])
    proto = to_attr_value(array, "tensor")
    np.testing.assert_array_equal(from_attr_value(proto, "tensor"), array)
    assert to_attr_value([array], "list(tensor)").list.tensor[0] == proto.tensor
    handle = TensorProto(dtype=20)
    assert from_attr_value(to_attr_value(handle, "tensor")) == handle  # what has no array form stays a proto


def test_plain_python_forms():
    assert to_attr_value("a", "string").s == b"a"
    assert to_attr_value("float32", "type").type == 1
    assert to_attr_value([2, 3], "shape").shape.dim[1].size == 3
    assert to_attr_value("f", "func").func.name == "f"
    proto = AttrValue(i=3)
    assert to_attr_value(proto) is proto


@pytest.mark.parametrize(
    "value, kind", [("x", "int"), (3, "string"), (object(), "type"), (5, "list(int)"), ([1], "tensors")]
)
def test_wrong_values(value, kind):
    with pytest.raises((TypeError, KeyError)):
        to_attr_value(value, kind)


@pytest.mark.parametrize(
    "proto, kind",
    [
        (AttrValue(), "int"),
        (AttrValue(i=1), "float"),
        (AttrValue(placeholder="x"), None),
        (AttrValue(type=999), "type"),
        (AttrValue(list=AttrValue.ListValue(i=[1])), "list(float)"),
        (AttrValue(list=AttrValue.ListValue(i=[1])), "int"),
        (AttrValue(list=AttrValue.ListValue(i=[1], b=[True])), None),
        (AttrValue(list=AttrValue.ListValue()), "int"),
        (AttrValue(i=1), "list(int)"),
    ],
)
def test_protos_that_mean_nothing(proto, kind):
    with pytest.raises(ValueError):
        from_attr_value(proto, kind)


def test_shapes_below_minus_one_are_refused():
    proto = AttrValue()
    proto.shape.dim.add(size=-2)
    with pytest.raises(ValueError, match="-1"):
        from_attr_value(proto)
