"""Constants, conversion of Python values, operators, slicing, static shapes and constant folding of shapes."""
import numpy as np
from golden_case import Case, raises

CONSTANTS = {
    "int": 1, "float": 1.5, "bool": True, "str": "abc", "bytes": b"\xff\x00", "complex": 1 + 2j, "list": [1, 2], "floats": [1, 2.5],
    "nested": [[1, 2], [3, 4]], "empty": [], "empty_rows": [[], []], "bools": [True, False], "strs": ["a", "bc"],
    "tuple": (1, 2, 3), "mixed_tuple": [(1, 2), [3, 4]], "zeros": [0.0] * 40, "many": list(range(100)), "long": 2 ** 40,
    "negative": -3, "inf": float("inf"), "nan": float("nan"), "numpy_f64": np.array([1.0, 2.0]), "numpy_i64": np.arange(3),
    "numpy_f16": np.array([1.5], np.float16), "numpy_u8": np.array([[1, 2]], np.uint8), "numpy_bool": np.array([True]),
    "numpy_str": np.array(["x", "yz"]), "numpy_object": np.array([b"x", b"yz"], object), "numpy_scalar": np.float32(2.5),
    "numpy_c128": np.array([1 + 1j]), "numpy_empty": np.zeros([0, 3], np.float32), "numpy_i8": np.array([-1], np.int8),
    "numpy_u16": np.array([65535], np.uint16), "numpy_u32": np.array([4294967295], np.uint32), "numpy_0d": np.array(7),
    "numpy_u64": np.array([2 ** 64 - 1], np.uint64), "list_of_numpy": [np.float32(1), np.float32(2)],
    "unicode": u"h\u00e9", "same": [5.0] * 20, "minus_zero": -0.0,
}
for _name, _value in CONSTANTS.items():
    def _case(tf, value=_value):
        return [tf.constant(value), tf.convert_to_tensor(value)]
    globals()["case_constant_" + _name] = _case

TYPED = {
    "f16": ([1, 2], "float16"), "f64": ([1, 2], "float64"), "i64": (3, "int64"), "u8": ([1, 255], "uint8"), "i8": ([-1], "int8"),
    "i16": ([300], "int16"), "u16": ([300], "uint16"), "c64": (1 + 1j, "complex64"), "c128": ([1.0], "complex128"),
    "bf16": ([1.5, 2.25], "bfloat16"), "bool": ([True, False], "bool"), "string": ("x", "string"), "u32": ([1], "uint32"),
    "u64": ([1], "uint64"), "qint8": ([1], "qint8"),
}
for _name, (_value, _dtype) in TYPED.items():
    def _case(tf, value=_value, dtype=_dtype):
        return Case(tf.constant(value, dtype=dtype), graph_only=dtype == "qint8")
    globals()["case_constant_as_" + _name] = _case

REFUSED = {
    "float_as_int": (1.5, "int32"), "str_as_float": ("a", "float32"), "int_as_str": (1, "string"), "ragged": ([[1], [2, 3]], None),
    "mixed": ([1, "a"], None), "none": (None, None), "list_none": ([None], None), "too_big": (2 ** 70, None), "int_as_bool": (1, "bool"),
    "bool_as_int": (True, "int32"), "object": (object(), None),
    "dict": ({}, None), "float_list_int": ([1, 2.5], "int64"), "complex_as_float": (1j, "float32"),
    "int64_as_int32": (np.int64(3), "int32"), "f64_as_f32": (np.float64(3), "float32"), "np_i64_array_as_i32": (np.arange(2), "int32"),
    "np_f64_array_as_f32": (np.ones(2), "float32"), "np_f32_array_as_i32": (np.ones(2, "f4"), "int32"), "set": ({1}, None),
    "true_as_float": (True, "float32"), "str_none": (["a", None], None), "np_str_as_int": (np.array(["a"]), "int32"),
}
for _name, (_value, _dtype) in REFUSED.items():
    def _case(tf, value=_value, dtype=_dtype):
        return {"constant": raises(tf.constant, value, dtype), "convert": raises(tf.convert_to_tensor, value, dtype),
                "operand": raises(lambda: tf.ones([1], dtype or "float32") + value)}
    globals()["case_refused_" + _name] = _case


def case_constant_shape(tf):
    return [tf.constant(1.0, shape=[2, 3]), tf.constant([1, 2, 3], shape=[3, 1]), tf.constant([1, 2], shape=[4]),
            tf.constant(0, shape=[0]), tf.constant([1, 2, 3, 4], shape=(2, 2), dtype="int64", name="named")]


def case_constant_shape_refused(tf):
    return [raises(tf.constant, [1, 2, 3], shape=[2]), raises(tf.constant, [1, 2], shape=[4], verify_shape=True),
            raises(tf.constant, 1, shape=[-1]), raises(tf.constant, 1, shape=[None])]


def case_convert_tensor(tf):
    x = tf.constant(1.0)
    v = tf.Variable(2.0)
    return {"same": tf.convert_to_tensor(x) is x, "variable": tf.convert_to_tensor(v), "dtype": raises(tf.convert_to_tensor, x, tf.int32),
            "list": tf.convert_to_tensor([x, 2.0]), "nested": tf.convert_to_tensor([[x, 1.0], [2.0, x]], name="n"),
            "preferred": tf.convert_to_tensor([1, 2], preferred_dtype=tf.float64)}


def case_convert_pack_dtypes(tf):
    x = tf.constant(1, tf.int64)
    return [tf.convert_to_tensor([x, 2]), tf.convert_to_tensor([[1, x], [3, 4]]), tf.stack([x, 5]), tf.reshape([x, x, x, x], [2, 2])]


def case_convert_pack_refused(tf):
    x = tf.constant(1.0)
    return [raises(tf.convert_to_tensor, [x, tf.constant(1)]), raises(tf.convert_to_tensor, [x, "a"]),
            raises(tf.convert_to_tensor, [x, [x]]), raises(tf.convert_to_tensor, [x, 1.0], tf.int32)]


def case_convert_preferred(tf):
    return [tf.convert_to_tensor(1.5, preferred_dtype=tf.int32), tf.convert_to_tensor(1, preferred_dtype=tf.float32),
            tf.convert_to_tensor("a", preferred_dtype=tf.float32)]


def case_convert_shapes(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    return Case({"shape": tf.convert_to_tensor(x.shape), "dims": raises(tf.convert_to_tensor, [x.shape[0], 5]), "dim": tf.constant(x.shape[0].value),
                 "i64": tf.convert_to_tensor(tf.TensorShape([4, 5]), tf.int64), "reshape": tf.reshape(x, [x.shape[1], -1]),
                 "unknown": raises(tf.convert_to_tensor, tf.TensorShape([None, 2])),
                 "float": raises(tf.convert_to_tensor, tf.TensorShape([2]), tf.float32)}, feeds={x: np.ones([2, 3])})


def case_internal_convert_many(tf):
    return tf.stack([1, tf.constant(2), np.int32(3)]), tf.concat([[1.0], tf.constant([2.0])], 0), tf.add_n([tf.constant(1.0), 2.0])


def case_tensor_conversion_function(tf):
    class Money(object):
        def __init__(self, value):
            self.value = value

    def convert(value, dtype=None, name=None, as_ref=False):
        return tf.constant(value.value, dtype=dtype, name=name)
    tf.register_tensor_conversion_function(Money, convert)
    return [tf.convert_to_tensor(Money(3.0)), tf.add(Money(1.0), 2.0), tf.constant(1.0) + Money(4.0)]


def case_indexed_slices_convert(tf):
    s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    return {"dense": tf.convert_to_tensor(s), "unknown": raises(tf.convert_to_tensor, tf.IndexedSlices(s.values, s.indices)),
            "neg": -s, "name": s.name, "str": str(s), "op": s.op.name, "dtype": s.dtype}


def case_sparse_tensor(tf):
    s = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
    return {"sparse": s, "shape": s.shape, "rank": s.dense_shape.shape, "value": tf.SparseTensorValue([[0]], [1], [1])._fields,
            "mul": s * 2.0, "div": s / tf.constant([[2.0, 2.0], [2.0, 2.0]]), "str": str(s), "get_shape": s.get_shape()}


def case_placeholder_forms(tf):
    return Case([tf.placeholder(tf.float32), tf.placeholder("int32", []), tf.placeholder(tf.string, [None, 2], name="s"),
                 tf.placeholder_with_default([1.0], [None]), tf.placeholder_with_default(2, [], name="d"),
                 tf.sparse_placeholder(tf.float32), tf.sparse_placeholder(tf.int64, [2, 3], name="sp")], graph_only=True)


def case_feed_placeholder_default(tf):
    x = tf.placeholder_with_default([1.0, 2.0], [None])
    return Case(x * 2.0, feeds=[{}, {x: [5.0]}], steps=2)


def case_feed_sparse(tf):
    x = tf.sparse_placeholder(tf.float32, [2, 2])
    return Case(tf.sparse_tensor_to_dense(x), feeds={x: tf.SparseTensorValue([[0, 1]], np.array([3.0], "f4"), [2, 2])})


BINARY = ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** b", "a < b", "a <= b", "a > b", "a >= b",
          "2 + a", "2 - a", "2 * a", "2 / a", "2 // a", "2 % a", "2 ** a", "-a", "abs(a)", "a + 1", "a ** 2", "a / 2", "2 < a"]
for _dtype in ("float32", "int32", "float64", "int64"):
    for _index, _text in enumerate(BINARY):
        def _case(tf, text=_text, dtype=_dtype):
            a, b = tf.constant([3, 7, 1], dtype), tf.constant([2, 2, 4], dtype)
            return eval(text, {"a": a, "b": b})
        globals()["case_operator_%s_%d" % (_dtype, _index)] = _case


def case_operator_bool(tf):
    a, b = tf.constant([True, False]), tf.constant([True, True])
    return [a & b, a | b, a ^ b, ~a, True & a, a | False, tf.logical_not(b)]


def case_operator_matmul(tf):
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return tf.matmul(a, a), a.__matmul__(a), a.__rmatmul__([[1.0, 0.0], [0.0, 1.0]])


def case_operator_numpy(tf):
    a = tf.constant([1.0, 2.0])
    return [a + np.array([1, 2], np.float32), np.array([1, 2], np.float32) * a, a * np.float32(3), a - np.array(1.0, "f4")]


def case_operator_negative_ints(tf):
    a = tf.constant([-7, 7, -7, 7])
    b = tf.constant([2, -2, -2, 2])
    return [a // b, a % b, a / b, tf.truncatediv(a, b), tf.truncatemod(a, b), tf.floordiv(a, b), tf.div(a, b), tf.floor_div(a, b)]


def case_operator_uint8(tf):
    a = tf.constant([250, 3], tf.uint8)
    return [a + 10, a * 2, a // 2, a / 2, a - 5]


def case_operator_refused(tf):
    a = tf.constant([1.0, 2.0])
    return [raises(lambda: a + 1j), raises(lambda: a + "x"), raises(lambda: a + tf.constant(1)), raises(lambda: a & a),
            raises(lambda: tf.constant(1) + 1.5), raises(lambda: a + [1.0, 2.0, 3.0]), raises(lambda: bool(a)),
            raises(lambda: list(a)), raises(lambda: len(a)), raises(lambda: a[None] if a else 0), raises(lambda: 3 + None + a),
            raises(lambda: a + None), raises(lambda: -tf.constant("x")), raises(lambda: tf.constant(True) + True),
            raises(lambda: tf.constant([1, 2]) @ tf.constant([1, 2]))]


def case_tensor_identity(tf):
    a, b = tf.constant(1.0), tf.constant(1.0)
    return {"eq": a == b, "self": a == a, "ne": a != b, "hash": len({a, b}), "in": a in [b, a]}


SLICES = ["x[0]", "x[-1]", "x[1:2]", "x[:, 1]", "x[..., 0]", "x[0, ...]", "x[::2]", "x[::-1]", "x[:, ::-1]", "x[tf.newaxis]",
          "x[:, tf.newaxis, 1:]", "x[0, 1, 2]", "x[1:]", "x[:-1, 1:, :2]", "x[..., tf.newaxis]", "x[0:0]", "x[i]", "x[i:]", "x[:, i]",
          "x[i, 1:]", "x[:i, ..., ::2]", "x[...]", "x[:]", "x[-2:]", "x[2:0:-1]", "x[5:]", "x[0, None, ...]", "x[i:i + 1]",
          "x[::i + 1]", "x[:, :, -1:]", "x[..., -1, :]", "x[0][1]", "x[np.int64(1)]", "x[tf.constant(1, tf.int64):]", "x[1, i]"]
for _index, _text in enumerate(SLICES):
    def _case(tf, text=_text):
        x = tf.constant(np.arange(24).reshape(2, 3, 4))
        p = tf.placeholder(tf.float32, [None, 3, None])
        i = tf.constant(1)
        return Case([eval(text, {"x": y, "tf": tf, "i": i, "np": np}) for y in (x, p)],
                    feeds={p: np.arange(24).reshape(2, 3, 4)})
    globals()["case_slice_%02d" % _index] = _case


def case_slice_refused(tf):
    x = tf.constant(np.arange(6).reshape(2, 3))
    return [raises(lambda: x[0, 0, 0]), raises(lambda: x[2]), raises(lambda: x[..., ...]), raises(lambda: x["a"]), raises(lambda: x[1.5]),
            raises(lambda: x[::0]), raises(lambda: x[-3]), raises(lambda: x[[0, 1]]), raises(lambda: x[True]), raises(lambda: x[0.5:])]


def case_slice_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case([x[0], x[:, 1], x[..., 0]], feeds={x: np.arange(6).reshape(2, 3)})


def case_slice_gradient(tf):
    x = tf.constant(np.arange(12.0).reshape(3, 4))
    return tf.gradients([x[1], x[:, ::2], x[..., tf.newaxis, 1]], x)


def case_slice_variable(tf):
    v = tf.Variable(np.arange(6.0).reshape(2, 3))
    w = tf.Variable(np.arange(6.0).reshape(2, 3), use_resource=True)
    return v[0], w[:, 1]


def case_slice_assign(tf):
    v = tf.Variable(np.arange(6.0).reshape(2, 3))
    w = tf.Variable(np.arange(6.0).reshape(2, 3), use_resource=True)
    return Case(runs=[v[0].assign([7.0, 8.0, 9.0]), w[:, 1].assign([5.0, 6.0]), [v, w]])


def case_boolean_mask(tf):
    x = tf.constant(np.arange(6).reshape(3, 2))
    return tf.boolean_mask(x, [True, False, True]), tf.boolean_mask(x, x > 2), tf.boolean_mask(x, [True, False], axis=1)


def case_set_shape(tf):
    x = tf.placeholder(tf.float32)
    x.set_shape([None, 3])
    x.set_shape([2, None])
    return {"shape": x.shape, "bad": raises(x.set_shape, [3, 3]), "rank": raises(x.set_shape, [1])}


def case_tensor_shape_methods(tf):
    s = tf.TensorShape
    a, b = s([2, None, 3]), s([None, 4, 3])
    return {"merge": a.merge_with(b), "concat": a.concatenate([5]), "ndims": [a.ndims, s(None).ndims], "elements": [a.num_elements(), s([2, 3]).num_elements()],
            "list": a.as_list(), "unknown": raises(s(None).as_list), "compatible": [a.is_compatible_with(b), a.is_compatible_with([2, 2])],
            "defined": [a.is_fully_defined(), s([]).is_fully_defined()], "slice": a[1:], "item": a[0].value, "str": str(a), "repr": repr(a),
            "none": [str(s(None)), repr(s(None))], "eq": [a == s([2, None, 3]), s([2]) == [2], s(None) == s(None)], "bad": raises(a.merge_with, [3, None, 3]),
            "rank": raises(a.assert_has_rank, 2), "same": raises(a.assert_same_rank, [1]), "with_rank": s(None).with_rank(2), "at_least": s([1, 2]).with_rank_at_least(2),
            "dims": str(a.dims), "bool": [bool(s(None)), bool(s([]))], "len": len(a), "iter": [d.value for d in a], "negative": raises(s, [-1]),
            "fully": raises(a.assert_is_fully_defined), "int": s(3), "proto": str(a.as_proto())}


def case_dimension_arithmetic(tf):
    d = tf.Dimension
    a, n = d(5), d(None)
    results = [a + 2, a - d(2), a * 3, a // 2, a % 3, 2 + a, a + n, n * 2, a.merge_with(n), a / 1 if False else a]
    return {"values": [r.value for r in results], "cmp": [a < 6, a > 6, a <= d(5), a >= 7, a == 5, a != 5, n == 5, a == n],
            "compatible": [a.is_compatible_with(n), a.is_compatible_with(4)], "int": int(a), "bad": raises(d, -1), "str": [str(a), str(n), repr(n)],
            "merge": raises(a.merge_with, 4), "text": raises(d, "x")}


def case_dtypes(tf):
    names = ["float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "string", "complex64",
             "complex128", "bfloat16", "qint8", "quint8", "qint16", "quint16", "qint32", "resource", "variant", "half", "double"]
    facts = {}
    for name in names:
        d = getattr(tf, name)
        facts[name] = [d.name, d.size] + [bool(flag) for flag in (d.is_integer, d.is_floating, d.is_complex, d.is_unsigned, d.is_quantized, d.is_bool)] + [
                       d.as_datatype_enum, repr(d), str(d), d.is_numpy_compatible, d.base_dtype.name, d._as_ref.name if hasattr(d, "_as_ref") else ""]
        if name not in ("string", "resource", "variant", "bool", "complex64", "complex128", "bfloat16") and "q" not in name:
            facts[name] += [float(d.min), float(d.max)]
    return facts


def case_as_dtype(tf):
    items = ["float", "float32_ref", np.float32, np.dtype("int16"), 1, 101, bool, "string", np.object_, "half", float, tf.int8, np.array([1]).dtype]
    return {"known": [tf.as_dtype(item).name for item in items],
            "refused": [raises(tf.as_dtype, item) for item in ("nothing", 999, None, [], object, int)]}


def case_get_static_value(tf):
    x = tf.placeholder(tf.float32, [2, None])
    value = lambda t: (lambda v: None if v is None else v.tolist())(tf.get_static_value(t))
    return [value(tf.constant([1, 2])), value(tf.shape(x)), value(tf.shape(tf.zeros([2, 3]))), value(tf.rank(x)), value(tf.range(3)),
            value(tf.stack([1, 2])), value(tf.concat([[1], [2]], 0)), value(tf.size(tf.zeros([2, 3]))), value(tf.constant(1) + 1), value(x),
            value(tf.cast(tf.constant([1.5]), tf.int32)), value(tf.fill([2], 3)), value(tf.equal(tf.constant(1), 1))]


SHAPES = {
    "reshape": lambda tf, x: [tf.reshape(x, [-1]), tf.reshape(x, [3, -1]), tf.reshape(x, tf.shape(x)), tf.reshape(x, [tf.shape(x)[0], -1]),
                              tf.reshape(x, tf.stack([-1, tf.shape(x)[1]])), tf.reshape(x, tf.concat([tf.shape(x)[:1], [1, 3]], 0))],
    "fill": lambda tf, x: [tf.zeros(tf.shape(x)), tf.ones([tf.shape(x)[0], 2]), tf.fill(tf.shape(x)[1:], 2.0), tf.zeros_like(x), tf.ones_like(x),
                           tf.fill(tf.stack([2, tf.shape(x)[0]]), 1.0)],
    "expand": lambda tf, x: [tf.expand_dims(x, 0), tf.expand_dims(x, -1), tf.expand_dims(x, 1), tf.squeeze(tf.expand_dims(x, 1), 1)],
    "tile": lambda tf, x: [tf.tile(x, [2, 1]), tf.tile(x, [1, tf.shape(x)[0]]), tf.broadcast_to(x, [2, 2, 3])],
    "transpose": lambda tf, x: [tf.transpose(x), tf.transpose(x, [1, 0]), tf.transpose(x, name="t")],
    "concat": lambda tf, x: [tf.concat([x, x], 0), tf.concat([x, x], -1), tf.stack([x, x], 2), tf.unstack(x, axis=1), tf.concat([x], 0)],
    "split": lambda tf, x: [tf.split(x, 3, 1), tf.split(x, [1, 2], 1), tf.split(x, [1, -1], -1)],
    "slice": lambda tf, x: [tf.slice(x, [0, 1], [-1, 2]), tf.slice(x, [0, 0], [1, 1]), tf.slice(x, tf.stack([0, 1]), [1, -1])],
    "gather": lambda tf, x: [tf.gather(x, [0, 0]), tf.gather(x, [2], axis=1), tf.gather_nd(x, [[0, 1]]), tf.gather(x, 0)],
    "reduce": lambda tf, x: [tf.reduce_sum(x), tf.reduce_sum(x, 0), tf.reduce_max(x, [0, 1]), tf.reduce_mean(x, -1, keepdims=True), tf.reduce_prod(x, [])],
    "pad": lambda tf, x: [tf.pad(x, [[1, 1], [0, 2]]), tf.pad(x, [[1, 0], [0, 0]], constant_values=3.0), tf.pad(x, [[1, 1], [1, 1]], "REFLECT"),
                          tf.pad(x, [[1, 1], [1, 1]], "SYMMETRIC")],
    "range": lambda tf, x: [tf.range(5), tf.range(1, 7, 2), tf.range(tf.shape(x)[0]), tf.range(0.0, 1.0, 0.25), tf.range(3, 0, -1), tf.linspace(0.0, 1.0, 5)],
    "one_hot": lambda tf, x: [tf.one_hot([0, 2], 3), tf.one_hot([[1]], 2, axis=0), tf.one_hot([1], 2, 5, 6), tf.one_hot(1, tf.shape(x)[1])],
    "select": lambda tf, x: [tf.where(x > 1.0), tf.where(x > 1.0, x, tf.zeros_like(x)), tf.where([True, False], x, -x)],
    "matmul": lambda tf, x: [tf.matmul(x, x, transpose_b=True), tf.matmul(x, tf.ones([3, 2])), tf.tensordot(x, tf.ones([3, 2]), 1),
                             tf.tensordot(x, tf.ones([3, 2]), [[1], [0]])],
    "top_k": lambda tf, x: [tf.nn.top_k(x, 2), tf.argmax(x), tf.argmin(x, 1, output_type=tf.int32), tf.nn.in_top_k(x, [0, 1], 1)],
    "reverse": lambda tf, x: [tf.reverse(x, [1]), tf.reverse_sequence(x, [1, 2], seq_axis=1), tf.cumsum(x, 1), tf.cumprod(x, 0, exclusive=True, reverse=True)],
    "cast": lambda tf, x: [tf.cast(x, tf.int32), tf.cast(x, tf.float32), tf.to_int64(x), tf.to_double(x), tf.saturate_cast(x, tf.uint8), tf.bitcast(x, tf.int32)],
    "broadcast": lambda tf, x: [x + [[1.0], [2.0]], x * [1.0, 2.0, 3.0], tf.maximum(x, 1.5), x[:, tf.newaxis] - x, tf.broadcast_static_shape(x.shape, tf.TensorShape([3])),
                                tf.broadcast_dynamic_shape(tf.shape(x), [1, 3])],
    "sequence_mask": lambda tf, x: [tf.sequence_mask([1, 2], 3), tf.sequence_mask([[1], [0]]), tf.sequence_mask([2], dtype=tf.float32)],
    "space": lambda tf, x: [tf.space_to_batch_nd(tf.reshape(x[:1, :2], [1, 2, 1]), [2], [[0, 0]]), tf.diag([1.0, 2.0]), tf.matrix_diag([[1.0, 2.0]]), tf.eye(2),
                            tf.eye(2, 3, batch_shape=[2]), tf.meshgrid([1, 2], [3, 4, 5]), tf.matrix_band_part(x, 0, 1)],
}
for _name, _build in SHAPES.items():
    for _kind, _shape in (("known", [2, 3]), ("partial", [None, 3]), ("unknown", None)):
        def _case(tf, build=_build, shape=_shape):
            x = tf.placeholder(tf.float32, shape, name="x")
            return Case(build(tf, x), feeds={x: [[1.0, 2.0, 3.0], [4.0, 0.5, 1.25]]})
        globals()["case_shape_%s_%s" % (_name, _kind)] = _case

ERRORS = {
    "matmul_ranks": lambda tf: tf.matmul(tf.ones([2]), tf.ones([2, 2])), "matmul_inner": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
    "add_shapes": lambda tf: tf.add(tf.ones([2, 3]), tf.ones([2, 4])), "concat_rank": lambda tf: tf.concat([tf.ones([2]), tf.ones([2, 2])], 0),
    "concat_dim": lambda tf: tf.concat([tf.ones([2, 2]), tf.ones([3, 3])], 0), "reshape": lambda tf: tf.reshape(tf.ones([4]), [3]),
    "reshape_two_unknown": lambda tf: tf.reshape(tf.ones([4]), [-1, -1]), "split_uneven": lambda tf: tf.split(tf.ones([5]), 2),
    "transpose_perm": lambda tf: tf.transpose(tf.ones([2, 3]), [0, 0]), "squeeze": lambda tf: tf.squeeze(tf.ones([2, 3]), 0),
    "expand": lambda tf: tf.expand_dims(tf.ones([2]), 5), "gather_axis": lambda tf: tf.gather(tf.ones([2]), [0], axis=2),
    "reduce_axis": lambda tf: tf.reduce_sum(tf.ones([2]), 3), "slice_size": lambda tf: tf.slice(tf.ones([2]), [1], [3]),
    "conv_channels": lambda tf: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "SAME"),
    "conv_rank": lambda tf: tf.nn.conv2d(tf.ones([4, 4, 3]), tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "SAME"),
    "conv_padding": lambda tf: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "NONE"),
    "bias_rank": lambda tf: tf.nn.bias_add(tf.ones([2]), tf.ones([2])), "bias_size": lambda tf: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([2])),
    "softmax_labels": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.ones([3], tf.int32), logits=tf.ones([2, 2])),
    "logits_dtype": lambda tf: tf.nn.softmax(tf.ones([2], tf.int32)), "where_shape": lambda tf: tf.where(tf.ones([2], tf.bool), tf.ones([3]), tf.ones([3])),
    "one_hot_axis": lambda tf: tf.one_hot([1], 2, axis=4), "stack_shapes": lambda tf: tf.stack([tf.ones([2]), tf.ones([3])]),
    "unstack_unknown": lambda tf: tf.unstack(tf.placeholder(tf.float32)), "pad_rank": lambda tf: tf.pad(tf.ones([2]), [[1, 1], [1, 1]]),
    "dtype_mismatch": lambda tf: tf.add(tf.ones([2]), tf.ones([2], tf.int32)), "cast_string": lambda tf: tf.cast(tf.constant("a"), tf.float32),
    "tile_rank": lambda tf: tf.tile(tf.ones([2]), [1, 2]), "range_zero": lambda tf: tf.range(0, 5, 0), "top_k": lambda tf: tf.nn.top_k(tf.ones([2]), 3),
    "add_n_empty": lambda tf: tf.add_n([]), "add_n_shapes": lambda tf: tf.add_n([tf.ones([2]), tf.ones([3])]), "neg_dim": lambda tf: tf.zeros([-2]),
    "stack_axis": lambda tf: tf.stack([tf.ones([2])], axis=5), "concat_axis": lambda tf: tf.concat([tf.ones([2])] * 2, 3), "reverse": lambda tf: tf.reverse(tf.ones([2]), [1]),
    "placeholder_type": lambda tf: tf.placeholder("nonsense"), "bool_reduce": lambda tf: tf.reduce_all(tf.ones([2])), "none_input": lambda tf: tf.identity(None),
    "relu_string": lambda tf: tf.nn.relu(tf.constant("a")), "pool_ksize": lambda tf: tf.nn.max_pool(tf.ones([1, 4, 4, 1]), [2, 2], [1, 1, 1, 1], "SAME"),
    "dropout": lambda tf: tf.nn.dropout(tf.ones([2]), keep_prob=0.0), "dropout_high": lambda tf: tf.nn.dropout(tf.ones([2]), keep_prob=1.5),
    "argmax_dim": lambda tf: tf.argmax(tf.ones([2]), 2), "cumsum": lambda tf: tf.cumsum(tf.ones([2]), 3), "case_float_index": lambda tf: tf.gather(tf.ones([2]), [0.5]),
    "boolean_mask": lambda tf: tf.boolean_mask(tf.ones([2]), [True, False, True]), "segment": lambda tf: tf.segment_sum(tf.ones([2]), [[0], [1]]),
}
for _name, _build in ERRORS.items():
    def _case(tf, build=_build):
        return build(tf)
    globals()["case_error_" + _name] = _case

RUN_ERRORS = {
    "reshape": (lambda tf, x: tf.reshape(x, [5]), [1.0, 2.0]), "matmul": (lambda tf, x: tf.matmul(x, x), [[1.0, 2.0]]),
    "add": (lambda tf, x: x + tf.ones([3]), [1.0, 2.0]), "gather": (lambda tf, x: tf.gather(x, [7]), [1.0]), "rank": (lambda tf, x: x[0, 0, 0], [1.0]),
    "concat": (lambda tf, x: tf.concat([x, tf.ones([2, 2])], 0), [1.0, 2.0]), "split": (lambda tf, x: tf.split(x, 2), [1.0, 2.0, 3.0]),
    "transpose": (lambda tf, x: tf.transpose(x, [1, 0, 2]), [[1.0]]), "int_div": (lambda tf, x: tf.cast(x, tf.int32) // tf.cast(x, tf.int32), [0.0]),
    "slice": (lambda tf, x: tf.slice(x, [1], [5]), [1.0, 2.0]), "assert": (lambda tf, x: tf.Assert(x > 0, [x]), -1.0), "check": (lambda tf, x: tf.check_numerics(x, "bad"), float("nan")),
    "string_to_number": (lambda tf, x: tf.string_to_number(tf.as_string(x) + "x"), 1.0), "squeeze": (lambda tf, x: tf.squeeze(x, 0), [1.0, 2.0]),
    "where": (lambda tf, x: tf.where(x > 0, tf.ones([3]), tf.zeros([3])), [1.0, 2.0]), "top_k": (lambda tf, x: tf.nn.top_k(x, 5), [1.0]),
    "softmax_labels": (lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[5], logits=x), [[1.0, 2.0]]),
    "segment": (lambda tf, x: tf.segment_sum(x, [1, 0]), [1.0, 2.0]), "unsorted_segment": (lambda tf, x: tf.unsorted_segment_sum(x, [0, 5], 2), [1.0, 2.0]),
    "range": (lambda tf, x: tf.range(0.0, 5.0, x), 0.0), "fill": (lambda tf, x: tf.fill(tf.cast(x, tf.int32), 1.0), [-1.0]), "tile": (lambda tf, x: tf.tile(x, [1, 2]), [1.0]),
    "pad": (lambda tf, x: tf.pad(x, [[5, 0]], "REFLECT"), [1.0, 2.0]), "cast_inverse": (lambda tf, x: tf.matrix_inverse(x), [[0.0, 0.0], [0.0, 0.0]]),
    "cholesky": (lambda tf, x: tf.cholesky(x), [[-1.0]]), "gather_nd": (lambda tf, x: tf.gather_nd(x, [[3]]), [1.0]), "unstack": (lambda tf, x: tf.unstack(x, 3), [1.0]),
    "scatter_nd": (lambda tf, x: tf.scatter_nd([[9]], x, [2]), [1.0]), "one_hot_ok": (lambda tf, x: tf.one_hot(tf.cast(x, tf.int32), 2), [7.0]),
}
for _name, (_build, _value) in RUN_ERRORS.items():
    def _case(tf, build=_build, value=_value):
        x = tf.placeholder(tf.float32)
        return Case(build(tf, x), feeds={x: value})
    globals()["case_run_error_" + _name] = _case


def case_static_values_follow_shapes(tf):
    """What became known of a shape after its rank and size were asked for counts."""
    x, y = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
    y.set_shape([None, None])
    rank, size = tf.rank(x), tf.size(x)
    axes = tf.range(0, rank)
    total = tf.reduce_sum(x, axes)
    filled = tf.fill([rank], 3)
    x.set_shape([3, 2])
    found = tf.gradients(total, x)
    return Case([total, found, filled, size, tf.gradients(tf.reduce_sum(x * found[0], axes), x)], feeds={x: np.ones((3, 2))})
