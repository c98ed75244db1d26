"""Calls of functions in branches and loops, second derivatives within functions, and their gradients."""
from golden_case import Case

X = [1.5, 2.0]


def _double(tf):
    return tf.function(lambda x: x * 2.0)


def case_call_in_a_branch(tf):
    double, x = _double(tf), tf.constant(1.0)
    y = tf.cond(x > 0, lambda: double(x), lambda: x)
    calls = [op for op in tf.get_default_graph().get_operations() if op.name.startswith("cond/PartitionedCall")]
    overridden = ["_gradient_op_type" in op.node_def.attr for op in calls]
    return Case([y, tf.gradients(y, x)[0], overridden], graph=False)


def case_call_in_a_loop(tf):
    double, x = _double(tf), tf.constant(1.0)
    y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, double(v)), [0, x])[1]
    return Case([y, tf.gradients(y, x)[0]], graph=False)


def case_hessians_in_a_function(tf):
    x = tf.placeholder(tf.float32, [2])
    f = tf.function(lambda x: tf.hessians(tf.reduce_sum(x * x * x[0]), x))
    return Case(f(x), feeds=[{x: X}], graph=False, collections=False)


def case_hessians_with_functional_loops(tf):
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2])
    y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, x])[1]
    found = tf.hessians(y, x)
    tf.disable_control_flow_v2()
    return Case(found, feeds=[{x: X}], graph=False, collections=False)


def case_names_of_lambdas(tf):
    tf.function(lambda x: x * 2.0)(tf.constant(1.0))
    names = [function.signature.name for function in tf.get_default_graph().as_graph_def().library.function]
    return Case({"names": [name.rpartition("_")[0] for name in names]}, graph=False)
