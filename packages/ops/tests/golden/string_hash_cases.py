"""Fingerprints and hash buckets of strings."""

import numpy as np
from golden_case import Case, raises

TEXTS = [b"", b"a", b"hello world", "übergröße".encode()] + [
    bytes(bytearray((7 * i * i + size) % 256 for i in range(size))) for size in
    [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 1000]]
MANY = [bytes(bytearray([97 + i % 26] * size)) for size in [1, 4, 8, 12, 20, 40, 65, 130] for i in range(11)]


def case_fast(tf):
    return [tf.string_to_hash_bucket_fast(TEXTS, n, name="b") for n in (1, 2, 10, 1000, 2**31, 2**62 + 123457, 2**63 - 1)]


def case_fast_many(tf):
    return tf.strings.to_hash_bucket_fast(tf.reshape(tf.constant(MANY), [8, 11]), 2**63 - 1)


def case_strong(tf):
    return [tf.string_to_hash_bucket_strong(TEXTS, n, key) for n in (1, 10, 2**62 + 123457)
            for key in ([12345, 678], [0, 0], [-1, 2**63 - 1], [-2**63, 5])]


def case_strong_alias(tf):
    return tf.strings.to_hash_bucket_strong(["a", "b"], 10, [1, 2], name="named")


def case_old(tf):
    return [tf.string_to_hash_bucket(TEXTS, n) for n in (1, 10, 2**62 + 123457)]


def case_old_alias(tf):
    return [tf.strings.to_hash_bucket(input=["a", "b"], num_buckets=10), tf.strings.to_hash_bucket(["a"], 3, "x"),
            tf.compat.v2.strings.to_hash_bucket(["a"], 3), tf.compat.v1.string_to_hash_bucket("a", 3)]


def case_shapes(tf):
    return [f(x, 10, **k) for f, k in ((tf.string_to_hash_bucket, {}), (tf.string_to_hash_bucket_fast, {}),
                                       (tf.string_to_hash_bucket_strong, {"key": [1, 2]}))
            for x in ("scalar", [["a", "b"], ["c", "d"]], np.zeros((0, 3), "S1"))]


def case_partial_shapes(tf):
    x, y = tf.placeholder(tf.string, [None, 2]), tf.placeholder(tf.string)
    return Case([f(z, 7) for f in (tf.string_to_hash_bucket, tf.string_to_hash_bucket_fast) for z in (x, y)],
                feeds={x: [["a", "b"]], y: "c"})


def case_key_of_one(tf):
    return tf.string_to_hash_bucket_strong(["a"], 10, [1])


def case_key_of_three(tf):
    return tf.string_to_hash_bucket_strong(["a"], 10, [1, 2, 3])


def case_key_none(tf):
    return tf.string_to_hash_bucket_strong(["a"], 10, [])


def case_refused(tf):
    return [raises(tf.string_to_hash_bucket_strong, ["a"], 0, [1, 2]), raises(tf.string_to_hash_bucket_fast, ["a"], 0),
            raises(tf.string_to_hash_bucket_fast, ["a"], -1), raises(tf.string_to_hash_bucket, ["a"], 0),
            raises(tf.string_to_hash_bucket, ["a"]), raises(tf.string_to_hash_bucket, [1], 3),
            raises(tf.string_to_hash_bucket_fast, [1.0], 3),
            raises(tf.string_to_hash_bucket_strong, ["a"], 3, ["x", "y"]),
            raises(tf.string_to_hash_bucket_strong, ["a"], 3, 5), raises(tf.string_to_hash_bucket_fast, ["a"], 1.5)]


def case_fingerprint_strings(tf):
    return [tf.fingerprint(TEXTS), tf.fingerprint([["a"], ["b"]]), tf.fingerprint([["a", "b"], ["c", "d"]], name="n"),
            tf.fingerprint(np.array(MANY[:8], object).reshape(2, 2, 2))]


def case_fingerprint_numbers(tf):
    return [tf.fingerprint(tf.cast(np.arange(24).reshape(2, 3, 4), t)) for t in
            ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float32", "float64", "complex64",
             "complex128", "bfloat16")] + [tf.fingerprint([True, False]), tf.fingerprint(np.arange(2.0))]


def case_fingerprint_wide(tf):
    return tf.fingerprint(tf.reshape(tf.range(300), [3, 100]))


def case_fingerprint_shapes(tf):
    method = tf.placeholder(tf.string, [])
    x, y = tf.placeholder(tf.int32), tf.placeholder(tf.int32, [None, 3])
    return Case([tf.fingerprint(x), tf.fingerprint(y), tf.fingerprint([1], method)],
                feeds={x: [1, 2], y: [[1, 2, 3]], method: "farmhash64"})


def case_fingerprint_scalar_fed(tf):
    x = tf.placeholder(tf.int32)
    return Case([tf.fingerprint(x)], feeds={x: 3})


def case_fingerprint_method_fed(tf):
    method = tf.placeholder(tf.string)
    return Case([tf.fingerprint([1], method)], feeds={method: "md5"})


def case_fingerprint_methods_fed(tf):
    method = tf.placeholder(tf.string)
    return Case([tf.fingerprint([1], method)], feeds={method: ["farmhash64"]})


def case_fingerprint_refused(tf):
    return [raises(tf.fingerprint, 3), raises(tf.fingerprint, "x"), raises(tf.fingerprint, ["a"], "md5"),
            raises(tf.fingerprint, ["a"], ["farmhash64"]), raises(tf.fingerprint, ["a"], 5)]
