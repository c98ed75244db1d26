"""custom_gradient, grad_pass_through, recompute_grad, hessians and registered gradients."""
import numpy as np
from golden_case import Case, raises


def case_simple(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))
    x = tf.constant([0.5, 100.0])
    y = log1pexp(x)
    return [y, tf.gradients(y, x)]


def case_two(tf):
    @tf.custom_gradient
    def pair(x, y):
        def grad(dx, dy):
            return dx * 2.0, dy * 3.0
        return (x * y, x + y), grad
    x, y = tf.constant(2.0), tf.placeholder_with_default(3.0, [])
    a, b = pair(x, y)
    return [a, b, tf.gradients(a, [x, y]), tf.gradients([a, b], [x, y])]


def case_numbers(tf):
    @tf.custom_gradient
    def double(x):
        return x * 2.0, lambda dy: dy * 7.0
    y = double(3.0)
    return [y, double(x=1.0) if False else double(tf.constant([1.0]))]


def case_second_order(tf):
    @tf.custom_gradient
    def cube(x):
        def grad(dy):
            return dy * 3.0 * x * x
        return x * x * x, grad
    x = tf.constant(2.0)
    first = tf.gradients(cube(x), x)[0]
    return [first, tf.gradients(first, x)]


def case_nested(tf):
    @tf.custom_gradient
    def inner(x):
        return x * x, lambda dy: dy * 10.0

    @tf.custom_gradient
    def outer(x):
        y = inner(x)
        return y + 1.0, lambda dy: dy * tf.gradients(y, x)[0]
    x = tf.constant(2.0)
    return tf.gradients(outer(x), x)


def case_variables(tf):
    with tf.variable_scope("v", use_resource=True):
        @tf.custom_gradient
        def scaled(x):
            w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))

            def grad(dy, variables=None):
                return dy * w, [dy * x for _ in variables]
            return x * w, grad
        x = tf.constant(2.0)
        y = scaled(x)
    w = tf.global_variables()[0]
    return [y, tf.gradients(y, [x, w])]


def case_variables_refused(tf):
    @tf.custom_gradient
    def scaled(x):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))
        return x * w, lambda dy: dy
    out = [raises(scaled, tf.constant(1.0))]
    with tf.variable_scope("r", use_resource=True):
        out.append(raises(scaled, tf.constant(1.0)))
    return out


def case_refused(tf):
    @tf.custom_gradient
    def keyword(x, k=2.0):
        return x * k, lambda dy: dy
    x = tf.constant(1.0)

    @tf.custom_gradient
    def wrong(x):
        return x * 2.0, lambda dy: (dy, dy)
    y = wrong(x)

    @tf.custom_gradient
    def no_pair(x):
        return x * 2.0
    return [raises(keyword, x, k=3.0), raises(tf.gradients, y, x), raises(no_pair, x)]


def case_decorated(tf):
    @tf.custom_gradient
    def named(x):
        """Doc."""
        return x, lambda dy: dy
    return [named.__name__, named.__doc__]


def case_pass_through(tf):
    x = tf.constant([0.4, 1.6])
    with tf.variable_scope("v", use_resource=True):
        y = tf.grad_pass_through(tf.round)(x)
    return [y, tf.gradients(y, x), raises(tf.grad_pass_through(tf.round), x)]


def case_structures(tf):
    @tf.custom_gradient
    def many(a, b):
        def grad(*dys):
            return [dys[0], dys[1]]
        return [a * 2.0, b * 3.0], grad
    a, b = tf.constant(1.0), tf.constant([1.0, 2.0])
    out = many(a, b)
    return [out, tf.gradients(out, [a, b])]


def case_recompute(tf):
    with tf.variable_scope("v", use_resource=True):
        def layer(x):
            w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer(0.5))
            return tf.nn.relu(tf.matmul(x, w))
        x = tf.constant([[1.0, 2.0]])
        y = tf.recompute_grad(layer)(x)
    return Case([y, tf.gradients(y, x)], graph=False)


def case_recompute_plain(tf):
    x = tf.constant([1.0, 2.0])
    with tf.variable_scope("v", use_resource=True):
        y = tf.recompute_grad(lambda v: tf.sin(v) * v)(x)
    return Case([y, tf.gradients(y, x)], graph=False)


def case_hessians(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return tf.hessians(tf.reduce_sum(x * x * x), x)


def case_hessians_two(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant([[1.0], [2.0]])
    z = tf.reduce_sum(tf.matmul(x[None, :] * x[None, :], y * y))
    return tf.hessians(z, [x, y], name="second"), raises(tf.hessians, z, tf.constant(1.0))


def case_hessians_unknown(tf):
    x = tf.placeholder(tf.float32, [None])
    return Case(tf.hessians(tf.reduce_sum(x * x), x), feeds={x: np.float32([1.0, 2.0])})


def case_override(tf):
    @tf.RegisterGradient("OssiaGoldenTriple")
    def triple(op, grad):
        return grad * 3.0
    graph = tf.get_default_graph()
    x = tf.constant(2.0)
    with graph.gradient_override_map({"Identity": "OssiaGoldenTriple", "Square": "OssiaGoldenTriple"}):
        y = tf.identity(x)
        z = tf.square(y)
    return [z, tf.gradients(z, x), raises(tf.RegisterGradient("OssiaGoldenTriple"), triple), raises(tf.RegisterGradient, 3)]


def case_not_registered(tf):
    tf.NotDifferentiable("OssiaGoldenNothing")
    return [raises(tf.NotDifferentiable, "OssiaGoldenNothing"), raises(tf.NoGradient, 3)]


def case_check_numerics(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.check_numerics(x * 2.0, "bad")
    z = tf.verify_tensor_all_finite(x, "worse")
    w = tf.debugging.assert_all_finite(x=x, message="worst", name="n")
    return [y, z, w, tf.gradients(y, x), tf.gradients(z, x)]


def case_check_numerics_fails(tf):
    x = tf.placeholder(tf.float32)

    def text(value):
        try:
            with tf.Session() as session:
                session.run(tf.check_numerics(x, "x is bad"), {x: value})
        except tf.errors.InvalidArgumentError as error:
            return error.message.split("\n")[0]
    return {"inf": text(np.inf), "nan": text([1.0, np.nan]), "both": text([np.inf, np.nan]), "fine": text(1.0), "ints": raises(tf.check_numerics, tf.constant(1), "m"), "gradient": raises(bad_gradient, tf),
            "verify": [raises(tf.verify_tensor_all_finite, x), raises(tf.verify_tensor_all_finite, x, "m", x=x)]}


def bad_gradient(tf):
    x = tf.placeholder(tf.float32)
    y = tf.check_numerics(x, "x is bad")
    with tf.Session() as session:
        session.run(tf.gradients(y, x, grad_ys=tf.constant(np.inf, tf.float32) * x), {x: 1.0})
