"""Constants from Python values: the bytes of their TensorProtos, or the class of the error."""
import fractions

import numpy as np
from golden_case import Case

NUMBERS = (
    # The original fails on single values of qint16 and quint16.
    "float16 bfloat16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool complex64 complex128 qint8 quint8 "
    "qint32"
).split()


def made(tf, values, keywords):
    try:
        return tf.make_tensor_proto(values, **keywords).SerializeToString().hex()
    except Exception as error:
        return type(error).__name__


def table(tf, calls):
    """A fact per call of `make_tensor_proto`, written as (values, keywords)."""
    return Case([made(tf, values, keywords) for values, keywords in calls], graph=False)


def case_inferred_types(tf):
    values = [
        1.5, 3, True, "abc", b"abc", u"\u00e9", 1 + 2j, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**40, 2**63, 2**64 - 1, 1e300, -0.0, 0.0,
        np.float64(2), np.float32(2), np.float16(65504), np.int64(3), np.bool_(True), np.str_("a"), np.array(2), np.array(b"ab"),
    ]  # fmt: skip
    return table(tf, [(value, {}) for value in values])


def case_inferred_types_of_lists(tf):
    nan = float("nan")
    values = [
        [1.0, 2.0, 3.0], [1, 2, 3], [True, False], ["a", b"b"], [1j, 2.0], [1, 2.5], [True, 1], [1, True], [1.0, True], [1.0, 1.0, 1.0], [1.0],
        [], [[], []], [[[]]], (1, 2), [(1, 2), [3, 4]], [nan] * 3, ["a", "a"], [b"a\0", b"b"], [["a", "b"], ["c", "d"]], ["a", ["b"]], [2**40, 1],
        [2**63, 1], [2**63, -1], [np.float32(1), np.float32(2)], [np.int64(2)], [np.float64(2)], [np.float64(2), 1], [np.bool_(True)],
        [np.array(1), np.array(2)], [[1, 2], np.array([3, 4])],
    ]  # fmt: skip
    return table(tf, [(value, {}) for value in values])


def case_arrays(tf):
    values = [
        np.array([2]), np.array([2, 3]), np.zeros((0, 3)), np.array([1.0, 2.0, 2.0, 2.0], np.float32), np.ones(5, np.int64), np.array([True, True]),
        np.array([True]), np.array([1, 2], np.uint16), np.array([1, 2], np.complex64), np.array([1, 2], np.float16), np.array(["ab", "c"]),
        np.array([b"ab", b"c"]), np.array([b"ab", u"c"], object), np.asfortranarray(np.arange(6).reshape(2, 3)), bytearray(b"abc"),
        memoryview(b"abc"), np.arange(4)[::2], np.array([1, 2], object), np.array([None]), np.array(["2000"], "M8[s]"),
    ]  # fmt: skip
    return table(tf, [(value, {}) for value in values])


def case_wanted_types(tf):
    calls = []
    for name in NUMBERS:
        for value in (1, [1, 0], [(1,), (0,)], np.array([1, 2]), np.array([1.0]), 1.5, True, [1.0]):
            calls.append((value, {"dtype": getattr(tf, name)}))
        calls.append((1, {"dtype": getattr(tf, name), "shape": [2, 2]}))
    return table(tf, calls)


def case_values_that_do_not_fit_the_type(tf):
    calls = [
        ("a", tf.int32), (1, tf.string), (1.5, tf.int32), ([1.5], tf.int32), (np.array([1.5]), tf.int32), (np.float32(1.5), tf.int32), (300, tf.uint8),
        (-1, tf.uint8), (-1, tf.uint64), (2**31, tf.int32), ([2**31, 1], tf.int32), (1e300, tf.float32), ([1e300], tf.float32), (True, tf.int32),
        (1, tf.bool), ([1], tf.bool), (1j, tf.float32), (np.array(1j), tf.float32), (1.0, tf.complex64), ([np.bool_(True)], tf.bool),
        ([np.int64(1)], tf.float32), ([np.float32(1)], tf.int32), (np.array([1, 2]), tf.bool), (np.array([1, 2]), tf.string),
        (np.array([1, 2], object), tf.int32), (2**70, tf.float32), (2**70, tf.int64), ([2**70], tf.int32), (fractions.Fraction(1, 2), tf.float32),
        ([1, None], tf.float32), (None, tf.float32), ([None], tf.string), (1, tf.resource), (1, tf.variant), (1, "float32"), (1, np.float64),
        (tf.Dimension(2), tf.int32), ([tf.Dimension(2)], tf.int32), ([tf.Dimension(None)], tf.int32), ([], tf.string), ([], tf.int32), ((1,), tf.qint8),
        (np.array(["1"]), tf.int32), (range(3), tf.int32), ([np.array([1.0])], tf.float32), ({}, tf.float32), ("a", tf.bfloat16),
    ]  # fmt: skip
    return table(tf, [(value, {"dtype": dtype}) for value, dtype in calls])


def case_values_of_no_type(tf):
    values = [
        None, [1, None], [None], {}, {1}, object(), [object()], range(3), (x for x in [1]), [[1, 2], [3]], [[1, 2], 3], [1, [2]], [["a", "b"], ["c"]],
        [1, "a"], ["a", 1], [2**70], 2**70, fractions.Fraction(1, 2), tf.Dimension(3), tf.TensorShape([1, 2]), tf.TensorShape([1, None]),
        [tf.Dimension(1), 2], [np.array([1, 2]), np.array([3, 4])], [np.array(["a"])], [bytearray(b"a")], tf.float32, [tf.float32],
    ]  # fmt: skip
    return table(tf, [(value, {}) for value in values])


def case_shapes(tf):
    six = [1, 2, 3, 4, 5, 6]
    calls = [
        (1, {"shape": [2, 3]}), ([1, 2], {"shape": [2, 3]}), (six, {"shape": [2, 3]}), (six + [7], {"shape": [2, 3]}), (1, {"shape": [0]}),
        ([], {"shape": [0, 2], "dtype": tf.int32}), (1.0, {"shape": []}), (six, {"shape": [2, 3], "verify_shape": True}),
        (1, {"shape": [2, 3], "verify_shape": True}), ([six[:3], six[3:]], {"shape": (2, 3), "verify_shape": True}),
        (1, {"shape": [2, 3], "allow_broadcast": True}), ([1], {"shape": [2, 3], "allow_broadcast": True}),
        ([1, 2], {"shape": [2, 2], "allow_broadcast": True}), ("a", {"shape": [3]}), ([1], {"shape": (1, 1)}), ([1], {"shape": tf.TensorShape([1])}),
        ([1], {"shape": tf.TensorShape([None])}), ([1], {"shape": 1}), ("a", {"shape": [0]}), (np.ones((2, 2)), {"shape": [4]}), ([], {"shape": [2]}),
    ]  # fmt: skip
    return table(tf, calls)


def case_round_trips(tf):
    found = []
    for name in sorted(set(NUMBERS) - {"uint32", "uint64"}):
        for shape in ((), (1,), (2, 3), (0, 2)):
            array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(getattr(tf, name).as_numpy_dtype)
            back = tf.make_ndarray(tf.make_tensor_proto(array))
            found.append([str(back.dtype), str(back.shape), back.tobytes().hex()])
    strings = tf.make_ndarray(tf.make_tensor_proto([[b"a"], [b"\0"]]))
    return Case(found + [str(strings.tolist()), str(strings.dtype)], graph=False)


def case_constants_of_protos(tf):
    protos = [tf.make_tensor_proto(value) for value in ([1.0, 2.0], "text", 5, [[True]], np.zeros((0, 2)))]
    plain = [tf.constant(proto, name="proto") for proto in protos]
    told = [tf.constant(protos[0], tf.int32), tf.constant(protos[0], shape=[1]), tf.convert_to_tensor(protos[1])]
    return [plain, told, tf.constant(1.0) + protos[0]]


def case_constants_of_variants(tf):
    kind = type(tf.make_tensor_proto(1))
    proto = kind(dtype=tf.variant.as_datatype_enum, tensor_shape=tf.TensorShape([]).as_proto())
    proto.variant_val.add(type_name="int", metadata=b"\3\0\0\0")
    made = tf.constant(proto, name="variant")
    return Case([str(made.dtype), str(made.shape)])
