"""Assert, case and switch_case: the graphs that they build and the errors that they raise."""
import numpy as np
from golden_case import Case, raises


def message(tf, data, summarize=None):
    """What a failing assertion of `data` says."""
    check = tf.Assert(tf.placeholder_with_default(False, []), data, summarize)
    try:
        with tf.Session() as session:
            session.run(check)
    except tf.errors.InvalidArgumentError as error:
        return error.message.split("\n")[0]


def case_static(tf):
    return [tf.Assert(True, ["yes"]), raises(tf.Assert, False, ["no", 3])]


def case_static_guarded(tf):
    return tf.Assert(True, [1.5]), raises(tf.Assert, None, [1.5])


def case_messages(tf):
    c = tf.constant
    cube = np.arange(24).reshape(2, 3, 4)
    facts = {"limit%d_%s" % (limit, shape): message(tf, [c(np.arange(np.prod(shape)).reshape(shape).astype("int32"))], limit)
             for limit in (-1, 0, 1, 2, 3, 4, 5, 8) for shape in ((), (1,), (3,), (4,), (2, 2), (3, 2), (0,), (2, 0), (1, 1, 1), (2, 2, 2))}
    floats = [0.1, 1 / 3.0, 1e10, 1e-7, 123456.789, 1e16, 1.0, -0.0, float("nan"), float("inf"), -float("inf"), 16777216.0, 3.4e38]
    facts.update({kind: message(tf, [c(floats, kind)], 20) for kind in ("float32", "float64")})
    facts["half"] = message(tf, [c([0.1, 1 / 3.0, 65504.0, 1.0], "float16")], 20)
    facts["bfloat16"] = message(tf, [tf.cast(c([0.1, 1 / 3.0, 1e10]), "bfloat16")], 20)
    facts["complex"] = message(tf, [c([1 + 2j, 0.1 - 1j], "complex64"), c([1 + 2j, 0.1 - 1j / 3], "complex128")], 20)
    facts.update({kind: message(tf, [c([0, 1, 100], kind)]) for kind in ("int8", "uint8", "int16", "uint16", "int64", "uint32", "uint64")})
    facts["bool"] = message(tf, [c([True, False])])
    facts["strings"] = message(tf, [c(["a", "b c", "\x00\n\t", u"h\u00e9"]), c("one")], 10)
    facts["cube"] = message(tf, [c(cube), c(cube, tf.float32)])
    return Case(facts, graph=False, graph_only=True)


def case_static_constant(tf):
    return Case(graph_only=True, fetches=[tf.Assert(tf.constant(True), ["text", 3]), tf.Assert(tf.constant(False), [tf.constant(1)])])


def case_constant_fails(tf):
    return Case(tf.Assert(tf.constant(False), ["text", tf.constant([1, 2, 3, 4])], summarize=2))


def case_data_dtypes(tf):
    x = tf.placeholder(tf.bool, [])
    with tf.device("/cpu:0"):
        checks = [tf.Assert(x, ["a", b"b"]), tf.Assert(x, [1, [2, 3]]), tf.Assert(x, ["n", 1], name="mixed"), tf.Assert(x, [1.0, 2]), tf.Assert(x, [tf.constant(3)], summarize=7)]
    return Case(checks, feeds=[{x: True}, {x: False}], steps=2)


def case_long(tf):
    x = tf.placeholder(tf.bool, [])
    data = tf.constant(np.arange(24).reshape(2, 3, 4) / 3.0, tf.float32)
    check = tf.Assert(x, ["head", data, tf.constant(["a", "b"]), tf.constant([True, False]), tf.constant([[1, 2], [3, 4]]), tf.constant([], tf.int64)], summarize=5)
    return Case(check, feeds=[{x: False}])


def case_all(tf):
    x = tf.placeholder(tf.bool, [])
    return Case(tf.Assert(x, [tf.constant([[1.5, -2.0], [1e5, 1e-7]]), tf.constant([3, 4], tf.uint8)], summarize=-1), feeds=[{x: False}])


def case_refused(tf):
    x = tf.placeholder(tf.bool, [])
    return [raises(tf.Assert, x, []), raises(tf.Assert, tf.constant(1), ["a"]), raises(tf.Assert, x, None), raises(tf.Assert, tf.placeholder(tf.bool, [2]), ["a"]), raises(tf.Assert, x, "text"), raises(tf.Assert, None, ["x"])]


def case_in_loop(tf):
    def body(i):
        with tf.control_dependencies([tf.Assert(i < 3, ["too far", i])]):
            return tf.identity(i) + 1
    n = tf.placeholder(tf.int32, [])
    return Case(tf.while_loop(lambda i: i < n, body, [0]), feeds=[{n: 2}, {n: 5}], steps=2)


def case_scoped(tf):
    x = tf.placeholder(tf.bool, [])
    with tf.name_scope("s"), tf.control_dependencies([tf.no_op("before")]):
        first = tf.Assert(x, ["m"], name="check")
    with tf.control_dependencies([first]):
        return Case(tf.constant(1.0), feeds=[{x: True}, {x: False}], steps=2)


def case_case_dict(tf):
    x = tf.placeholder_with_default(1, [])
    a, b = tf.less(x, 0), tf.greater(x, 5)
    return tf.case({a: lambda: tf.constant(1), b: lambda: tf.constant(2)}, default=lambda: tf.constant(3), exclusive=True)


def case_case_dict_inclusive(tf):
    x = tf.placeholder_with_default(1, [])
    return raises(tf.case, {tf.less(x, 0): lambda: tf.constant(1), tf.less(x, 1): lambda: tf.constant(1)}, lambda: tf.constant(3))


def case_case_structures(tf):
    x = tf.placeholder(tf.int32, [])
    y = tf.case([(x < 0, lambda: (tf.constant(1), {"a": tf.constant(2.0)})), (x < 5, lambda: (x, {"a": tf.cast(x, tf.float32)}))], lambda: (x * 2, {"a": tf.constant(9.0)}), strict=True, name="pick")
    return Case(y, feeds=[{x: -1}, {x: 1}, {x: 8}], steps=3)


def case_case_strict(tf):
    x = tf.placeholder_with_default(True, [])
    return tf.case([(x, lambda: [tf.constant(1)])], lambda: [tf.constant(2)], strict=True), tf.case([(x, lambda: [tf.constant(1)])], lambda: [tf.constant(2)])


def case_case_three(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.case([(x < 0.0, lambda: -x), (x < 1.0, lambda: x * 2.0), (x < 2.0, lambda: x * x)], default=lambda: x + 1.0)
    return Case([y, tf.gradients(y, x)], feeds=[{x: -1.0}, {x: 0.5}, {x: 1.5}, {x: 3.0}], steps=4)


def case_case_no_default_single(tf):
    x = tf.placeholder(tf.int32, [])
    return Case(tf.case([(x > 0, lambda: tf.constant(1))]), feeds=[{x: 1}, {x: -1}], steps=2)


def case_case_no_default_exclusive(tf):
    x = tf.placeholder(tf.int32, [])
    y = tf.case([(x > 0, lambda: tf.constant(1)), (x < -3, lambda: tf.constant(2))], exclusive=True)
    return Case(y, feeds=[{x: 1}, {x: -7}, {x: -1}], steps=3)


def case_case_constant(tf):
    return tf.case([(tf.constant(False), lambda: tf.constant(1)), (tf.constant(True), lambda: tf.constant(2))], default=lambda: tf.constant(3))


def case_case_none(tf):
    return [raises(tf.case, [(tf.constant(True), lambda: None)], lambda: tf.constant(1)), raises(tf.case, [(tf.constant(True), lambda: tf.constant(1))], 3),
            raises(tf.case, [(tf.constant(True),)]), raises(tf.case, [(tf.constant(True), lambda: tf.constant(1))], lambda: tf.constant(1.0)), raises(tf.case, [tf.constant(True)])]


def case_switch_case(tf):
    i = tf.placeholder(tf.int32, [])
    return Case(tf.switch_case(i, [lambda: tf.constant(1), lambda: tf.constant(2)], default=lambda: tf.constant(9)), feeds=[{i: 0}, {i: 1}, {i: 5}, {i: -1}], steps=4, graph=False, collections=False)


def case_switch_case_last(tf):
    i = tf.placeholder(tf.int32, [])
    x = tf.placeholder_with_default(3.0, [])
    y = tf.switch_case(i, {1: lambda: x * 2.0, 0: lambda: x + 1.0, 2: lambda: tf.constant(0.0)})
    return Case(y, feeds=[{i: 0}, {i: 1}, {i: 5}], steps=3, graph=False, collections=False)


def case_switch_case_gradient(tf):
    i = tf.placeholder(tf.int32, [])
    x = tf.placeholder_with_default(3.0, [])
    y = tf.switch_case(i, [lambda: x * x, lambda: x * 3.0], name="pick")
    return Case([y, tf.gradients(y, x)], feeds=[{i: 0}, {i: 1}], steps=2, graph=False, collections=False)


def case_switch_case_refused(tf):
    i = tf.placeholder(tf.int32, [])
    return [raises(tf.switch_case, i, []), raises(tf.switch_case, tf.constant(1.0), [lambda: 1]), raises(tf.switch_case, i, {0: lambda: 1, 2: lambda: 2}), raises(tf.switch_case, i, [3]), raises(tf.switch_case, i, [lambda: 1], 3),
            raises(tf.switch_case, i, {"a": lambda: 1}), raises(tf.switch_case, 1, [lambda: 1, lambda: 2]), raises(tf.switch_case, tf.constant([1]), [lambda: 1])]
