"""Element types: conversions, attributes and comparisons as TensorFlow 1.15 has them."""

import copy
import pickle

import numpy as np
import pytest

from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType, as_dtype

NUMBERS = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64", 9: "int64",
    10: "bool", 11: "qint8", 12: "quint8", 13: "qint32", 14: "bfloat16", 15: "qint16", 16: "quint16", 17: "uint16",
    18: "complex128", 19: "float16", 20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
}  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_one_object_per_type(number):
    dtype = getattr(dtypes, NUMBERS[number])
    ref = getattr(dtypes, NUMBERS[number] + "_ref")
    assert dtype is as_dtype(number) is as_dtype(NUMBERS[number]) is as_dtype(dtype) is DType(number)
    assert ref is as_dtype(number + 100) is as_dtype(NUMBERS[number] + "_ref") is dtype._as_ref is ref._as_ref
    assert dtype is ref.base_dtype is dtype.base_dtype
    for each in dtype, ref:
        assert copy.copy(each) is each and copy.deepcopy(each) is each and pickle.loads(pickle.dumps(each)) is each
        assert hash(each) == each.as_datatype_enum
        assert each._is_ref_dtype == (each is ref)
    assert (str(dtype), repr(dtype)) == (f"<dtype: '{NUMBERS[number]}'>", f"tf.{NUMBERS[number]}")
    assert dtype == number and dtype == dtype.name and dtype != ref and ref != dtype
    assert dtype.is_compatible_with(ref) and not ref.is_compatible_with(dtype)
    if dtype.is_numpy_compatible:
        assert as_dtype(dtype.as_numpy_dtype) is as_dtype(np.dtype(dtype.as_numpy_dtype)) is dtype
        if dtype is not dtypes.string:
            assert np.dtype(dtype.as_numpy_dtype).itemsize == dtype.size == ref.size


KINDS = {
    "is_bool": "bool",
    "is_integer": "int8 int16 int32 int64 uint8 uint16 uint32 uint64",
    "is_unsigned": "uint8 uint16 uint32 uint64",
    "is_floating": "float16 bfloat16 float32 float64",
    "is_complex": "complex64 complex128",
    "is_quantized": "qint8 quint8 qint16 quint16 qint32",
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind):
    assert {name for name in NUMBERS.values() if getattr(as_dtype(name), kind)} == set(KINDS[kind].split())


def test_quantized_dtypes():
    assert {t.name for t in dtypes.QUANTIZED_DTYPES} == {
        name + suffix for name in KINDS["is_quantized"].split() for suffix in ("", "_ref")
    }


CONVERTED = [
    ("half", "float16"), ("float", "float32"), ("double", "float64"), ("float_ref", "float32_ref"),
    (float, "float32"), (bool, "bool"), (object, "string"), (np.object_, "string"), (np.str_, "string"),
    (np.bytes_, "string"), (np.dtype("S3"), "string"), (np.dtype("U3"), "string"), (np.dtype(">f4"), "float32"),
    (np.longlong, "int64"), (np.ulonglong, "uint64"), (np.intc, "int32"), (np.bool_, "bool"), (True, "float32"),
    (3.0, "int32"), (np.dtype([("qint8", np.int8)]), "qint8"),
]  # fmt: skip


@pytest.mark.parametrize("value,name", CONVERTED)
def test_conversions(value, name):
    assert as_dtype(value).name == name
    assert as_dtype(name) == value


REFUSED = ["foo", 0, 99, None, ...,
[1], int, str, bytes, complex, "S3", ">f4", "f4", "bool_", "str", "object", "int",
           b"float32", 1.5, np.datetime64, np.dtype([("a", "i4")])]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED, ids=repr)
def test_refused(value):
    with pytest.raises(TypeError):
        as_dtype(value)
    assert not dtypes.float32 == value
    assert dtypes.float32 != value


@pytest.mark.parametrize("number", [0, 24, 99, 1000])
def test_no_such_number(number):
    with pytest.raises(TypeError):
        DType(number)


RANGES = {
    "int8": (-128, 127), "uint8": (0, 255), "int32": (-(2**31), 2**31 - 1), "uint64": (0, 2**64 - 1),
    "int64": (-(2**63), 2**63 - 1), "float32": (-3.4028235e38, 3.4028235e38), "float16": (-65504.0, 65504.0),
    "float64": (-1.7976931348623157e308, 1.7976931348623157e308), "bfloat16": (-3.38953139e38, 3.38953139e38),
}  # fmt: skip


@pytest.mark.parametrize("name", RANGES)
def test_range(name):
    np.testing.assert_allclose([float(as_dtype(name).min), float(as_dtype(name).max)], RANGES[name], rtol=1e-6)


@pytest.mark.parametrize("name", "bool complex64 string resource variant qint8".split())
def test_types_without_a_range(name):
    with pytest.raises(TypeError, match="Cannot find minimum value of"):
        as_dtype(name).min  # noqa: B018
    with pytest.raises(TypeError, match="Cannot find maximum value of"):
        as_dtype(name).max  # noqa: B018


def test_limits():
    assert dtypes.float32.limits == dtypes.float32_ref.limits == (0, 1)
    assert dtypes.uint8.limits == (0, 255)
    assert dtypes.int64.limits == (0, 2**63 - 1)
    for dtype in dtypes.bool, dtypes.complex64, dtypes.string:
        with pytest.raises(KeyError):
            dtype.limits  # noqa: B018


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.real_dtype is dtypes.float64
    assert dtypes.int32.real_dtype is dtypes.int32
    assert dtypes.float32_ref.real_dtype is dtypes.float32_ref


def test_resources_have_no_numpy_type():
    with pytest.raises(KeyError):
        dtypes.resource.as_numpy_dtype  # noqa: B018


def test_immutable():
    with pytest.raises(AttributeError):
        dtypes.float32.name = "float"
    with pytest.raises(AttributeError):
        dtypes.float32.foo  # noqa: B018
