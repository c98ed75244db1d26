"""Assertions and checks: static ones, the graphs of the dynamic ones, and what they say when they fail."""

from golden_case import Case, raises, says

PAIRS = ("equal", "none_equal", "less", "less_equal", "greater", "greater_equal", "near")
SIGNS = ("negative", "positive", "non_negative", "non_positive")


def _pair(tf, name):
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.constant([1.0, 2.0], name="y")
    check = getattr(tf.debugging, "assert_" + name)
    with tf.name_scope("inner"):
        op = check(x, y, message="a message", summarize=2)
    other = check(x, y, data=[x], name="named")
    return [op, other]


def case_pairs_hold(tf):
    for name in PAIRS:
        _pair(tf, name)
    return Case(tf.no_op(), graph=True)


def _fails(name, fed):
    def case(tf):
        return Case(_pair(tf, name), feeds={"x:0": fed}, graph=False)
    return case


case_equal_fails = _fails("equal", [1.0, 3.0])
case_none_equal_fails = _fails("none_equal", [0.0, 2.0])
case_less_fails = _fails("less", [0.0, 2.0])
case_less_equal_fails = _fails("less_equal", [0.0, 2.5])
case_greater_fails = _fails("greater", [2.0, 2.0])
case_greater_equal_fails = _fails("greater_equal", [0.0, 3.0])
case_near_fails = _fails("near", [1.0, 2.1])
case_equal_holds = _fails("equal", [1.0, 2.0])
case_near_holds = _fails("near", [1.0, 2.0])
case_shapes_differ = _fails("less", [1.0, 2.0, 3.0])


def case_static_pairs(tf):
    facts = {}
    for name in PAIRS:
        check = getattr(tf.debugging, "assert_" + name)
        facts[name] = [raises(check, tf.constant([1, 2]), tf.constant([1, 3])), raises(check, [3, 4], [1, 2], message="m"),
                       raises(check, [0.5], [1.0], name="n"), raises(check, [], [])]
    return facts


def case_kinds(tf):
    a = tf.placeholder(tf.int32, [2], name="a")
    b = tf.placeholder(tf.int32, name="b")
    tf.assert_equal(a, b)
    tf.assert_near(tf.cast(a, tf.float64), 1.0, rtol=0.1, atol=tf.constant(0.2, tf.float64))
    tf.assert_near(tf.cast(a, tf.float16), tf.constant(1.0, tf.float16))
    tf.assert_near(tf.constant([1.0]), tf.constant([1.0]))
    return tf.no_op()


def case_signs(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    for name in SIGNS:
        getattr(tf.debugging, "assert_" + name)(x, message="said")
        getattr(tf, "assert_" + name)(x, data=["d", x], summarize=1, name="n")
    return tf.no_op()


def case_static_signs(tf):
    return {name: [raises(getattr(tf, "assert_" + name), v) for v in ([1.0, -1.0], [0], [2, 3], [-2.0], [])] for name in SIGNS}


def case_rank(tf):
    x = tf.placeholder(tf.float32, name="x")
    rank = tf.placeholder(tf.int32, [], name="rank")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    tf.assert_rank(x, 2, message="said")
    tf.assert_rank(x, rank)
    tf.assert_rank(y, 2)
    tf.assert_rank_at_least(x, 2)
    tf.assert_rank_at_least(x, rank, data=[rank])
    tf.assert_rank_at_least(y, 1)
    tf.assert_rank_in(x, [1, 2])
    tf.assert_rank_in(x, (1, rank), name="ri")
    tf.assert_rank_in(y, (1, 2))
    return tf.no_op()


def case_static_rank(tf):
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    return {
        "rank": raises(tf.assert_rank, y, 1, message="m"), "least": raises(tf.assert_rank_at_least, y, 3),
        "in": raises(tf.assert_rank_in, y, [1, 3]), "vector": raises(tf.assert_rank, y, [2]),
        "float": raises(tf.assert_rank, y, 2.0), "rank of in": raises(tf.assert_rank_in, y, [[1]]),
        "float in": raises(tf.assert_rank_in, y, [1.5]), "ok": raises(tf.assert_rank, y, 2),
    }


def _fails_rank(build):
    def case(tf):
        x = tf.placeholder(tf.float32, name="x")
        return Case(build(tf, x), feeds={x: [1.0]}, graph=False)
    return case


case_rank_fails = _fails_rank(lambda tf, x: tf.assert_rank(x, 2))
case_rank_at_least_fails = _fails_rank(lambda tf, x: tf.assert_rank_at_least(x, 2))
case_rank_in_fails = _fails_rank(lambda tf, x: tf.assert_rank_in(x, [0, 2]))
case_rank_holds = _fails_rank(lambda tf, x: [tf.assert_rank(x, 1), tf.assert_rank_at_least(x, 1), tf.assert_rank_in(x, [1])])


def case_types(tf):
    i, f, s = tf.constant(1), tf.constant(1.0), tf.constant("a")
    sparse = tf.SparseTensor([[0]], [1.0], [1])
    return {
        "integer": raises(tf.assert_integer, f, message="m"), "integer ok": raises(tf.assert_integer, i),
        "type": raises(tf.assert_type, f, tf.int32, "m"), "type ok": raises(tf.assert_type, sparse, tf.float32),
        "numeric": [tf.is_numeric_tensor(v) for v in (i, f, s, 1, "a")],
        "same": raises(tf.assert_same_float_dtype, [f, tf.constant(1.0, tf.float64)]),
        "same dtype": tf.assert_same_float_dtype([f, sparse]).name, "default": tf.assert_same_float_dtype().name,
        "wanted": raises(tf.assert_same_float_dtype, [f], tf.float64), "int": raises(tf.assert_same_float_dtype, [i]),
        "iterable": [raises(tf.assert_proper_iterable, v) for v in ([1], (1,), {1: 2}, "a", i, sparse, f, None, 3)],
    }


def case_integer_op(tf):
    tf.assert_integer(tf.constant(1), name="ai")
    tf.assert_type(tf.constant(1.0), tf.float32)
    tf.debugging.assert_same_float_dtype([tf.constant(1.0)], tf.float32)
    return tf.no_op()


def case_scalar(tf):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.debugging.assert_scalar(tf.constant(1.0))
    z = tf.debugging.assert_scalar(3, name="z")
    return {"y": y, "errors": [raises(tf.assert_scalar, v) for v in (tf.constant([1.0]), x)], "name": z.name}


def case_order(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    out = [tf.math.is_non_decreasing(x), tf.is_strictly_increasing(x), tf.is_strictly_increasing([[1, 2], [3, 4]])]
    return Case(out, feeds=[{x: [1.0, 1.0, 2.0]}, {x: [1.0, 2.0]}, {x: [2.0, 1.0]}, {x: []}, {x: [float("nan"), 1.0]}], steps=5)


def case_order_of_few(tf):
    return Case([tf.is_non_decreasing([]), tf.is_strictly_increasing([3]), tf.is_non_decreasing(1.5)], graph=False)


def case_shapes(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None, None], name="y")
    u = tf.placeholder(tf.float32, name="u")
    op = tf.debugging.assert_shapes({x: ("n", 3), y: ("n", "m")})
    other = tf.debugging.assert_shapes([(u, (2, "k")), (y, ("k", 2))], data=["why"], summarize=3, message="said", name="named")
    return Case([op, other], feeds=[{x: [[1, 2, 3]] * 2, y: [[1, 2]] * 2, u: [[1, 2]] * 2}])


def case_shapes_open(tf):
    x, y, z = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, [None, None], name="y"), tf.placeholder(tf.float32, [None], name="z")
    tf.debugging.assert_shapes([(x, ("*", "n", 3)), (y, ("n", None))])
    tf.debugging.assert_shapes([(x, ("n",)), (z, ("n",))])
    tf.debugging.assert_shapes([(tf.constant(1.0), ("n",)), (z, ("n",))])
    tf.debugging.assert_shapes({})
    return tf.no_op()


def case_same(tf):
    x = tf.placeholder(tf.float32, name="x")
    tf.assert_equal(x, x)
    return [tf.assert_less(tf.constant(1), tf.constant(2)), tf.assert_positive(1.0)]


def case_shapes_fail(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None, None], name="y")
    return Case(tf.debugging.assert_shapes({x: ("n", 3), y: ("n", "m")}), feeds={x: [[1, 2, 3]] * 2, y: [[1, 2]] * 3}, graph=False)


def case_shapes_static(tf):
    x, y = tf.ones([2, 3]), tf.ones([3, 4])
    s = tf.debugging.assert_shapes
    return {
        "ok": raises(s, {x: ("a", "b"), y: ("b", "c")}), "size": raises(s, {x: (2, 4)}, message="m"),
        "symbol": raises(s, {x: ("a", "b"), y: ("a", "c")}), "rank": raises(s, {x: ("a",)}), "any": raises(s, {x: (None, "."), y: (3, "*")}),
        "prefix": raises(s, [(x, ("a",)), (y, (3, 4))]), "bad": raises(s, {x: 3}), "scalar": raises(s, [(tf.constant(1), ())]),
        "mixed": raises(s, [(x, ["a", "b"]), (y, "bc")]), "list": raises(s, [(x, [2, 3])]),
    }


def case_all_finite(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.verify_tensor_all_finite(x, "said")
    b = tf.debugging.assert_all_finite(x=x, message="said too", name="named")
    c = tf.debugging.check_numerics(x, "checked")
    return Case([a, b, c, tf.gradients(c, x)], feeds={x: [1.0, 2.0]})


def case_all_finite_refused(tf):
    return [raises(tf.verify_tensor_all_finite), raises(tf.verify_tensor_all_finite, 1.0), raises(tf.verify_tensor_all_finite, "a", "m"),
            raises(lambda: tf.verify_tensor_all_finite([1.0], "m", x=[1.0])), raises(tf.check_numerics, [1], "m")]


def _numerics(value, kind):
    def case(tf):
        x = tf.placeholder(getattr(tf, kind), [None], name="x")
        return Case(tf.check_numerics(x, "said"), feeds={x: value}, graph=False)
    return case


case_numerics_nan = _numerics([1.0, float("nan")], "float32")
case_numerics_inf = _numerics([1.0, float("inf")], "float64")
case_numerics_minus_inf = _numerics([1.0, -float("inf")], "float16")
case_numerics_both = _numerics([float("nan"), float("inf")], "float32")
case_numerics_empty = _numerics([], "float32")


def case_numerics_gradient(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    return Case(tf.gradients(tf.sqrt(tf.check_numerics(x, "said")), x), feeds={x: 0.0}, graph=False)


def case_add_check_numerics(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    i = tf.placeholder(tf.int32, [2], name="i")
    with tf.name_scope("deep"):
        tf.sqrt(x) + tf.cast(i, tf.float32)
    return Case(tf.add_check_numerics_ops(), feeds={x: [1.0, 4.0], i: [1, 2]})


def case_add_check_numerics_fails(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.log(x)
    return Case(tf.add_check_numerics_ops(), feeds={x: [1.0, 0.0]}, graph=False)


def case_add_check_numerics_cond(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    tf.cond(x > 0, lambda: tf.sqrt(x), lambda: x)
    return {"error": raises(tf.add_check_numerics_ops)}


def case_dependencies(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([tf.assert_positive(x)]):
        y = tf.identity(x)
    return Case(y, feeds={x: [1.0, 2.0]})


def case_v2(tf):
    d = tf.compat.v2.debugging
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.constant([1.0, 2.0])
    d.assert_equal(x, y, "m", 2, "n")
    d.assert_less(x, y, message="m")
    d.assert_near(x, y, 0.1, 0.2, "m")
    d.assert_positive(x, "m")
    d.assert_rank(x, 1, "m")
    d.assert_rank_at_least(x, 1)
    d.assert_rank_in(x, [1])
    d.assert_integer(tf.constant(1), "m")
    d.assert_type(x, tf.float32, "m")
    d.assert_shapes({x: ("n",)}, message="m")
    d.assert_scalar(tf.constant(1.0), "m")
    d.assert_all_finite(x, "m")
    return tf.no_op()


def case_v2_values(tf):
    d = tf.compat.v2.debugging
    return [raises(d.assert_equal, [1], [2], "m"), raises(d.assert_rank, tf.ones([2]), 2, "m"), raises(d.assert_integer, tf.constant(1.0)),
            raises(d.assert_scalar, tf.ones([2])), raises(d.assert_type, tf.ones([2]), tf.int32)]


def case_computed_from_constants_is_checked_in_the_run(tf):
    x = tf.constant([1.0, 2.0])
    return [
        tf.assert_less_equal(x * 3.0, 1.0),
        tf.assert_positive(-x),
        tf.assert_rank(tf.ones([2]), tf.constant(1) + 0),
        tf.assert_less(tf.reshape(x, [2, 1]), 0.0),
    ]


def case_computed_shapes_are_checked_in_the_build(tf):
    x = tf.constant([1.0, 2.0])
    return [
        raises(tf.assert_less_equal, tf.cast(tf.constant([3, 4]), tf.float32), 1.0),
        raises(tf.assert_equal, tf.shape(x), [3]),
        raises(tf.assert_equal, tf.stack([tf.size(x), tf.rank(x)]), [2, 2]),
    ]


def case_data_after_a_message(tf):
    x, y = tf.placeholder_with_default([1.0, 2.0], [None]), tf.constant([1.0, 3.0])
    return [getattr(tf.debugging, f"assert_{name}")(x, y, data=["shown", x], message="a message") for name in PAIRS]


def case_order_of_what_is_no_number(tf):
    kinds = (tf.bool, tf.uint16, tf.uint32, tf.float16, tf.bfloat16, tf.complex128, tf.string)
    return [raises(check, tf.placeholder(kind, [2])) for kind in kinds for check in (tf.math.is_non_decreasing, tf.math.is_strictly_increasing)]


def case_scalars_count_as_vectors_of_one(tf):
    def checked(x, *shapes):
        with tf.Graph().as_default(), tf.Session() as session:
            fed = tf.placeholder(tf.int32)
            session.run(tf.debugging.assert_shapes([(tf.constant(x), shape) for shape in shapes]))
            session.run(tf.debugging.assert_shapes([(fed, shape) for shape in shapes]), {fed: x})

    return [raises(checked, x, shape) for x in (1, [1], [1, 2], [[1, 2]])
            for shape in (("*", "N"), ("*", 1), ("*", 2), ("*",), ("N",), (1,), ())]


def case_names_of_dtypes_in_messages(tf):
    one, two = tf.constant(1.0), tf.constant(1.0, tf.float64)
    return [
        says("must be of type <dtype: 'int32'>", tf.debugging.assert_type, one, tf.int32),
        says("of dtype <dtype: 'float32'>", tf.debugging.assert_integer, one),
        says(r"type=<dtype: 'float64'>, must be of the same type \(<dtype: 'float32'>\)", tf.debugging.assert_same_float_dtype, [one, two]),
        says("Expected floating point type, got <dtype: 'int32'>", tf.debugging.assert_same_float_dtype, None, tf.int32),
    ]


def case_gradient_identities(tf):
    x = tf.Variable([1.0, 2.0], name="x", use_resource=False)
    by_value = tf.raw_ops.DebugGradientIdentity(input=x)
    raw = tf.NodeDef(name="by_reference", op="DebugGradientRefIdentity", input=["x"])
    raw.attr["T"].type = tf.float32.as_datatype_enum
    by_reference, = tf.import_graph_def(
        tf.GraphDef(node=[raw]), {"x": x.op.outputs[0]}, return_elements=["by_reference:0"], name="")
    return [by_value, by_reference, str(by_reference.dtype), str(by_reference.shape)]


def case_assert_shapes_of_any_rank(tf):
    x, y = tf.placeholder(tf.float32, [None, 4, 3], name="x"), tf.placeholder(tf.float32, [2, 3], name="y")
    tf.debugging.assert_shapes({x: (Ellipsis, 3)})
    tf.debugging.assert_shapes([(x, (Ellipsis, "C")), (y, ("N", "C")), (x, None)])
    return [raises(tf.debugging.assert_shapes, {x: (Ellipsis, 4)}), raises(tf.debugging.assert_shapes, {x: (4, Ellipsis)}),
            raises(tf.debugging.assert_shapes, [(x, ("N", 4, "C")), (y, ("C", "N"))])]
