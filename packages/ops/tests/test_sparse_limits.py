"""Hostile sparse tensors: each gets an error of the documented class, before anything large is allocated."""

import numpy as np
import pytest

import ossia as tf

HUGE = 1 << 40
A = ([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])


def run(build, *values):
    """What `build(*sparse placeholders)` gives for sparse values, in a graph of its own."""
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        parts = [tf.sparse_placeholder(tf.float32) for _ in values]
        return session.run(build(*parts), dict(zip(parts, values, strict=True)))


def refused(build, *values, error=tf.errors.InvalidArgumentError, match=None):
    with pytest.raises(error, match=match):
        run(build, *values)


def test_sums_of_large_shapes_stay_sparse():
    far = ([[HUGE - 1, HUGE - 1]], [1.0], [HUGE, HUGE])
    near = ([[0, 5]], [2.0], [HUGE, HUGE])
    total = run(tf.sparse_add, far, near)
    assert total.indices.tolist() == [[0, 5], [HUGE - 1, HUGE - 1]]
    assert total.values.tolist() == [2.0, 1.0]
    assert run(tf.sparse_maximum, far, near).values.tolist() == [2.0, 1.0]
    assert run(tf.sparse_softmax, far).values.tolist() == [1.0]
    assert run(lambda x: tf.sparse_reduce_sum_sparse(x, 1), far).indices.tolist() == [[HUGE - 1]]
    assert run(tf.sparse_reduce_sum, far) == 1.0


@pytest.mark.parametrize("reduce", [tf.sparse_reduce_sum, tf.sparse_reduce_max])
def test_a_dense_result_must_fit(reduce):
    huge = ([[0, 0, 0]], [1.0], [HUGE, HUGE, 2])
    refused(lambda x: reduce(x, 2), huge)
    refused(lambda x: reduce(x, 0), ([[0, 0]], [1.0], [2, HUGE]), error=tf.errors.ResourceExhaustedError)


@pytest.mark.parametrize("row", [[0, 3], [0, -1], [0, HUGE]])
def test_reductions_check_the_dimensions_that_stay(row):
    x = ([[0, 0], row], [1.0, 2.0], [2, 3])
    refused(lambda s: tf.sparse_reduce_sum(s, 0), x, match="out of bounds")
    refused(lambda s: tf.sparse_reduce_max(s, 0), x, match="out of bounds")


def test_parts_that_do_not_fit():
    values = ([[0, 1], [1, 0]], [1.0], [2, 3])
    rank = ([[0, 1], [1, 0]], [1.0, 2.0], [2, 3, 4])
    for wrong in (values, rank):
        refused(tf.sparse_add, wrong, A)
        refused(tf.sparse_add, A, wrong)
        refused(tf.sparse_minimum, A, wrong)
        refused(tf.sparse_softmax, wrong)
        refused(tf.sparse_reduce_sum, wrong)
        refused(tf.sparse_reduce_max_sparse, wrong)
        refused(lambda x: tf.sparse_split(sp_input=x, num_split=2, axis=0), wrong)
        refused(lambda x: tf.sparse_add(x, np.ones((2, 3), np.float32)), wrong)


def test_split_checks_its_dimension():
    def halves(x):
        return tf.sparse_split(sp_input=x, num_split=2, axis=0)

    refused(halves, ([[2, 0]], [1.0], [2, 3]), match="out of bounds")
    refused(halves, ([[-1, 0]], [1.0], [2, 3]), match="out of bounds")
    refused(lambda x: tf.sparse_split(sp_input=x, num_split=2, axis=[0, 1]), A, match="scalar")
    first, second = run(halves, ([[0, 0], [HUGE, 1]], [1.0, 2.0], [2 * HUGE, 3]))
    assert second.indices.tolist() == [[0, 1]] and first.dense_shape.tolist() == [HUGE, 3]


def test_an_indicator_must_fit():
    refused(
        lambda x: tf.sparse_to_indicator(tf.cast(x, tf.int64), HUGE), ([[0, 0]], [1.0], [HUGE, 1]),
        error=(tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError),
    )


def test_a_sum_keeps_the_sign_of_zero_and_what_stands_alone():
    total = run(lambda a, b: tf.sparse_add(a, b, threshold=1.0), ([[0], [1]], [-0.0, 0.5], [3]), ([[1]], [0.25], [3]))
    assert total.indices.tolist() == [[0]]
    assert np.signbit(total.values).tolist() == [True]


def test_crosses():
    def cross(*inputs):
        return tf.sparse.cross_hashed([tf.cast(x, tf.int64) for x in inputs])

    refused(lambda: tf.sparse.cross([tf.placeholder_with_default(["x", "y"], None)]), match="matrices")
    refused(cross, ([[0, 0]], [1.0], [HUGE, 1]), error=tf.errors.ResourceExhaustedError)
    many = (np.stack([np.zeros(1 << 16, np.int64), np.arange(1 << 16)], 1), np.arange(1 << 16), [1, 1 << 16])
    refused(cross, many, many, many, error=tf.errors.ResourceExhaustedError)
    refused(cross, many, many, many, many, many)


def test_elementwise_operations_check_what_they_divide_by_and_what_they_pair():
    def quotient(x):
        return tf.raw_ops.SparseDenseCwiseDiv(
            sp_indices=x.indices, sp_values=tf.cast(x.values, tf.int32), sp_shape=x.dense_shape, dense=[0, 1]
        )

    refused(quotient, ([[0]], [1.0], [2]), match="[Dd]ivision by zero")
    refused(lambda x: x * tf.ones([2, 3]), ([[0, 1], [1, 0]], [1.0], [2, 3]))


def test_concat_and_reshape_of_large_shapes():
    far = ([[HUGE - 1, HUGE - 1]], [1.0], [HUGE, HUGE])
    joined = run(lambda a, b: tf.sparse_concat(1, [a, b]), far, far)
    assert joined.indices.tolist() == [[HUGE - 1, HUGE - 1], [HUGE - 1, 2 * HUGE - 1]]
    refused(lambda x: tf.sparse_reshape(x, [-1]), far)
    refused(lambda x: tf.sparse_reshape(x, [HUGE, -1]), ([[0, 0, 0]], [1.0], [HUGE, HUGE, HUGE]))
    refused(tf.sparse_tensor_to_dense, far)
    refused(lambda a, b: tf.sparse_concat(0, [a, b]), *[([[0]], [1.0], [1 << 62])] * 2, match="too large")


def test_sets_of_large_shapes():
    far = ([[HUGE - 1, HUGE - 1, 0], [HUGE - 1, HUGE - 1, 1]], [1.0, 2.0], [HUGE, HUGE, 2])
    near = ([[0, 5, 0], [HUGE - 1, HUGE - 1, 0]], [3.0, 2.0], [HUGE, HUGE, 2])

    def joined(function):
        return lambda a, b: function(tf.cast(a, tf.int32), tf.cast(b, tf.int32))

    union = run(joined(tf.sets.union), far, near)
    assert union.indices.tolist() == [[0, 5, 0], [HUGE - 1, HUGE - 1, 0], [HUGE - 1, HUGE - 1, 1]]
    assert union.values.tolist() == [3, 1, 2] and union.dense_shape.tolist() == [HUGE, HUGE, 2]
    assert run(joined(tf.sets.difference), far, near).values.tolist() == [1]
    refused(lambda x: tf.sets.size(tf.cast(x, tf.int32)), far)
    refused(joined(tf.sets.union), far, ([[0, 0, 0]], [1.0], [HUGE, 2, 2]), match="Mismatched")


def test_slice_gradients_check_what_they_pair():
    def grad(places, starts, taken):
        return lambda: tf.raw_ops.SparseSliceGrad(
            backprop_val_grad=tf.placeholder_with_default([1.0], None),
            input_indices=tf.placeholder_with_default(np.array(places, np.int64), None),
            input_start=tf.placeholder_with_default(np.array(starts, np.int64), None),
            output_indices=tf.placeholder_with_default(np.array(taken, np.int64), None),
        )

    assert run(grad([[1, 2], [3, 4]], [1, 1], [[2, 3]])).tolist() == [0.0, 1.0]
    refused(grad([[1, 2]], [1], [[0, 0]]))
    refused(grad([[1, 2]], [1, 1], [[0]]))
    refused(grad([1, 2], [1, 1], [[0, 0]]))
    refused(grad([[1, 2]], [1, 1], [[0, 0], [0, 1]]))
