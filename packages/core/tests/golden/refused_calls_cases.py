"""What calls that are refused leave behind: nodes, and names that later ones no longer get."""
from golden_case import raises


def _left(tf, *calls):
    """The errors of some calls; the graph shows their nodes, and names that are taken."""
    found = [raises(call) for call in calls]
    for name in ("p", "Placeholder", "x", "Const", "MatMul", "Range"):
        tf.no_op(name=name)
    return {"errors": found}


def case_placeholder(tf):
    return _left(
        tf, lambda: tf.placeholder(None), lambda: tf.placeholder(None, name="p"), lambda: tf.placeholder("foo", name="p"),
        lambda: tf.placeholder(tf.float32, "a", name="p"), lambda: tf.placeholder(tf.float32, [-2], name="p"),
        lambda: tf.placeholder_with_default(1.0, "a", name="p"), lambda: tf.sparse_placeholder(None, name="p"),
    )


def case_types(tf):
    return _left(
        tf, lambda: tf.raw_ops.Cast(x=1.0, DstT=None, name="p"), lambda: tf.raw_ops.Cast(x=1.0, DstT="foo", name="p"),
        lambda: tf.raw_ops.ArgMax(input=["a"], dimension="b", output_type="foo", name="p"),
        lambda: tf.raw_ops.ArgMax(input=[1.0], dimension=0, output_type=tf.string, name="p"),
    )


def case_flags_and_numbers(tf):
    return _left(
        tf, lambda: tf.raw_ops.MatMul(a=[[1.0]], b=[[1.0]], transpose_a="x", name="p"),
        lambda: tf.raw_ops.RandomUniform(shape=[1], dtype=tf.float32, seed="a", name="p"),
        lambda: tf.raw_ops.LeakyRelu(features=[1.0], alpha="a", name="p"), lambda: tf.nn.top_k([1.0], 1, sorted="x", name="p"),
        lambda: tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], capacity="a", name="p"),
    )


def case_lists(tf):
    image = [[[[1.0]]]]
    return _left(
        tf, lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides="a", padding="SAME", name="p"),
        lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides=3, padding="SAME", name="p"),
        lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides=["a"], padding="SAME", name="p"),
        lambda: tf.raw_ops.FIFOQueueV2(component_types=3, name="p"),
        lambda: tf.raw_ops.FIFOQueueV2(component_types=["foo"], name="p"),
        lambda: tf.raw_ops.FIFOQueueV2(component_types=[], name="p"),
        lambda: tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shapes=["a"], name="p"),
    )


def case_strings(tf):
    image = [[[[1.0]]]]
    return _left(
        tf, lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides=[1, 1, 1, 1], padding=3, name="p"),
        lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides=[1, 1, 1, 1], padding="X", name="p"),
        lambda: tf.raw_ops.Conv2D(input=image, filter=image, strides=[1, 1, 1, 1], padding=None, name="p"),
        lambda: tf.raw_ops.VariableV2(shape=[1], dtype=tf.float32, shared_name=3, name="p"),
    )


def case_shapes(tf):
    return {
        **_left(tf, lambda: tf.raw_ops.VariableV2(shape="a", dtype=tf.float32, name="p")),
        "unknown": str(tf.raw_ops.VariableV2(shape=None, dtype=tf.float32, name="v").shape),
    }


def case_inputs(tf):
    return _left(
        tf, lambda: tf.matmul([1.0], [[1.0]]), lambda: tf.matmul([[1.0]], tf.constant([[1]], name="x")),
        lambda: tf.add(tf.constant(1.0, name="x"), tf.constant(1, name="x")), lambda: tf.reshape([1.0], [1.5]),
        lambda: tf.constant([[1], [1, 2]]), lambda: tf.constant(None), lambda: tf.constant("a", tf.float32, name="x"),
    )


def case_range(tf):
    return _left(
        tf, lambda: tf.range("a"), lambda: tf.range("a", 3), lambda: tf.range(1, "a"), lambda: tf.range(True),
        lambda: tf.range(tf.constant(3, tf.bfloat16)), lambda: tf.range(None), lambda: tf.range(0, 3, 0),
    )


def case_lists_of_several_types(tf):
    return _left(
        tf, lambda: tf.stack([1, "a"], name="p"), lambda: tf.raw_ops.Pack(values=[1, object()], name="p"),
        lambda: tf.raw_ops.AddN(inputs=[1, 2.0], name="p"), lambda: tf.raw_ops.ConcatV2(values=[1, 2.0], axis=0, name="p"),
    )


def case_assertions_that_fail_at_build(tf):
    return _left(
        tf, lambda: tf.debugging.assert_non_negative(-1), lambda: tf.debugging.assert_equal(0, [1, 2, 3]),
        lambda: tf.debugging.assert_less(2, 1, data=["x"], message="m"), lambda: tf.debugging.assert_positive([0]),
    )


def case_sets_and_bessel_functions(tf):
    return _left(
        tf, lambda: tf.sets.set_size([1]), lambda: tf.sets.set_union(tf.constant([1.0]), 1.5),
        lambda: tf.sets.set_difference([1], 1.5), lambda: tf.math.bessel_i0(0), lambda: tf.math.bessel_i1("a"),
    )


def case_assertions_of_no_list(tf):
    flag = tf.placeholder(tf.bool)
    return _left(
        tf, lambda: tf.Assert(True, "ab"), lambda: tf.Assert(flag, "ab"), lambda: tf.Assert(flag, None),
        lambda: tf.Assert(True, 2.5), lambda: tf.Assert(True, tf.constant([1])), lambda: tf.Assert("a", ["x"]),
    )


def case_polynomials(tf):
    return _left(
        tf, lambda: tf.math.polyval(None, 2.0), lambda: tf.math.polyval(2.5, 2.0), lambda: tf.math.polyval([1.0, "a"], 2.0),
        lambda: tf.math.polyval([tf.zeros([2]), tf.zeros([3])], 2.0),
    )
