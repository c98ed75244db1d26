"""Gradients of loops in loops, in branches and of gradients; arrays, structures, invariants and scopes in loops."""
import collections

import numpy as np
from golden_case import Case, raises, says

Pair = collections.namedtuple("Pair", ["a", "b"])


def _nested(tf, x, **options):
    def inner(i, v):
        return i + 1, v * x

    def outer(i, v):
        return i + 1, tf.while_loop(lambda j, _: j < 2, inner, [0, v], **options)[1] + v

    return tf.while_loop(lambda i, _: i < 3, outer, [0, x], **options)[1]


def case_gradient_of_nested_loops(tf):
    x = tf.constant(1.5, name="x")
    y = _nested(tf, x)
    return [y, tf.gradients(y, x)]


def case_gradient_of_nested_loops_swapped(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = _nested(tf, x, swap_memory=True, parallel_iterations=3)
    return Case([y, tf.gradients(y, x)], feeds={x: [1.0, 2.0]})


def case_second_gradient_of_a_loop(tf):
    x = tf.constant(1.5, name="x")
    y = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * v * x), [0, x])[1]
    first = tf.gradients(y, x)[0]
    return [first, says("", tf.gradients, first, x)]


def case_no_back_prop(tf):
    x = tf.constant(2.0, name="x")
    y = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * x), [0, x], back_prop=False)[1]
    return [y, tf.gradients(y, x), tf.gradients(y + x * x, x)]


def case_no_back_prop_within(tf):
    x = tf.constant(2.0, name="x")

    def outer(i, v):
        factor = tf.while_loop(lambda j, _: j < 2, lambda j, u: (j + 1, u * x), [0, v], back_prop=False)[1]
        return i + 1, v * tf.stop_gradient(factor)

    y = tf.while_loop(lambda i, _: i < 2, outer, [0, x])[1]
    return [y, tf.gradients(y, x)]


def case_stopped_gradients(tf):
    x, w = tf.constant(2.0, name="x"), tf.constant(3.0, name="w")
    y = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * w + tf.stop_gradient(v * x)), [0, x])[1]
    return [y, tf.gradients(y, [x, w]), tf.gradients(y, [x, w], stop_gradients=[w])]


def case_arrays_in_loops(tf):
    x = tf.constant([1.0, 2.0, 3.0], name="x")
    source = tf.TensorArray(tf.float32, 3, name="source").unstack(x)
    target = tf.TensorArray(tf.float32, 3, name="target", clear_after_read=False)

    def body(i, total, out):
        value = source.read(i) * total
        return i + 1, total + value, out.write(i, value * value)

    _, total, out = tf.while_loop(lambda i, *_: i < 3, body, [0, 1.0, target])
    y = tf.reduce_sum(out.stack()) + total
    return [y, tf.gradients(y, x), out.size(), out.gather([2, 0])]


def case_an_array_per_iteration(tf):
    x = tf.constant([1.0, 2.0], name="x")

    def body(i, v):
        array = tf.TensorArray(tf.float32, 2).unstack(v * x)
        return i + 1, array.stack() * 2.0

    y = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
    return [y, tf.gradients(y, x)]


def case_arrays_of_nested_loops(tf):
    x = tf.constant([1.0, 2.0], name="x")

    def outer(i, out):
        def inner(j, v):
            return j + 1, v * x[i]

        return i + 1, out.write(i, tf.while_loop(lambda j, _: j < 2, inner, [0, x[i]])[1])

    out = tf.while_loop(lambda i, _: i < 2, outer, [0, tf.TensorArray(tf.float32, 2)])[1].stack()
    return [out, tf.gradients(out, x)]


def case_branches_in_loops(tf):
    x = tf.constant(2.0, name="x")

    def body(i, v):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: v * x, lambda: v + x * x)

    y = tf.while_loop(lambda i, _: i < 4, body, [0, x])[1]
    return [y, tf.gradients(y, x)]


def case_branches_in_loops_with_constants(tf):
    x = tf.placeholder(tf.float32, [None], name="x")

    def body(i, v):
        chosen = tf.cond(
            tf.reduce_sum(v) < 10.0, lambda: [v * 2.0, tf.constant(1.0)], lambda: [tf.zeros_like(v), v[0] * x[1]]
        )
        return i + 1, chosen[0] + chosen[1]

    y = tf.while_loop(lambda i, _: i < 4, body, [0, x])[1]
    return Case([y, tf.gradients(y, x)], feeds={x: [1.0, 2.0]})


def case_loops_in_branches(tf):
    x, flag = tf.constant(2.0, name="x"), tf.placeholder(tf.bool, [], name="flag")

    def loop():
        return tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * x), [0, x])[1]

    y = tf.cond(flag, loop, lambda: x * 5.0)
    grads = tf.gradients(y, x)
    return Case([y, grads], feeds=[{flag: True}, {flag: False}], steps=2)


def case_loops_in_branches_in_loops(tf):
    x = tf.constant(1.1, name="x")

    def body(i, v):
        def loop():
            return tf.while_loop(lambda j, _: j < 2, lambda j, u: (j + 1, u * x), [0, v])[1]

        return i + 1, tf.cond(i < 1, loop, lambda: v + x)

    y = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
    return [y, tf.gradients(y, x)]


def case_structures(tf):
    x = tf.constant(2.0, name="x")

    def body(i, state, extra):
        return i + 1, Pair(state.a * x, {"k": state.b["k"] + 1.0, "l": [state.a]}), (extra[0] + 1.0,)

    i, state, extra = tf.while_loop(
        lambda i, *_: i < 3, body, [0, Pair(x, {"k": tf.zeros([2]), "l": [x]}), (tf.constant(0.0),)]
    )
    return [i, state.a, state.b["k"], state.b["l"], extra[0], type(state).__name__, tf.gradients(state.a, x)]


def case_a_single_variable(tf):
    kept = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True)
    plain = tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0])
    several = tf.while_loop(lambda i, j: i < 3, lambda i, j: [i + 1, j], (0, 1), return_same_structure=True)
    return [type(kept).__name__, kept, plain, type(several).__name__, several]


def case_invariants(tf):
    x = tf.ones([1, 2], name="x")
    grown = tf.while_loop(
        lambda i, _: i < 3, lambda i, v: (i + 1, tf.concat([v, v], 0)), [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )[1]
    lost = tf.while_loop(
        lambda i, _: i < 2, lambda i, v: (i + 1, tf.expand_dims(v, 0)), [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
    )[1]
    return [grown, grown.shape, lost, lost.shape, tf.gradients(grown, x)]


def case_refused_invariants(tf):
    x = tf.ones([1, 2])

    def loop(pattern, body=lambda i, v: (i + 1, v), invariants=None, start=None, **options):
        return says(
            pattern, tf.while_loop, lambda i, _: i < 3, body, start or [0, x], shape_invariants=invariants, **options
        )

    scalar = tf.TensorShape([])
    return Case([
        loop("is not an invariant|not invariant|loop var", lambda i, v: (i + 1, tf.concat([v, v], 0))),
        loop("", invariants=[scalar, tf.TensorShape([2, 2])]), loop("", invariants=[scalar]),
        loop("same structure|structure", lambda i, v: i + 1), loop("", lambda i, v: (i + 1, v, v)),
        loop("", lambda i, v: (tf.to_float(i), v)), loop("", maximum_iterations="a"), loop("", parallel_iterations=0),
        loop("", parallel_iterations=-1), loop("", start=[0]), loop("", body=3), loop("", invariants="a"),
        says("No loop variables provided", tf.while_loop, lambda: True, list, []),
        says("cond must be callable", tf.while_loop, 3, lambda i: i, [0]),
        says("body must be callable", tf.while_loop, lambda i: True, 3, [0]),
        says("", tf.while_loop, lambda i: i, lambda i: i + 1, [0]),
        says("", tf.while_loop, lambda i: [True], lambda i: i + 1, [0]),
        says("", tf.while_loop, lambda i: tf.constant([True, False]), lambda i: i + 1, [0]),
    ], graph=False)


def case_slices_in_loops(tf):
    start = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([4, 2]))

    def body(i, s):
        return i + 1, tf.IndexedSlices(s.values * 2.0, s.indices + 1, s.dense_shape)

    _, found = tf.while_loop(lambda i, _: i < 3, body, [0, start])
    return [type(found).__name__, found.values, found.indices, found.dense_shape, found.values.shape]


def case_slices_that_grow(tf):
    start = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]))

    def body(i, s):
        return i + 1, tf.IndexedSlices(tf.concat([s.values, s.values], 0), tf.concat([s.indices, s.indices], 0))

    _, found = tf.while_loop(
        lambda i, _: i < 2, body, [0, start], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])]
    )
    return [found.values, found.indices, found.values.shape, found.indices.shape]


def case_sparse_tensors_in_loops(tf):
    start = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    _, found = tf.while_loop(
        lambda i, _: i < 3, lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)), [0, start]
    )
    _, grown = tf.while_loop(
        lambda i, _: i < 2, lambda i, s: (i + 1, tf.sparse_concat(0, [s, s])), [0, start],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )
    return [found, found.shape, grown, grown.shape, grown.indices.shape]


def case_iterations_at_once_in_other_types(tf):
    def loop(parallel_iterations):
        return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=parallel_iterations)

    refused = [raises(loop, count) for count in (2.0, np.float32(1), np.array(1))]
    return Case([*refused, raises(tf.scan, lambda a, x: a + x, tf.ones([3]), parallel_iterations=2.0), loop(True)], graph=False)


def case_gradients_taken_in_another_loop(tf):
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    y = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * w), [0, x])[1]
    mapped = tf.map_fn(lambda v: v * v, x)
    return [
        says("because they are in different while loops", tf.hessians, tf.reduce_sum(y), w),
        says("because they are in different while loops", tf.hessians, tf.reduce_sum(mapped), x),
        says("because they are in different while loops", tf.while_loop, lambda a: a[0] < 1.0,
             lambda a: tf.gradients(y, w)[0], [x]),
    ]


def case_named_tuple_of_one(tf):
    One = collections.namedtuple("One", "x")
    return type(tf.cond(tf.constant(True), lambda: One(1.0), lambda: One(2.0))).__name__


def case_rows_of_variables(tf):
    v, p = tf.get_variable("v", initializer=[1.0, 2.0, 3.0], use_resource=True), tf.placeholder(tf.bool, [])
    y = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * tf.gather(v, i)), [0, 1.0])[1]
    z = tf.cond(p, lambda: tf.gather(v, [0, 0]), lambda: v[1:])
    return Case([tf.convert_to_tensor(g) for g in tf.gradients(y, v) + tf.gradients(z, v)], feeds=[{p: True}, {p: False}],
                steps=2)
