"""Example and SequenceExample parsing: every kind of feature, every way in which data may not fit."""

import struct

from golden_case import Case, raises


def _varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _field(number, data):
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def floats(*values, **options):
    packed = options.get("packed", True)
    body = _field(1, struct.pack("<%df" % len(values), *values)) if packed else b"".join(b"\x0d" + struct.pack("<f", v) for v in values)
    return _field(2, body)


def ints(*values, **options):
    packed = options.get("packed", True)
    body = _field(1, b"".join(map(_varint, values))) if packed else b"".join(b"\x08" + _varint(v) for v in values)
    return _field(3, body)


def texts(*values):
    return _field(1, b"".join(_field(1, v) for v in values))


def _features(entries):
    return b"".join(_field(1, _field(1, key.encode()) + _field(2, feature)) for key, feature in entries)


def example(*entries):
    return _field(1, _features(entries))


def sequence(context=(), lists=()):
    body = b"".join(_field(1, _field(1, key.encode()) + _field(2, b"".join(_field(1, f) for f in features))) for key, features in lists)
    return _field(1, _features(context)) + _field(2, body)


A = example(("f", floats(1.5, 2.5)), ("i", ints(1, -2, 3)), ("s", texts(b"a", b"")), ("one", ints(7)))
B = example(("f", floats(3.0, 4.0)), ("i", ints()), ("s", texts(b"bc")), ("one", ints(8, packed=False)))
C = example(("i", ints(5, packed=False)), ("unknown", texts(b"x")), ("f", floats(5.0, 6.0, packed=False)), ("one", ints(9)))
EMPTY = b""


def case_var_len(tf):
    spec = {"i": tf.VarLenFeature(tf.int64), "s": tf.io.VarLenFeature(tf.string), "none": tf.VarLenFeature(tf.float32)}
    return tf.parse_example([A, B, C, EMPTY], spec)


def case_fixed(tf):
    spec = {"f": tf.FixedLenFeature([2], tf.float32), "one": tf.FixedLenFeature([], tf.int64), "d": tf.FixedLenFeature([1, 2], tf.string, [["x", "y"]]),
            "e": tf.FixedLenFeature([2], tf.int64, default_value=[3, 4])}
    return tf.parse_example([A, B, C], spec, name="named")


def case_fixed_default(tf):
    spec = {"f": tf.FixedLenFeature([2], tf.float32, [8.0, 9.0]), "g": tf.FixedLenFeature((), tf.float32, 1.0), "h": tf.FixedLenFeature([0], tf.int64, [])}
    return tf.parse_example([A, EMPTY], spec, example_names=["first", "second"])


def case_fixed_sequence(tf):
    spec = {"i": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True), "f": tf.FixedLenSequenceFeature([2], tf.float32, allow_missing=True),
            "s": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="pad"),
            "g": tf.FixedLenSequenceFeature([1], tf.float32, allow_missing=True, default_value=-1.0)}
    return tf.parse_example([A, B, EMPTY], spec)


def case_sparse(tf):
    records = [example(("at", ints(3, 1)), ("v", floats(0.3, 0.1))), EMPTY, example(("at", ints(0)), ("v", floats(5.0)))]
    two = [example(("x", ints(1, 0)), ("y", ints(2, 1)), ("v", floats(1.0, 2.0)))]
    return [tf.parse_example(records, {"sp": tf.SparseFeature("at", "v", tf.float32, 10)}),
            tf.parse_example(records, {"sp": tf.SparseFeature(index_key="at", value_key="v", dtype=tf.float32, size=10, already_sorted=True)}),
            tf.parse_example(two, {"sp": tf.SparseFeature(["x", "y"], "v", tf.float32, [5, 6])})]


def case_placeholder(tf):
    x = tf.placeholder(tf.string, [None], name="x")
    spec = {"f": tf.FixedLenFeature([2], tf.float32, [0.0, 0.0]), "i": tf.VarLenFeature(tf.int64)}
    return Case(tf.parse_example(x, spec), feeds=[{x: [A, B]}, {x: []}, {x: [EMPTY]}], steps=3)


def case_single(tf):
    spec = {"f": tf.FixedLenFeature([2], tf.float32), "i": tf.VarLenFeature(tf.int64), "one": tf.FixedLenFeature([], tf.int64),
            "s": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True), "none": tf.VarLenFeature(tf.string),
            "d": tf.FixedLenFeature([2], tf.string, ["x", "y"])}
    x = tf.placeholder(tf.string, [], name="x")
    return Case(tf.parse_single_example(x, spec), feeds={x: A})


def case_single_sparse(tf):
    spec = {"sp": tf.SparseFeature("at", "v", tf.float32, 10)}
    return tf.parse_single_example(example(("at", ints(3, 1)), ("v", floats(0.3, 0.1))), spec, name="named")


def case_single_name(tf):
    return tf.io.parse_single_example(A, {"one": tf.FixedLenFeature([], tf.int64)}, example_names="its name")


def case_single_name_sparse(tf):
    x = tf.placeholder(tf.string, [], name="x")
    spec = {"i": tf.VarLenFeature(tf.int64), "f g": tf.FixedLenFeature([], tf.float32, 1.0), "none": tf.VarLenFeature(tf.string)}
    return Case(tf.parse_single_example(x, spec, example_names="n", name="q"), feeds={x: A})


def case_v2(tf):
    io = tf.compat.v2.io
    return [io.parse_example([A, B], {"i": io.VarLenFeature(tf.int64)}, ["a", "b"], "named"),
            io.parse_single_example(A, {"one": io.FixedLenFeature([], tf.int64)}, name="single")]


def case_refused(tf):
    p, s = tf.parse_example, tf.parse_single_example
    return {
        "no features": raises(p, [A], {}), "none": raises(p, [A], None), "kind": raises(p, [A], {"a": 3}),
        "shape": raises(p, [A], {"a": tf.FixedLenFeature(None, tf.float32)}), "dtype": raises(p, [A], {"a": tf.FixedLenFeature([], tf.int32)}),
        "var dtype": raises(p, [A], {"a": tf.VarLenFeature(tf.int32)}), "no dtype": raises(p, [A], {"a": tf.VarLenFeature(None)}),
        "default": raises(p, [A], {"a": tf.FixedLenFeature([2], tf.float32, [1.0, 2.0, 3.0])}),
        "unknown dim": raises(p, [A], {"a": tf.FixedLenFeature([None, 2], tf.float32)}), "inner": raises(p, [A], {"a": tf.FixedLenFeature([2, None], tf.float32)}),
        "missing not allowed": raises(p, [A], {"a": tf.FixedLenSequenceFeature([], tf.float32)}),
        "sparse keys": raises(p, [A], {"a": tf.SparseFeature(["x"], "v", tf.float32, [1, 2])}),
        "no index": raises(p, [A], {"a": tf.SparseFeature("", "v", tf.float32, 3)}), "no size": raises(p, [A], {"a": tf.SparseFeature("x", "v", tf.float32, None)}),
        "scalar": raises(p, A, {"a": tf.VarLenFeature(tf.int64)}), "clash": raises(p, [A], {"x": tf.VarLenFeature(tf.float32), "a": tf.SparseFeature("x", "v", tf.float32, 3)}),
        "vector": raises(s, [A], {"a": tf.VarLenFeature(tf.int64)}), "single no features": raises(s, A, {}),
        "both": raises(p, [A], {"v": tf.FixedLenFeature([], tf.float32), "a": tf.SparseFeature("x", "v", tf.float32, 3)}),
        "serialized": raises(p, [1], {"a": tf.VarLenFeature(tf.int64)}),
    }


def _hostile(records, spec):
    def case(tf):
        x = tf.placeholder(tf.string, [None], name="x")
        return Case(tf.parse_example(x, spec(tf)), feeds={x: records}, graph=False)
    return case


def _dense(shape, kind, **more):
    return lambda tf: {"k": tf.FixedLenFeature(shape, getattr(tf, kind), **more)}


def _var(kind):
    return lambda tf: {"k": tf.VarLenFeature(getattr(tf, kind))}


case_missing = _hostile([A], _dense([], "float32"))
case_wrong_kind = _hostile([example(("k", ints(1)))], _dense([1], "float32"))
case_wrong_kind_var = _hostile([example(("k", ints(1)))], _var("float32"))
case_too_few = _hostile([example(("k", floats(1.0)))], _dense([2], "float32"))
case_too_many = _hostile([example(("k", floats(1.0, 2.0, 3.0)))], _dense([2], "float32"))
case_no_values = _hostile([example(("k", floats()))], _dense([2], "float32"))
case_no_values_default = _hostile([example(("k", floats()))], _dense([1], "float32", default_value=[5.0]))
case_no_kind = _hostile([example(("k", b""))], _dense([1], "float32", default_value=[5.0]))
case_no_kind_var = _hostile([example(("k", b""))], _var("float32"))
case_no_kind_missing = _hostile([example(("k", b""))], _dense([1], "float32"))
case_garbage = _hostile([b"garbage"], _var("float32"))
case_truncated = _hostile([A[:-3]], _var("float32"))
case_text_of_int = _hostile([example(("k", texts(b"1")))], _var("int64"))
case_duplicate_key = _hostile([example(("k", ints(1)), ("k", ints(2, 3)))], _var("int64"))
case_two_kinds = _hostile([example(("k", ints(1) + floats(2.0)))], _var("float32"))
case_repeated_list = _hostile([example(("k", ints(1) + ints(2)))], _var("int64"))
case_two_features = _hostile([example(("k", ints(1))) + example(("k", ints(4)), ("j", ints(5)))], _var("int64"))
case_unknown_fields = _hostile([_field(9, b"abc") + example(("k", _field(7, b"x") + ints(1))) + b"\x50\x05"], _var("int64"))
case_big_ints = _hostile([example(("k", ints(2**63 - 1, -2**63)))], _var("int64"))
case_bad_utf8_key = _hostile([_field(1, _field(1, _field(1, b"\xff") + _field(2, ints(1))))], _var("int64"))
case_odd_floats = _hostile([example(("k", _field(2, _field(1, b"\0\0\x80?\0"))))], _var("float32"))
case_uneven_sequence = _hostile([example(("k", floats(1.0, 2.0, 3.0)))], lambda tf: {"k": tf.FixedLenSequenceFeature([2], tf.float32, allow_missing=True)})
case_sparse_outside = _hostile([example(("at", ints(30)), ("v", floats(1.0)))], lambda tf: {"k": tf.SparseFeature("at", "v", tf.float32, 10)})
case_sparse_uneven = _hostile([example(("at", ints(3, 4)), ("v", floats(1.0)))], lambda tf: {"k": tf.SparseFeature("at", "v", tf.float32, 10)})
case_sparse_negative = _hostile([example(("at", ints(-3)), ("v", floats(1.0)))], lambda tf: {"k": tf.SparseFeature("at", "v", tf.float32, 10)})


def _hostile_single(record, spec):
    def case(tf):
        x = tf.placeholder(tf.string, [], name="x")
        return Case(tf.parse_single_example(x, spec(tf)), feeds={x: record}, graph=False)
    return case


case_single_missing = _hostile_single(A, _dense([], "float32"))
case_single_wrong_kind = _hostile_single(example(("k", ints(1))), _dense([1], "float32"))
case_single_too_few = _hostile_single(example(("k", floats(1.0))), _dense([2], "float32"))
case_single_empty = _hostile_single(EMPTY, _var("float32"))
case_single_truncated = _hostile_single(A[:-3], _var("float32"))

S = sequence([("id", ints(5)), ("tags", texts(b"x", b"y"))], [("w", [texts(b"a"), texts(b"b", b"c"), texts()]), ("v", [floats(1.0, 2.0), floats(3.0, 4.0)])])
T = sequence([("id", ints(6))], [("w", []), ("v", [floats(5.0, 6.0)])])


def _contexts(tf):
    return {"id": tf.FixedLenFeature([], tf.int64), "tags": tf.VarLenFeature(tf.string), "d": tf.FixedLenFeature([1], tf.float32, [2.5])}


def case_single_sequence(tf):
    lists = {"w": tf.VarLenFeature(tf.string), "v": tf.FixedLenSequenceFeature([2], tf.float32), "m": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    x = tf.placeholder(tf.string, [], name="x")
    return Case(tf.parse_single_sequence_example(x, _contexts(tf), lists), feeds=[{x: S}, {x: T}], steps=2)


def case_single_sequence_parts(tf):
    return [tf.io.parse_single_sequence_example(S, context_features={"id": tf.FixedLenFeature([], tf.int64)}, name="c"),
            tf.io.parse_single_sequence_example(S, sequence_features={"w": tf.VarLenFeature(tf.string)}, example_name="its name")]


def case_sequences(tf):
    lists = {"w": tf.VarLenFeature(tf.string), "v": tf.FixedLenSequenceFeature([2], tf.float32), "m": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    return tf.io.parse_sequence_example([S, T], _contexts(tf), lists, example_names=["s", "t"], name="named")


def case_sequences_parts(tf):
    return [tf.io.parse_sequence_example([S, T], {"id": tf.FixedLenFeature([], tf.int64)}),
            tf.io.parse_sequence_example([S, T], sequence_features={"v": tf.FixedLenSequenceFeature([2], tf.float32)})]


def case_sequence_refused(tf):
    p, q = tf.parse_single_sequence_example, tf.io.parse_sequence_example
    return [raises(p, S), raises(q, [S]), raises(p, S, {"a": 3}), raises(p, S, None, {"a": tf.FixedLenFeature([], tf.int64)}),
            raises(p, S, {"a": tf.FixedLenSequenceFeature([], tf.int64)}), raises(q, S, {"a": tf.VarLenFeature(tf.int64)}), raises(p, [S], {"a": tf.VarLenFeature(tf.int64)})]


def _hostile_sequence(record, context=None, lists=None):
    def case(tf):
        x = tf.placeholder(tf.string, [], name="x")
        one = tf.parse_single_sequence_example(x, context(tf) if context else None, lists(tf) if lists else None)
        return Case(one, feeds={x: record}, graph=False)
    return case


_v2 = lambda tf: {"v": tf.FixedLenSequenceFeature([2], tf.float32)}
case_sequence_missing = _hostile_sequence(T, lists=lambda tf: {"zz": tf.FixedLenSequenceFeature([], tf.int64)})
case_sequence_missing_context = _hostile_sequence(T, lambda tf: {"zz": tf.FixedLenFeature([], tf.int64)})
case_sequence_wrong_kind = _hostile_sequence(sequence([], [("v", [ints(1, 2)])]), lists=_v2)
case_sequence_too_few = _hostile_sequence(sequence([], [("v", [floats(1.0)])]), lists=_v2)
case_sequence_empty = _hostile_sequence(b"", lists=lambda tf: {"v": tf.VarLenFeature(tf.float32)})


case_sequence_garbage = _hostile_sequence(b"garbage", lists=_v2)


def _hostile_sequences(records, context=None, lists=None):
    def case(tf):
        x = tf.placeholder(tf.string, [None], name="x")
        return Case(tf.io.parse_sequence_example(x, context(tf) if context else None, lists(tf) if lists else None), feeds={x: records}, graph=False)
    return case


case_sequences_missing = _hostile_sequences([T], lists=lambda tf: {"zz": tf.FixedLenSequenceFeature([], tf.int64)})
case_sequences_missing_context = _hostile_sequences([T], lambda tf: {"zz": tf.FixedLenFeature([], tf.int64)})
case_sequences_wrong_kind = _hostile_sequences([T, sequence([], [("v", [ints(1, 2)])])], lists=_v2)
case_sequences_garbage = _hostile_sequences([T, b"garbage"], lists=_v2)
case_sequences_none = _hostile_sequences([], lists=_v2)
