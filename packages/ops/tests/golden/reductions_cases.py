"""Reductions, cumulative ops, matrix products, clipping, with their gradients."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import table

REDUCE = "reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp math.reduce_std math.reduce_variance".split()
table(globals(), "reduce", [("%s_%d" % (name.replace(".", "_"), i), "x = %s; y = tf.%s(x%s); y; G(y, x)" % (x, name, args))
                            for name in REDUCE for i, (x, args) in enumerate([
                                ("P(2, 3)", ""), ("P(2, 3)", ", 1"), ("P(None, 3)", ""), ("P(None, 3)", ", [0], keepdims=True"), ("U(2, 3)", ", -1"),
                                ("U(2, 3)", ""), ("P(2, 3, 4)", ", (0, -1)"), ("P(2, None, dt='float64')", ", [1, 0]"), ("P()", "")])])
table(globals(), "norm", ["x = P(None, 3); tf.math.reduce_euclidean_norm(x, 1); tf.math.reduce_euclidean_norm(x); G(tf.math.reduce_euclidean_norm(x), x)"])
table(globals(), "logical", ["x = P(2, 3, dt='bool'); tf.reduce_all(x); tf.reduce_any(x, 1); tf.reduce_all(x, [0], keepdims=True); tf.reduce_any(U(2, dt='bool'))"])
table(globals(), "reduction", [
    "x = P(2, 3); a = tf.reduce_sum(x, 1); b = tf.reduce_sum(x * 2., 1); G(a, x); G(b, x)",
    "x = P(2, 3); tf.reduce_sum(x, reduction_indices=0, keep_dims=True, name='q'); tf.reduce_sum([1, 2, 3]); tf.reduce_sum(3.); "
    "tf.reduce_mean(P(2), axis=P(None, dt='int32', value=[0])); tf.reduce_sum(x, axis=[]); tf.reduce_mean(x, axis=[1, 1])",
    "tf.reduce_mean(P(3, dt='int32', value=[1, 2, 4])); tf.reduce_mean(P(2, dt='int32', value=[-1, -2])); tf.reduce_sum(P(2, dt='int8', value=[100, 100])); "
    "tf.reduce_max(P(2, dt='int64')); tf.reduce_prod(P(2, dt='int32')); tf.reduce_mean(P(2, dt='uint8', value=[250, 250]))",
    "x = P(0, 2); tf.reduce_sum(x, 0); tf.reduce_mean(x, 0); tf.reduce_max(x, 0); tf.reduce_min(x, 0); tf.reduce_prod(x, 0); tf.reduce_logsumexp(x, 0)",
    "x = P(3, value=[np.nan, 1., 2.]); tf.reduce_max(x); tf.reduce_min(x); tf.reduce_sum(x); tf.reduce_mean(x); tf.argmax(x); tf.argmin(x)",
    "x = P(2, 2, value=[[-np.inf, -np.inf], [np.inf, 1.]]); tf.reduce_logsumexp(x, 1)",
    "x = P(2, 3, dt='complex64'); tf.reduce_sum(x, 1); tf.reduce_mean(x); tf.reduce_prod(x, 1); y = tf.reduce_sum(x, 0); G(y, x, P(3, dt='complex64'))",
    "x = P(None, 3); tf.argmax(x, 1); tf.argmin(x); tf.argmax(x, output_type=tf.int32); tf.arg_max(x, 0); tf.arg_min(x, 0); tf.argmax(x, dimension=1); "
    "tf.argmax(U(2, 3), -1); G(tf.cast(tf.argmax(x, 1), tf.float32), x); tf.argmax(P(3, dt='int32'))",
    "x = P(None, 3); tf.count_nonzero(x, 1); tf.count_nonzero(x, dtype=tf.int32); tf.count_nonzero(P(2, dt='string')); tf.count_nonzero(P(2, dt='bool')); "
    "tf.count_nonzero(x, keepdims=True); tf.count_nonzero([0, 1, 2])",
    "[raises(tf.reduce_sum, P(2, 3), 2), raises(tf.reduce_sum, P(2, 3), 1.5), raises(tf.reduce_sum, P(2, dt='string')), raises(tf.reduce_mean, P(2, dt='bool')), "
    "raises(tf.reduce_sum, P(2), 0, reduction_indices=0), raises(tf.argmax, P(2), 1), raises(tf.math.reduce_variance, [1, 2])]",
])
table(globals(), "cumulative", ["x = P(None, 3); y = tf.%s(x, %d, exclusive=%s, reverse=%s); y; G(y, x)" % (name, axis, exclusive, reverse)
                                for name in ("cumsum", "cumprod", "math.cumulative_logsumexp")
                                for axis, exclusive, reverse in ((1, False, False), (0, True, False), (-1, True, True))])
MATMUL = ["a = P(2, 3); b = P(3, 4); c = tf.matmul(a, b)", "a = P(3, 2); b = P(3, 4); c = tf.matmul(a, b, transpose_a=True)",
          "a = P(2, 3); b = P(4, 3); c = tf.matmul(a, b, transpose_b=True)", "a = P(3, 2); b = P(4, 3); c = tf.matmul(a, b, True, True)",
          "a = P(2, 3); b = P(3, 4); c = tf.matmul(a, b, a_is_sparse=True)", "a = P(5, 2, 3); b = P(5, 3, 4); c = tf.matmul(a, b)",
          "a = P(5, 2, 3); b = P(3, 4); c = tf.matmul(a, b)", "a = P(None, 2, 3); b = P(None, 3, 4); c = tf.matmul(a, b)",
          "a = P(5, 3, 2); b = P(5, 4, 3); c = tf.matmul(a, b, transpose_a=True, adjoint_b=True)", "a = U(2, 3); b = U(3, 2); c = tf.matmul(a, b)",
          "a = P(2, 1, 2, 3); b = P(5, 3, 1); c = tf.matmul(a, b)", "a = P(2, 3); b = P(3); c = tf.linalg.matvec(a, b)", "a = P(2, 3); b = P(3, 2); c = a @ b",
          "a = P(2, 3, dt='float64'); b = P(3, 2, dt='float64'); c = tf.matmul(a, b)", "a = P(0, 3); b = P(3, 2); c = tf.matmul(a, b)",
          "a = P(2, 3); b = P(2, 4); c = tf.matmul(a, b, transpose_a=True, b_is_sparse=True)", "a = P(2, 2, 3); b = P(2, 2, 3); c = R.BatchMatMul(x=a, y=b, adj_x=True)"]
table(globals(), "matmul", [text + "; c; G(c, [a, b])" for text in MATMUL])
table(globals(), "matmul_complex", [
    "a = P(2, 3, dt='complex64'); b = P(3, 4, dt='complex64'); c = tf.matmul(a, b); c; G(c, [a, b], P(2, 4, dt='complex64')); "
    "tf.matmul(a, P(2, 4, dt='complex64'), adjoint_a=True)",
    "a = P(1, 2, 3, dt='complex64'); b = P(1, 2, 4, dt='complex64'); c = tf.matmul(a, b, transpose_a=True); c; G(c, [a, b], P(1, 3, 4, dt='complex64'))"])
table(globals(), "matmul_misc", [
    "tf.matmul(P(2, 2), [[1., 2.], [3., 4.]]); tf.matmul([[1, 2]], [[1], [2]]); tf.matmul(P(2, 2, dt='float16'), P(2, 2, dt='float16'))",
    "[raises(tf.matmul, P(2, 3), P(2, 3)), raises(tf.matmul, P(2), P(2, 3)), raises(tf.matmul, P(2, 2), P(2, 2), transpose_a=True, adjoint_a=True), "
    "raises(tf.matmul, P(2, 2), [[1]]), raises(tf.matmul, P(2, 2, 3), P(2, 2, 3))]"])
table(globals(), "clip", [
    "x = P(4); y = tf.clip_by_value(x, -1., 1.); y; G(y, x); tf.clip_by_value(P(2, 3), [0., 0., 0.], 1., name='c'); raises(tf.clip_by_value, P(2), P(3, 2), 1.)",
    "x = P(2, 3); y = tf.clip_by_norm(x, 1.); y; G(y, x); tf.clip_by_norm(x, 1., axes=[1]); tf.clip_by_average_norm(x, .1); tf.clip_by_norm(tf.zeros([2]), 1.)",
    "tf.clip_by_global_norm([P(2), None, P(3)], 1.); tf.global_norm([P(2), P(3)]); tf.clip_by_global_norm([P(2)], 5., use_norm=P(value=2.))",
    "s = tf.IndexedSlices(P(2, 3), P(2, dt='int32')); tf.clip_by_global_norm([s, P(2)], 1.); tf.clip_by_norm(s, .5); tf.global_norm([s])",
    "x = P(3); y = R.ClipByValue(t=x, clip_value_min=-1., clip_value_max=1.); y; G(y, x)",
    "tf.clip_by_global_norm([P(2, value=[np.inf, 1.])], 1.); raises(tf.clip_by_global_norm, P(2), 1.)",
])
