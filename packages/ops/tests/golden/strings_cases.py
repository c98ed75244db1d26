"""Strings: joined, cut, counted, stripped, and numbers as text and back."""

import numpy as np
from golden_case import Case, raises

TEXTS = ["", "a", "ab c", "übergröße", "日本語", "A B", "ÀÉß", " x\t\n", "x" * 50]
RAW = [b"a\xffb", b"\xe2\x82", b"\x00", b"\xf0\x90\x80\x80z"]


def case_join(tf):
    x = tf.constant(["a", "b"])
    return [tf.strings.join([x, "-", x]), tf.strings.join([x, x], separator=", ", name="j"), tf.string_join([["a"]], "x"), tf.strings.join(["a", "b"]),
            tf.strings.join([[["a"], ["b"]], "z"]), tf.strings.join([np.zeros((0, 2), "S1"), "q"])]


def case_join_shapes(tf):
    x, y = tf.placeholder(tf.string, [None, 2]), tf.placeholder(tf.string)
    return Case([tf.strings.join([x, "a"]), tf.strings.join([x, x]), tf.strings.join([y, x]), tf.strings.join([y, "a"])], feeds={x: [["a", "b"]], y: [["c", "d"]]})


def case_join_misfit_fed(tf):
    x, y = tf.placeholder(tf.string), tf.placeholder(tf.string)
    return Case([tf.strings.join([x, y])], feeds={x: ["a"], y: ["a", "b"]})


def case_join_refused(tf):
    f = tf.strings.join
    return [raises(f, [["a", "b"], ["c"]]), raises(f, []), raises(f, [1, "a"]), raises(f, "a"), raises(f, [["a"], [["b"]]]), raises(f, ["a"], separator=3)]


def case_length(tf):
    f = tf.strings.length
    return [f(TEXTS), f(TEXTS, unit="UTF8_CHAR"), f(RAW), f(RAW, unit="UTF8_CHAR"), f("abc", name="n"), f(TEXTS, "m", "BYTE"), f([["a"], ["bc"]]),
            tf.compat.v2.strings.length(TEXTS, "UTF8_CHAR"), f(np.zeros((0,), "S1"))]


def case_length_refused(tf):
    return [raises(tf.strings.length, ["a"], unit="WORD"), raises(tf.strings.length, [1]), raises(tf.strings.length, ["a"], unit=3)]


def case_lower_upper(tf):
    return [f(TEXTS + ["I", "ı", "İ", "ǅ", "ﬁ", "Σς"], encoding=e) for f in (tf.strings.lower, tf.strings.upper) for e in ("", "utf-8")]


def case_lower_names(tf):
    return [tf.strings.lower("AbC", name="l"), tf.strings.upper([["a"]], "", "u")]


def case_lower_encoding(tf):
    return tf.strings.lower(["a"], encoding="latin1")


def case_upper_encoding(tf):
    return tf.strings.upper(["a"], encoding="UTF-8")


def case_strip(tf):
    return [tf.strings.strip([" a b ", "\t\n\r\x0b\x0c x", "\x00 a", "  ", "", "\x1c a \x85", "\xa0 b"]), tf.string_strip("  q ", name="s"),
            tf.strings.strip(RAW)]


def case_substr(tf):
    f, t = tf.strings.substr, ["hello", "world", "übung"]
    return [f(t, p, n) for p in (0, 1, 4, 5, -1, -5) for n in (0, 1, 3, 9, -1)] + [
        f(t, p, n, unit="UTF8_CHAR") for p in (0, 1, 4, 5, -1, -5) for n in (0, 1, 3, 9, -1)]


def case_substr_broadcast(tf):
    f = tf.strings.substr
    return [f([["a1", "b2"], ["c3", "d4"]], [0, 1], [1, 1]), f("hello", [0, 1, 2], [1, 2, 3]), f([["ab"], ["cd"]], [[0, 1]], [[1, 1]]),
            f(["abc", "def"], tf.constant([0, 1], tf.int64), tf.constant([1, 1], tf.int64), name="n"), tf.substr(["abc"], [1], [1]),
            tf.compat.v2.strings.substr(["abc"], 1, 1, "BYTE"), f([["a1", "b2"]], [[0], [1]], [[1], [1]])]


def case_substr_raw(tf):
    return [tf.strings.substr([b"a\xffb", b"\xff\xfeq"], 1, 1), tf.strings.substr([b"a\xc3\xa9b", b"xyz"], 1, 1, unit="UTF8_CHAR")]


def case_substr_beyond(tf):
    return tf.strings.substr(["abc", "a"], 2, 1)


def case_substr_before(tf):
    return tf.strings.substr(["abc"], -4, 1)


def case_substr_beyond_characters(tf):
    return tf.strings.substr(["üü"], 3, 1, unit="UTF8_CHAR")


def case_substr_shapes(tf):
    x, p = tf.placeholder(tf.string, [None, 2]), tf.placeholder(tf.int32)
    return Case([tf.strings.substr(x, 0, 1), tf.strings.substr(x, p, p), tf.strings.substr(x, [0, 1], [1, 1])], feeds={x: [["aa", "bb"], ["cc", "dd"]], p: 0})


def case_substr_refused(tf):
    f = tf.strings.substr
    return [raises(f, ["a"], [0], 1), raises(f, ["a"], 0.5, 1.0), raises(f, ["a", "b"], [0, 0, 0], [1, 1, 1]), raises(f, ["a"], 0, 1, unit="x"), raises(f, [1], 0, 1)]


def case_reduce_join(tf):
    f, g = tf.strings.reduce_join, [["a", "b"], ["c", "d"]]
    return [f(g, 0), f(g, 1), f(g, -1), f(g, -2), f(g), f(g, [0, 1]), f(g, [1, 0]), f(g, []), f(g, 0, keep_dims=True), f(g, 1, keepdims=True, separator="."),
            f(g, separator="-"), f("a"), f(["a", "b"], name="n"), tf.reduce_join(g, reduction_indices=0), tf.compat.v2.strings.reduce_join(g, 0, True, "x", "v"),
            f(np.zeros((0, 2), "S1"), 0), f(np.zeros((0, 2), "S1"), 1), f([[["a"], ["b"]], [["c"], ["d"]]], [0, 2], separator=":")]


def case_reduce_join_shapes(tf):
    x, y, a = tf.placeholder(tf.string, [None, 2]), tf.placeholder(tf.string), tf.placeholder(tf.int32)
    return Case([tf.strings.reduce_join(x, 0), tf.strings.reduce_join(y), tf.strings.reduce_join(x, a), tf.strings.reduce_join(x, a, keepdims=True)],
                feeds={x: [["a", "b"]], y: [["a", "b"], ["c", "d"]], a: [1]})


def case_reduce_join_beyond_fed(tf):
    a = tf.placeholder(tf.int32)
    return Case([tf.strings.reduce_join([["a"]], a)], feeds={a: 2})


def case_reduce_join_twice_fed(tf):
    a = tf.placeholder(tf.int32)
    return Case([tf.strings.reduce_join([["a"]], a)], feeds={a: [0, -2]})


def case_reduce_join_refused(tf):
    f = tf.strings.reduce_join
    return [raises(f, ["a"], 2), raises(f, ["a"], -2), raises(f, [["a"]], [0, 0]), raises(f, [1], 0), raises(f, ["a"], 0, reduction_indices=0),
            raises(f, ["a"], 0, keep_dims=True, keepdims=True)]


NUMBERS = {"float32": [0.0, -0.0, 1.5, -2.25, 1e-7, 3.4e38, 1e10, 123456.789, np.inf, -np.inf, np.nan], "float64": [0.1, -1e300, 5e-324, 1 / 3.0, np.nan],
           "int8": [-128, 0, 127], "int16": [-32768, 5], "int32": [-2**31, 2**31 - 1, 42], "int64": [-2**63, 2**63 - 1, 7], "bool": [True, False]}


def case_as_string(tf):
    return [tf.as_string(tf.constant(v, t)) for t, v in sorted(NUMBERS.items())] + [
        tf.as_string(tf.constant([1 + 2j, -0.5j], t)) for t in ("complex64", "complex128")]


def case_as_string_formats(tf):
    return [tf.as_string(tf.constant(NUMBERS[t], t), **k) for t in ("float32", "float64") for k in
            ({"precision": 2}, {"precision": 0}, {"scientific": True}, {"shortest": True}, {"scientific": True, "precision": 3}, {"shortest": True, "precision": 3},
             {"width": 12}, {"width": 12, "fill": "0"}, {"width": 12, "fill": " "}, {"width": 12, "fill": "-"}, {"width": 12, "fill": "+"}, {"precision": 10, "width": 3},
             {"width": 0}, {"fill": "+"})]


def case_as_string_integers(tf):
    return [tf.as_string(tf.constant([-42, 0, 42], t), **k) for t in ("int8", "int16", "int32", "int64") for k in
            ({"width": 5}, {"width": 5, "fill": "0"}, {"width": 5, "fill": "-"}, {"width": 5, "fill": "+"}, {"width": 5, "fill": " "}, {"fill": "+"}, {"fill": " "})]


def case_as_string_complex(tf):
    x = tf.constant([1.25 - 2j, 3e10 + 1e-9j], tf.complex128)
    return [tf.strings.as_string(x, **k) for k in ({"precision": 1}, {"scientific": True}, {"shortest": True}, {"width": 9, "fill": "0"})]


def case_as_string_bool_width(tf):
    return [tf.dtypes.as_string([True, False], width=8), tf.as_string([True], name="n"), tf.as_string(3), tf.as_string([[1.0]])]


def _refused(name, dtype, **options):
    def case(tf):
        return tf.as_string(tf.constant([1], dtype), **options)
    globals()["case_as_string_" + name] = case


_refused("int_precision", "int32", precision=2)
_refused("int_scientific", "int32", scientific=True)
_refused("int_shortest", "int64", shortest=True)
_refused("bool_precision", "bool", precision=1)
_refused("both", "float32", scientific=True, shortest=True)
_refused("fill_two", "float32", fill="ab")
_refused("fill_letter", "float32", fill="x", width=5)
_refused("fill_hash", "float32", fill="#", width=9)
_refused("fill_hash_int", "int32", fill="#", width=9)


def case_as_string_refused(tf):
    return [raises(tf.as_string, ["a"]), raises(tf.as_string, tf.constant([1], tf.uint8)), raises(tf.as_string, tf.constant([1.0], tf.float16)),
            raises(tf.as_string, [1], precision="a")]


def case_to_number(tf):
    f = tf.strings.to_number
    texts = ["0", " 1", "2 ", "+3", "-4", " -5 ", "007"]
    return [f(texts, t) for t in (tf.float32, tf.float64, tf.int32, tf.int64)] + [
        f(["1.5", ".5", "5.", "1e3", "1E-3", "inf", "-INF", "nan", "Infinity", "1e400", "1e-400", "3.4e39", "0x10", "0x1p3", "+.5e+1"], t)
        for t in (tf.float32, tf.float64)]


def case_to_number_names(tf):
    return [tf.string_to_number(["1"]), tf.strings.to_number(input=["2"], out_type=tf.int64, name="n"), tf.compat.v2.strings.to_number(["3"], tf.int32, "m"),
            tf.strings.to_number("4")]


def _bad_number(name, text, dtype):
    def case(tf):
        return tf.strings.to_number([text], dtype)
    globals()["case_to_number_" + name] = case


for _i, _text in enumerate(["", " ", "x", "1x", "1 2", "0x", "1e", "--1", "1.5.5", ".", "1_000", "1,5", "infx", "nan(1)", "١", "0x1.8p1", "1.0f", "1d5"]):
    _bad_number("bad_float_%d" % _i, _text, "float32")
    _bad_number("bad_double_%d" % _i, _text, "float64")
for _i, _text in enumerate(["", "1.0", "x", "1x", "1e3", "2147483648", "-2147483649", "9223372036854775808", "0x10", "+", "- 1", "1 1", "١", "+-1", "99999999999999999999"]):
    _bad_number("bad_int_%d" % _i, _text, "int32")
    _bad_number("bad_long_%d" % _i, _text, "int64")


def case_to_number_refused(tf):
    return [raises(tf.strings.to_number, ["1"], tf.int16), raises(tf.strings.to_number, [1]), raises(tf.strings.to_number, ["1"], input=["2"])]


def case_format(tf):
    f, x = tf.strings.format, tf.constant([[1, 2], [3, 4]])
    return [f("a {} b", x), f("{}, {}", (x, tf.constant(1.5))), f("none", []), f("%t%", x, placeholder="%t%"), f("{}", tf.range(20)),
            f("{}", tf.range(20), summarize=-1), f("{}", tf.range(20), summarize=1, name="n"), f("{}", tf.constant(["a", "b"])), f("{}", tf.constant(True)),
            f("{}", tf.zeros([0])), f("{}{}", (x, x)), f("{}", tf.reshape(tf.range(27), [3, 3, 3]), summarize=1), f("{}", tf.constant("x"))]


def case_format_refused(tf):
    f = tf.strings.format
    return [raises(f, "{} {}", tf.constant(1)), raises(f, "a", tf.constant(1)), raises(f, "{}", []), raises(f, "{}", (tf.constant(1), tf.constant(2)))]
