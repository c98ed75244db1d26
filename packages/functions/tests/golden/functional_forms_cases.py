"""Conditionals and loops with control flow v2: predicates with dimensions, collections, what is known of shapes."""
import contextlib

from golden_case import Case, raises


@contextlib.contextmanager
def functional(tf):
    tf.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.disable_control_flow_v2()


def case_predicates_of_one_element(tf):
    with functional(tf):
        x, y = tf.constant([[5.0]]), tf.constant(3.0)
        loose = tf.placeholder_with_default(True, None)
        return Case([
            tf.while_loop(lambda v, _: v < 45.0, lambda v, w: (v * w, w), [x, y]),
            tf.while_loop(lambda v: v < 45.0, lambda v: v * 3.0, [tf.placeholder_with_default([5.0], None)]),
            tf.while_loop(lambda v: v < 45.0, lambda v: v * 3.0, [x], maximum_iterations=2),
            tf.cond(tf.constant([[True]]), lambda: 1.0, lambda: 2.0), tf.cond(loose, lambda: 1.0, lambda: 2.0),
        ])


def case_predicate_of_two_elements(tf):
    with functional(tf):
        return Case(tf.cond(tf.placeholder_with_default([True, False], None), lambda: 1.0, lambda: 2.0))


def _collected(tf, build):
    def body(*_):
        for key, value in (("numbers", 7), ("tensors", tf.constant(1.0))):
            tf.add_to_collection(key, value)
        tf.losses.mean_squared_error([1.0], [2.0])
        return tf.constant(1.0)

    with functional(tf), tf.Graph().as_default() as graph:
        build(body)
        return [(key, len(graph.get_collection(key))) for key in sorted(graph.get_all_collection_keys(), key=str)
                if isinstance(key, str) and not key.startswith("_") and len(graph.get_collection(key))]


def case_collections(tf):
    return [
        _collected(tf, lambda body: tf.cond(tf.constant(True), body, body)),
        _collected(tf, lambda body: tf.switch_case(tf.constant(1), [body, body])),
        _collected(tf, lambda body: tf.while_loop(lambda v: v < 1, body, [0.0])),
        _collected(tf, lambda body: tf.map_fn(body, tf.constant([1.0, 2.0]))),
        _collected(tf, lambda body: tf.function(body, autograph=False)()),
    ]


def case_invariants_as_specs(tf):
    with functional(tf):
        made = tf.while_loop(
            lambda v: tf.size(v) < 8, lambda v: tf.concat([v, v], 0), [tf.constant([1.0])],
            shape_invariants=[tf.TensorSpec([None], tf.float32)],
        )
    return Case(made)


def case_bodies_that_return_nothing(tf):
    with functional(tf):
        x = tf.constant(1.0)
        return [
            raises(lambda: tf.while_loop(lambda a, b: a < 3, lambda a, b: None, [x, x])),
            raises(lambda: tf.while_loop(lambda a: a < 3, lambda a: None, [x])),
        ]


def case_shapes_from_around_a_body(tf):
    shape, found = tf.constant([2]), []

    def body(i):
        whole = tf.concat([[5], shape], 0)
        found.extend(str(made.shape) for made in (tf.zeros(whole), tf.random_uniform(whole), tf.fill(shape, 1.0)))
        return i + 1

    with functional(tf):
        tf.while_loop(lambda i: i < 1, body, [0])
    return found


def case_shapes_in_the_lists_of_a_loop(tf):
    found = []
    for shape in (None, [None, 2], [1, 2]):
        with functional(tf), tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, shape)
            made = tf.while_loop(lambda v: tf.reduce_sum(v) < 8.0, lambda v: tf.exp(v) * v, [x])
            tf.gradients(made, x)
            loop = next(op for op in graph.get_operations() if op.type == "While")
            popped = [
                tf.raw_ops.TensorListPopBack(input_handle=t, element_shape=-1, element_dtype=tf.float32)[1]
                for t in loop.outputs if t.dtype == tf.variant
            ]
            found.append([str(t.shape) for t in popped])
    return found


def case_references_in_bodies(tf):
    v = tf.Variable(7.0, use_resource=False)
    yes = tf.constant(True)
    with functional(tf):
        return Case([
            tf.cond(yes, lambda: v * 2.0, lambda: v), tf.while_loop(lambda i: i < 3.0, lambda i: i + v, [0.0]),
            tf.function(lambda: v + 1.0, autograph=False)(),
            raises(lambda: tf.cond(yes, lambda: tf.assign(v, 3.0), lambda: v * 3.0)),
            raises(lambda: tf.while_loop(lambda i: i < 3.0, lambda i: tf.assign_add(v, 1.0), [0.0])),
            raises(lambda: tf.function(lambda: tf.assign_add(v, 1.0), autograph=False)()),
        ], graph=False, collections=False)
