"""TensorProto: the encodings of the original, and everything that may be read."""

import ml_dtypes
import numpy as np
import pytest

from ossia_core.names import dtypes, errors, tensor_proto
from ossia_core.names.tensor_proto import decode, encode, make_ndarray, make_tensor_proto
from ossia_core.proto import TensorProto
from ossia_testkit.golden import golden_tests

RAW = ["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"]
TYPED = ["float16", "uint16", "bool", "complex64", "complex128"]


def text(proto):
    from google.protobuf import text_format

    return " ".join(text_format.MessageToString(proto).split())


@pytest.mark.parametrize("name", RAW + TYPED)
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 3)])
def test_round_trip(name, shape):
    array = (np.arange(np.prod(shape, dtype=int)) % 2).reshape(shape).astype(name)
    proto = make_tensor_proto(array)
    assert bool(proto.tensor_content) == (name in RAW and array.size > 1)
    back = make_ndarray(proto)
    assert back.dtype == array.dtype and back.shape == shape
    np.testing.assert_array_equal(back, array)
    back.flags.writeable or pytest.fail("make_ndarray gives an array of its own")


@pytest.mark.parametrize(
    "values, keywords, expected",
    [
        (1.5, {}, "dtype: DT_FLOAT tensor_shape { } float_val: 1.5"),
        (
            [1, 2],
            {},
            r'dtype: DT_INT32 tensor_shape { dim { size: 2 } } tensor_content: "\001\000\000\000\002\000\000\000"',
        ),
        ("a", {}, 'dtype: DT_STRING tensor_shape { } string_val: "a"'),
        (1, {"shape": [2, 3]}, "dtype: DT_INT32 tensor_shape { dim { size: 2 } dim { size: 3 } } int_val: 1"),
        ([1, 2], {"shape": [3]}, "dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: 1 int_val: 2"),
        (1, {"shape": [2], "allow_broadcast": True}, "dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 1"),
        (
            [1.0, 2.0],
            {"dtype": "float16"},
            "dtype: DT_HALF tensor_shape { dim { size: 2 } } half_val: 15360 half_val: 16384",
        ),
        ([1.0], {"dtype": "bfloat16"}, "dtype: DT_BFLOAT16 tensor_shape { dim { size: 1 } } half_val: 16256"),
        ([], {}, "dtype: DT_FLOAT tensor_shape { dim { } }"),
        ([b"a\0"], {}, r'dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "a\000"'),
    ],
)
def test_encodings_of_the_original(values, keywords, expected):
    proto = make_tensor_proto(values, **keywords)
    assert text(proto).replace("dim { size: 0 }", "dim { }") == expected


@pytest.mark.parametrize(
    "values, keywords, error",
    [
        ([1] * 7, {"shape": [2, 3]}, ValueError),
        ([1] * 6, {"shape": [2, 3], "verify_shape": True}, TypeError),
        ([1, 2], {"shape": [2, 2], "allow_broadcast": True}, TypeError),
        (None, {}, ValueError),
        ([[1, 2], [3]], {}, ValueError),
        ("a", {"dtype": "int32"}, TypeError),
    ],
)
def test_refused(values, keywords, error):
    with pytest.raises(error):
        make_tensor_proto(values, **keywords)


def test_bfloat16_and_quantized_round_trip():
    array = np.array([1, 2.5], ml_dtypes.bfloat16)
    assert make_ndarray(encode(array)).tolist() == [1, 2.5]
    quantized = np.array([(1,), (-2,)], dtypes.qint8.as_numpy_dtype)
    proto = encode(quantized)
    assert proto.tensor_content == b"\x01\xfe" and make_ndarray(proto).tolist() == [(1,), (-2,)]


def test_big_endian_and_strided_arrays():
    assert make_ndarray(encode(np.array([1, 2], ">i4"))).tolist() == [1, 2]
    assert make_ndarray(encode(np.arange(6).reshape(2, 3).T)).tolist() == [[0, 3], [1, 4], [2, 5]]


def test_a_short_list_repeats_its_last_value_and_an_empty_one_is_zero():
    proto = TensorProto(dtype=1, float_val=[1, 2])
    proto.tensor_shape.dim.add(size=4)
    assert decode(proto).tolist() == [1, 2, 2, 2]
    del proto.float_val[:]
    assert decode(proto).tolist() == [0] * 4
    proto.float_val.extend([1] * 9)
    assert decode(proto).tolist() == [1] * 4
    strings = TensorProto(dtype=7)
    strings.tensor_shape.dim.add(size=2)
    assert decode(strings).tolist() == [b"", b""]


def test_one_value_for_many_elements_costs_nothing():
    proto = TensorProto(dtype=1, float_val=[3])
    proto.tensor_shape.dim.add(size=1 << 40)
    assert decode(proto).shape == (1 << 40,)
    with pytest.raises(ValueError, match="OOM"):
        make_ndarray(proto)


def test_strings_in_content():
    proto = TensorProto(dtype=7, tensor_content=b"\x01\x02abc")
    proto.tensor_shape.dim.add(size=2)
    assert decode(proto).tolist() == [b"a", b"bc"]


def hostile(**fields):
    sizes = fields.pop("sizes", ())
    proto = TensorProto(**fields)
    for size in sizes:
        proto.tensor_shape.dim.add(size=size)
    return proto


@pytest.mark.parametrize(
    "proto",
    [
        hostile(dtype=1, sizes=[1], tensor_content=b"abc"),
        hostile(dtype=1, sizes=[-1], float_val=[1]),
        hostile(dtype=1, sizes=[1 << 62, 1 << 62], float_val=[1]),
        hostile(dtype=1, sizes=[1 << 62, 0, 1 << 62]),
        hostile(dtype=1, sizes=[1] * 300),
        hostile(dtype=20, sizes=[1]),
        hostile(dtype=0),
        hostile(dtype=999),
        hostile(dtype=101, float_val=[1]),
        hostile(dtype=8, scomplex_val=[1]),
        hostile(dtype=7, sizes=[2], tensor_content=b"\x01"),
        hostile(dtype=7, sizes=[1], tensor_content=b"\xff" * 12),
        hostile(dtype=7, sizes=[1 << 50], tensor_content=b"\x01a"),
    ],
)
def test_hostile_protos_are_refused(proto):
    with pytest.raises((errors.InvalidArgumentError, errors.ResourceExhaustedError)):
        decode(proto)
    with pytest.raises((TypeError, ValueError)):
        make_ndarray(proto)


def test_too_large_for_a_proto(monkeypatch):
    monkeypatch.setattr(tensor_proto, "MAX_PROTO_BYTES", 8)
    with pytest.raises(ValueError, match="2GB"):
        make_tensor_proto(np.zeros(2))


test_golden = golden_tests(__file__, "tensor_proto_cases.py")
