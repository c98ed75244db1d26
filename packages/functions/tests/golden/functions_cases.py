"""Golden cases: functional ops and functions."""
import numpy as np
from golden_case import Case, raises

X = np.array([1.0, -2.0], np.float32)


def _x(tf, shape=(2,)):
    return tf.placeholder(tf.float32, list(shape), name="x")


def case_switch_case(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(i, [lambda: x * 2.0, lambda: x + 1.0])
    return Case(y, feeds=[{i: 0, x: X}, {i: 1, x: X}, {i: 7, x: X}, {i: -1, x: X}], steps=4, collections=False)


def case_switch_case_captures(tf):
    i, x, z = tf.placeholder(tf.int32, [], name="i"), _x(tf), tf.placeholder(tf.float32, [2], name="z")
    y = tf.switch_case(i, [lambda: x * z, lambda: z + 1.0, lambda: tf.sin(x)], name="chosen")
    return Case(y, feeds=[{i: k, x: X, z: X + 1} for k in range(3)], steps=3, collections=False)


def case_switch_case_default(tf):
    i = tf.placeholder(tf.int32, [], name="i")
    y = tf.switch_case(i, {1: lambda: tf.constant(1), 0: lambda: tf.constant(2)}, default=lambda: tf.constant(9))
    return Case(y, feeds=[{i: 0}, {i: 1}, {i: 5}], steps=3, collections=False)


def case_switch_case_structure(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(i, [lambda: {"a": x, "b": (x, x + 1.0)}, lambda: {"a": -x, "b": (x, x * 2.0)}])
    return Case(y, feeds=[{i: 0, x: X}, {i: 1, x: X}], steps=2, collections=False)


def case_switch_case_shapes(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(i, [lambda: x, lambda: tf.zeros([2, 2]), lambda: tf.zeros([3])])
    z = tf.switch_case(i, [lambda: x, lambda: tf.zeros([3])])
    return Case([y, z, str(y.shape), str(z.shape)], feeds=[{i: 0, x: X}, {i: 1, x: X}], steps=2, collections=False)


def case_switch_case_one(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    return Case(tf.switch_case(i, [lambda: x * 2.0]), feeds=[{i: 3, x: X}], collections=False)


def case_switch_case_gradient(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(i, [lambda: x * x, lambda: tf.exp(tf.sin(x)), lambda: tf.constant([1.0, 2.0])])
    return Case([y] + tf.gradients(y, x), feeds=[{i: k, x: X} for k in range(3)], steps=3, graph=False,
                collections=False)


def case_switch_case_linear_gradient(tf):
    i, x, z = tf.placeholder(tf.int32, [], name="i"), _x(tf), tf.placeholder(tf.float32, [2], name="z")
    y = tf.switch_case(i, [lambda: x * z, lambda: x + z])
    return Case([y] + tf.gradients(y, [x, z]), feeds=[{i: k, x: X, z: X + 1} for k in range(2)], steps=2,
                collections=False, graph=False)


def case_switch_case_variable(tf):
    i = tf.placeholder(tf.int32, [], name="i")
    v = tf.get_variable("v", initializer=np.float32([1, 2]), use_resource=True)
    y = tf.switch_case(i, [lambda: v * 2.0, lambda: v + 1.0])
    return Case([y, tf.reshape(tf.gradients(y, v)[0], [2])], feeds=[{i: k} for k in range(2)], steps=2, collections=False, graph=False)


def case_switch_case_effects(tf):
    i = tf.placeholder(tf.int32, [], name="i")
    v = tf.get_variable("v", initializer=np.float32(1), use_resource=True)
    y = tf.switch_case(i, [lambda: v.assign_add(2.0).op, lambda: v.assign(v * 10.0).op])
    with tf.control_dependencies([y]):
        z = v.read_value()
    return Case(z, feeds=[{i: k} for k in (0, 1, 0)], steps=3, collections=False, graph=False)


def case_switch_case_nested(tf):
    i, j, x = tf.placeholder(tf.int32, [], name="i"), tf.placeholder(tf.int32, [], name="j"), _x(tf)
    y = tf.switch_case(i, [lambda: tf.switch_case(j, [lambda: x * x, lambda: x]), lambda: -x])
    return Case([y] + tf.gradients(y, x), feeds=[{i: a, j: b, x: X} for a in (0, 1) for b in (0, 1)], steps=4,
                collections=False, graph=False)


def case_switch_case_cond_inside(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(i, [lambda: tf.cond(x[0] > 0, lambda: x * 3.0, lambda: x), lambda: x])
    return Case(y, feeds=[{i: a, x: b} for a in (0, 1) for b in (X, -X)], steps=4, collections=False)


def case_switch_case_while_inside(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    y = tf.switch_case(
        i, [lambda: tf.while_loop(lambda k, a: k < 3, lambda k, a: (k + 1, a * x), [0, x])[1], lambda: x]
    )
    return Case([y] + tf.gradients(y, x), feeds=[{i: a, x: X} for a in (0, 1)], steps=2, collections=False,
                graph=False)


def case_switch_case_errors(tf):
    i, x = tf.placeholder(tf.int32, [], name="i"), _x(tf)
    return [
        raises(tf.switch_case, i, [lambda: x, lambda: tf.constant(1)]),
        raises(tf.switch_case, 1, [lambda: x]),
        raises(tf.switch_case, x, [lambda: x]),
        raises(tf.switch_case, i, []),
        raises(tf.switch_case, i, {0: lambda: x, 2: lambda: x}),
    ]


# -- functions ----------------------------------------------------------------------------------------------------


def case_function(tf):
    x = _x(tf)

    @tf.function
    def f(a):
        return a * 2.0 + 1.0

    return Case([f(x), f(x)], feeds=[{x: X}], collections=False)


def case_function_variable(tf):
    x = _x(tf)
    v = tf.get_variable("v", initializer=np.float32([2, 3]), use_resource=True)

    @tf.function
    def f(a):
        return a * v

    return Case(f(x), feeds=[{x: X}], collections=False)


def case_function_gradient(tf):
    x = _x(tf)
    v = tf.get_variable("v", initializer=np.float32([2, 3]), use_resource=True)

    @tf.function
    def f(a):
        return tf.exp(a * v)

    y = f(x)
    return Case([y] + tf.gradients(y, [x, v]), feeds=[{x: X}], collections=False, graph=False)


def case_function_arguments(tf):
    x = _x(tf)

    @tf.function
    def f(a, b=2.0, c=None):
        return a * b if c is None else a * c

    return Case([f(x), f(x, 3.0), f(x, c=x), f(x, b=4.0), f(np.float32([1, 2]))], feeds=[{x: X}], collections=False,
                graph=False)


def case_function_structure(tf):
    x = _x(tf)

    @tf.function
    def f(a):
        return {"a": a["x"] + 1.0, "b": [a["x"], None]}

    found = f({"x": x})
    return Case([found["a"], found["b"][0], str(found["b"][1])], feeds=[{x: X}], collections=False, graph=False)


def case_function_effects(tf):
    v = tf.get_variable("v", initializer=np.float32(1), use_resource=True)

    @tf.function
    def f():
        v.assign_add(1.0)
        v.assign(v * 3.0)
        return v.read_value()

    return Case(f(), steps=2, collections=False, graph=False)


def case_function_control_flow(tf):
    x = _x(tf)

    @tf.function
    def f(a):
        b = tf.cond(a[0] > 0, lambda: a * a, lambda: tf.sin(a))
        return tf.while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, c * a), [0, b])[1]

    y = f(x)
    return Case([y] + tf.gradients(y, x), feeds=[{x: X}, {x: -X}], steps=2, collections=False, graph=False)


def case_function_nested(tf):
    x = _x(tf)

    @tf.function
    def inner(a):
        return tf.tanh(a)

    @tf.function
    def outer(a):
        return inner(a) * inner(a + 1.0)

    y = outer(x)
    return Case([y] + tf.gradients(y, x), feeds=[{x: X}], collections=False, graph=False)


def case_function_signature(tf):
    x = _x(tf)
    f = tf.function(lambda a: a * 2.0, input_signature=[tf.TensorSpec([None], tf.float32)])
    return Case([f(x), raises(f, tf.zeros([1, 1])), raises(f, tf.zeros([1], tf.int32)), str(f.input_signature)],
                feeds=[{x: X}], collections=False, graph=False)


def case_function_creates_variable(tf):
    made = []

    @tf.function
    def f(a):
        if not made:
            made.append(tf.Variable(3.0))
        return a * made[0]

    y = f(tf.constant(2.0))
    return Case([y, [v.name for v in tf.global_variables()]], collections=False, graph=False)


def case_function_creates_twice(tf):
    f = tf.function(lambda a: tf.Variable(1.0) * a)
    return Case(raises(f, tf.constant(1.0)), graph=False, collections=False)


def case_function_concrete(tf):
    f = tf.function(lambda a, b: a * b)
    c = f.get_concrete_function(tf.TensorSpec([None], tf.float32), 5.0)
    x = _x(tf)
    return Case([c(x), len(c.inputs), len(c.outputs), str(c.outputs[0].shape), str(c.output_dtypes)],
                feeds=[{x: X}], collections=False, graph=False)


def case_function_twice_differentiated(tf):
    x = _x(tf)

    @tf.function
    def f(a):
        return a * a * a

    y = f(x)
    d = tf.gradients(y, x)[0]
    return Case([d] + tf.gradients(d, x), feeds=[{x: X}], collections=False, graph=False)


def case_function_tape_inside(tf):
    x = _x(tf)

    @tf.function
    def f(a):
        with tf.GradientTape() as tape:
            tape.watch(a)
            b = a * a * a
        return tape.gradient(b, a)

    return Case(f(x), feeds=[{x: X}], collections=False, graph=False)


def case_function_random(tf):
    @tf.function
    def f():
        return tf.random.uniform([3], seed=7)

    return Case(f(), collections=False, graph=False)


def case_wrap_function(tf):
    x = _x(tf)

    def fn(a):
        v = tf.get_variable("v", initializer=np.float32([2, 3]))
        return a * v

    f = tf.wrap_function(fn, [tf.TensorSpec([2], tf.float32)])
    return Case([f(x), f(x)], feeds=[{x: X}], collections=False, graph=False, init=False, graph_only=True)


def case_wrap_function_prune(tf):
    x = _x(tf)

    def fn(a):
        b = tf.add(a, 1.0, name="plus")
        return tf.multiply(b, 2.0, name="times")

    f = tf.wrap_function(fn, [tf.TensorSpec([2], tf.float32)])
    part = f.prune(f.inputs[0], f.graph.get_tensor_by_name("plus:0"))
    return Case([f(x), part(x)], feeds=[{x: X}], collections=False, graph=False)


def case_vectorized_map(tf):
    x = _x(tf)
    y = tf.vectorized_map(lambda a: a * a + 1.0, x)
    z = tf.vectorized_map(lambda a: (a["k"] * 2.0, a["k"]), {"k": x})
    return Case([y, z[0], z[1]], feeds=[{x: X}], collections=False, graph=False)


def case_batch_function(tf):
    x = _x(tf)

    @tf.nondifferentiable_batch_function(1, 4, 1000)
    def f(a):
        return a * 2.0

    return Case(f(x), feeds=[{x: X}], collections=False, graph=False)


def case_symbolic_gradient(tf):
    node = tf.NodeDef(name="slopes", op="SymbolicGradient", input=["x", "y", "grad"])
    node.attr["Tin"].list.type.extend([1, 3, 1])
    node.attr["Tout"].list.type.extend([1, 3])
    node.attr["f"].func.name = "square"
    x, y = tf.placeholder(tf.float32, [2, None]), tf.placeholder(tf.int32, [3])
    slopes = tf.import_graph_def(
        tf.GraphDef(node=[node]), {"x": x, "y": y, "grad": tf.placeholder(tf.float32)},
        return_elements=["slopes:0", "slopes:1"], name="")
    return Case([[str(one.shape), one.dtype.name] for one in slopes], graph_only=True)
