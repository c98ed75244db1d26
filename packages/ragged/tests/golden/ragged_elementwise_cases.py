"""Elementwise functions and operators of ragged tensors."""

import numpy as np
from golden_case import Case, raises


def tensors(tf):
    return {
        "r": tf.ragged.constant([[1, 2], [3], []]),
        "f": tf.ragged.constant([[0.1, 0.2], [0.3], []]),
        "g": tf.ragged.constant([[4.0, 5.0], [6.0], []]),
        "b": tf.ragged.constant([[True, False], [True], []]),
        "c": tf.ragged.constant([[1 + 2j], [3 - 1j]]),
        "s": tf.ragged.constant([[" a1", "b"], ["c"]]),
        "r2": tf.ragged.constant([[[1, 2], [3]], [[4]]]),
        "r3": tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1),
        "i": tf.ragged.constant([[1, 2], [3], []], row_splits_dtype=tf.int32),
        "d": tf.ragged.constant([["MTI=", "YQ=="]]),
    }


def parts(value):
    if hasattr(value, "ragged_rank"):
        return [value.flat_values, list(value.nested_row_splits), value.ragged_rank, str(value.shape), value.dtype.name]
    return value


CALLS = {}
for _name in ("abs acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfc exp expm1 floor lgamma log log1p log_sigmoid "
              "negative reciprocal rint round rsqrt sign sin sinh sqrt square tan is_finite is_inf is_nan").split():
    CALLS[_name] = lambda t, r, name=_name: getattr(t.math, name)(r["f"])
for _name in "angle conj imag real".split():
    CALLS[_name] = lambda t, r, name=_name: getattr(t.math, name)(r["c"])
for _name in ("add atan2 div_no_nan divide equal floordiv floormod greater greater_equal less less_equal maximum minimum multiply "
              "not_equal pow realdiv squared_difference subtract truediv complex").split():
    CALLS[_name + "_scalar"] = lambda t, r, name=_name: getattr(t, name)(r["f"], 2.0)
    CALLS[_name + "_before"] = lambda t, r, name=_name: getattr(t, name)(2.0, r["f"])
for _name in "truncatediv truncatemod floordiv mod".split():
    CALLS[_name + "_int"] = lambda t, r, name=_name: getattr(t, name)(r["r"], 2)
for _name in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split():
    CALLS[_name] = lambda t, r, name=_name: getattr(t.bitwise, name)(r["r"], 3)
for _name in "add sub mul truediv floordiv mod pow lt le gt ge".split():
    CALLS["operator_" + _name] = lambda t, r, name=_name: getattr(r["f"], "__%s__" % name)(2.0)
for _name in "add sub mul truediv floordiv mod pow".split():
    CALLS["reflected_" + _name] = lambda t, r, name=_name: getattr(r["f"], "__r%s__" % name)(2.0)
CALLS.update({
    "and_": lambda t, r: r["b"] & True,
    "or_": lambda t, r: r["b"] | False,
    "xor_": lambda t, r: r["b"] ^ True,
    "rand_": lambda t, r: True & r["b"],
    "rxor_": lambda t, r: True ^ r["b"],
    "invert_": lambda t, r: ~r["b"],
    "neg_": lambda t, r: -r["r"],
    "abs_": lambda t, r: abs(r["r"]),
    "logical_and": lambda t, r: t.logical_and(r["b"], True),
    "logical_or": lambda t, r: t.logical_or(False, r["b"]),
    "logical_xor": lambda t, r: t.logical_xor(r["b"], True),
    "logical_not": lambda t, r: t.logical_not(r["b"]),
    "bitwise_invert": lambda t, r: t.bitwise.invert(r["r"]),
    "named": lambda t, r: t.add(r["r"], 1, name="sum"),
    "named_unary": lambda t, r: t.cos(x=r["f"], name="q"),
    "keywords": lambda t, r: t.add(y=r["r"], x=1),
    "cast": lambda t, r: t.cast(r["r"], t.float32),
    "cast_same": lambda t, r: t.cast(r["r"], t.int32),
    "saturate_cast": lambda t, r: t.saturate_cast(r["f"], t.int8),
    "clip": lambda t, r: t.clip_by_value(r["r"], 1, 2),
    "identity": lambda t, r: t.identity(r["r"]),
    "zeros_like": lambda t, r: t.zeros_like(r["r"]),
    "zeros_like_dtype": lambda t, r: t.zeros_like(r["r"], t.float64),
    "ones_like": lambda t, r: t.ones_like(r["r2"], dtype=t.float32, name="o"),
    "check_numerics": lambda t, r: t.check_numerics(r["f"], "bad"),
    "add_n": lambda t, r: t.add_n([r["f"], r["g"], r["f"]]),
    "add_n_one": lambda t, r: t.add_n([r["f"]], name="n"),
    "as_string": lambda t, r: t.as_string(r["f"], precision=2),
    "join": lambda t, r: t.strings.join([r["s"], r["s"]], separator="-"),
    "join_scalar": lambda t, r: t.strings.join([r["s"], "x"]),
    "length": lambda t, r: t.strings.length(r["s"]),
    "full_match": lambda t, r: t.strings.regex_full_match(r["s"], "[abc]"),
    "replace": lambda t, r: t.strings.regex_replace(r["s"], "a", "x"),
    "strip": lambda t, r: t.strings.strip(r["s"]),
    "substr": lambda t, r: t.strings.substr(r["s"], 0, 1),
    "hash_fast": lambda t, r: t.strings.to_hash_bucket_fast(r["s"], 10),
    "hash_strong": lambda t, r: t.strings.to_hash_bucket_strong(r["s"], 10, [1, 2]),
    "script": lambda t, r: t.strings.unicode_script(r["r"]),
    "decode_base64": lambda t, r: t.io.decode_base64(r["d"][:, :1]),
    "encode_base64": lambda t, r: t.io.encode_base64(r["s"]),
    "decode_compressed": lambda t, r: t.io.decode_compressed(r["s"]),
    "number_v2": lambda t, r: t.compat.v2.strings.to_number(t.ragged.constant([["1.5"], ["2"]])),
    "bucket_v2": lambda t, r: t.compat.v2.strings.to_hash_bucket(r["s"], 10),
    "length_v2": lambda t, r: t.compat.v2.strings.length(r["s"]),
    "substr_v2": lambda t, r: t.compat.v2.strings.substr(r["s"], 0, 1),
    "same_rows": lambda t, r: t.add(r["f"], r["g"]),
    "same_nested_rows": lambda t, r: r["r2"] * r["r2"],
    "same_rows_dense": lambda t, r: r["r3"] + r["r3"],
    "rows_of_both_dtypes": lambda t, r: r["r"] + r["i"],
    "small_splits": lambda t, r: r["i"] * 2,
    "small_splits_both": lambda t, r: r["i"] * r["i"],
    "column": lambda t, r: t.add(r["r"], [[10], [20], [30]]),
    "column_before": lambda t, r: t.add([[10], [20], [30]], r["r"]),
    "column_tensor": lambda t, r: r["r"] + t.constant([[10], [20], [30]]),
    "column_nested": lambda t, r: t.add(r["r2"], [[[10]], [[20]]]),
    "row_nested": lambda t, r: t.add(r["r2"], t.ragged.constant([[10, 20], [30]])[:, :, t.newaxis]),
    "row_dense": lambda t, r: t.add(r["r3"], [10, 20]),
    "one": lambda t, r: t.add(r["r"], [[10]]),
    "lists": lambda t, r: t.add(r["r3"], [[[10, 20]]]),
    "array": lambda t, r: r["r"] + np.array([[1], [2], [3]], np.int32),
    "one_row": lambda t, r: t.add(t.ragged.constant([[10], [20], [30]]), r["r"]),
})


def _case(call):
    return lambda tf: parts(call(tf, tensors(tf)))


globals().update({"case_" + name: _case(call) for name, call in CALLS.items()})


def case_fed(tf):
    p, q = tf.ragged.placeholder(tf.int32, 1), tf.placeholder(tf.int32, [None, 1])
    return Case([parts(p + 1), parts(p * p), parts(p + q)],
                feeds={p: tf.ragged.constant_value([[1, 2], [3]], dtype="int32"), q: [[10], [20]]})


def case_rows_differ(tf):
    p, q = tf.ragged.placeholder(tf.int32, 1), tf.ragged.placeholder(tf.int32, 1)
    return Case([parts(p + q)], feeds={p: tf.ragged.constant_value([[1, 2], [3]], dtype="int32"),
                                       q: tf.ragged.constant_value([[1], [2, 3]], dtype="int32")})


def case_column_differs(tf):
    p, q = tf.ragged.placeholder(tf.int32, 1), tf.placeholder(tf.int32, [None, 1])
    return Case([parts(p + q)], feeds={p: tf.ragged.constant_value([[1, 2], [3]], dtype="int32"), q: [[1], [2], [3]]})


def case_gradient(tf):
    v = tf.constant([1.0, 2.0, 3.0])
    r = tf.RaggedTensor.from_row_splits(v, [0, 2, 3], validate=False)
    return tf.gradients((tf.square(r) * 3.0).flat_values, v)


def case_refused(tf):
    t = tensors(tf)
    r = t["r"]
    return [raises(tf.sigmoid, t["f"]), raises(tf.nn.relu, t["f"]), raises(tf.div, r, 2), raises(tf.strings.lower, t["s"]),
            raises(tf.strings.to_number, t["s"]), raises(tf.reduce_logsumexp, t["f"], 1), raises(tf.add, r, "a"), raises(tf.add, r, 1.5),
            raises(tf.add, r, [1, 2]), raises(tf.add_n, [r, t["r2"]]), raises(tf.matmul, r, r), raises(tf.cast, r, "nonsense"),
            raises(tf.add, r, t["f"]), raises(bool, r), raises(lambda: 1 if r else 0), raises(tf.shape, r), raises(tf.reshape, r, [-1])]


def case_equality(tf):
    r, s = tensors(tf)["r"], tensors(tf)["r"]
    return [r == r, r == s, r != s, hash(r) == hash(r), len({r, s})]
