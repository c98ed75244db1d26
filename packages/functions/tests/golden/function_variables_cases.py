"""Variables in the bodies of functions: what is read when, and what waits for what."""
from golden_case import Case, raises


def _body(function, *args, **kwargs):
    graph = function.get_concrete_function(*args, **kwargs).graph
    return [
        [(op.name, op.type, sorted(c.name for c in op.control_inputs)) for op in graph.get_operations()],
        [v.name for v in graph.variables], [t.name for t in graph.inputs], graph.output_types, graph.output_shapes,
        [t.name for t in graph.external_captures], [t.name for t in graph.internal_captures],
    ]


def _variable(tf):
    return tf.Variable(1.0, use_resource=True, name="v")


def case_results_of_updates(tf):
    v = _variable(tf)

    def added():
        return v.assign_add(1.0)

    def assigned():
        return v.assign(1.0)

    def itself():
        return v

    def several():
        return v.assign_add(1.0), v.read_value(), v + 1.0

    return Case([[_body(tf.function(f)) for f in (added, assigned, itself, several)]], collections=False, graph=False)


def case_updates_as_control_inputs(tf):
    v = _variable(tf)

    @tf.function
    def after(a, *rest, **options):
        with tf.control_dependencies([v.assign_add(1.0)]):
            return a * 2.0 + rest[0] * tf.constant(3.0, name="k") + options["q"]

    @tf.function
    def after_the_variable(a):
        with tf.control_dependencies([v, a]):
            return tf.constant(2.0)

    x = tf.constant(1.0)
    return Case([
        _body(after, x, tf.constant(2.0), q=tf.constant(3.0)), _body(after_the_variable, x),
        after(x, tf.constant(2.0), q=tf.constant(3.0)),
    ], collections=False, graph=False)


def case_operations_as_results(tf):
    v = _variable(tf)

    def update():
        return tf.group(v.assign_add(1.0))

    def nothing():
        v.assign_add(1.0)

    return Case([raises(tf.function(update)), _body(tf.function(nothing))], collections=False, graph=False)
