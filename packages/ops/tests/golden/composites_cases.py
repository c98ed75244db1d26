"""Contractions, diagonals, bits, bins, and other ops composed of the basic ones."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import table

table(globals(), "tensordot", ["a = %s; b = %s; c = tf.tensordot(a, b, %s); c; G(c, [a, b])" % case for case in [
    ("P(2, 3)", "P(3, 4)", "1"), ("P(2, 3)", "P(3, 4)", "[[1], [0]]"), ("P(2, 3, 4)", "P(4, 3, 5)", "[[1, 2], [1, 0]]"), ("P(2, 3)", "P(3, 4)", "0"),
    ("P(None, 3, 4)", "P(4, 5)", "[[2], [0]]"), ("U(2, 3, 4)", "P(4, 5)", "[[2], [0]]"), ("U(3, 4)", "P(4, 5)", "1"), ("P(2, 3)", "P(2, 3)", "2"),
    ("P(2, 3)", "P(2, 3)", "[1, 1]"), ("P(2, 3)", "P(3, 4)", "P(2, 1, dt='int32', value=[[1], [0]])")]])
table(globals(), "einsum", ["a = %s; b = %s; c = tf.einsum('%s', a, b); c; G(c, [a, b])" % case for case in [
    ("P(2, 3)", "P(3, 4)", "ij,jk->ik"), ("P(5, 2, 3)", "P(5, 3, 4)", "bij,bjk->bik"), ("P(2, 3)", "P(2, 3)", "ij,ij->"), ("P(2)", "P(3)", "i,j->ij"),
    ("P(None, 3, 4)", "P(4, 5)", "abc,cd->abd"), ("P(None, None, 4)", "P(None, None, 4)", "bhd,bwd->bhw"), ("P(2, 3)", "P(3, 4)", "ij,jk"),
    ("P(5, 2, 3)", "P(5, 3, 4)", "...ij,...jk->...ik"), ("P(2, 3)", "P(4, 2)", "ba,cb->ca"), ("P(2, 3, 4)", "P(4)", "ijk,k->ji"), ("P(2, 3)", "P(3, 4)", "ij,jk->k"),
    ("P(5, 2, 3)", "P(2, 3, 4)", "b...i,...ij->b...j"), ("P(2)", "P(2)", "i,i->i"), ("P(2, 3)", "P(2, 3)", "ij,ij->ij")]])
table(globals(), "einsum_other", [
    "x = P(2, 3); tf.einsum('ij->ji', x); tf.einsum('ij->i', x); tf.einsum('ij->', x); tf.einsum('...i->...', P(5, 2, 3)); tf.einsum('ij,jk,kl->il', x, P(3, 4), P(4, 5)); "
    "tf.einsum('ij , jk -> ik', x, P(3, 2), name='e')",
    "tf.einsum('ab,bc,bd->acd', P(2, 3), P(3, 4), P(3, 5)); tf.einsum('ij,ij,jk->ik', P(2, 3), P(2, 3), P(3, 4))",
    "[raises(tf.einsum, 'ii->i', P(2, 2)), raises(tf.einsum, 'ij,jk->il', P(2, 3), P(3, 4)), raises(tf.einsum, 'ij,jk->ik', P(2, 3)), raises(tf.einsum, 'i1->i', P(2)), "
    "raises(tf.einsum, 'ij->ji', U(2, 3)), raises(tf.einsum, 'ij,jk->ik', P(2, 3), P(4, 4)), raises(tf.einsum, 'ij->ji', P(2, 3), nam=1)]",
])
table(globals(), "diagonal", [
    "x = P(2); y = tf.diag(x); y; G(y * 3., x); z = P(2, 2); y = tf.diag_part(z); y; G(y, z); tf.diag(P(2, 2)); tf.diag_part(P(2, 1, 2, 1)); tf.linalg.tensor_diag([1, 2])",
    "x = P(2, 3); y = tf.matrix_diag(x); y; G(y, x); y = tf.matrix_diag_part(x); y; G(y, x); z = P(3, 3); G(tf.matrix_diag_part(z), z); tf.matrix_diag_part(P(None, 2, 2)); "
    "tf.linalg.diag(U(2), k=1); y = tf.matrix_band_part(z, 1, 0); y; G(y, z); tf.matrix_band_part(z, -1, P(dt='int32', value=1)) if False else z",
    "x = P(2, 3); d = P(2); y = tf.matrix_set_diag(x, d); y; G(y, [x, d]); u = P(None, 3); e = P(None); y = tf.matrix_set_diag(u, e); y; G(y, [u, e])",
    "x = P(3, 3); y = tf.trace(x); y; G(y, x); tf.trace(P(2, 3, 3), name='t'); raises(tf.diag_part, P(2, 3)); raises(tf.matrix_diag_part, P(2))",
])
table(globals(), "bits", [
    "x = P(4, dt='int32', value=[1, -5, 6, 0]); y = P(4, dt='int32', value=[3, 2, 40, -1]); tf.bitwise.bitwise_and(x, y); tf.bitwise.bitwise_or(x, 5); "
    "tf.bitwise.bitwise_xor(x, y); tf.bitwise.invert(x); tf.bitwise.left_shift(x, [1, 2, 3, 4]); tf.bitwise.right_shift(x, 1); R.PopulationCount(x=x)",
    "tf.bitwise.invert(P(2, dt='uint8', value=[1, 200])); R.PopulationCount(x=P(2, dt='int64', value=[-1, 255])); tf.bitwise.left_shift(P(1, dt='uint8', value=[255]), P(1, dt='uint8', value=[1]))",
    "tf.unravel_index([5, 6], [3, 3]); tf.unravel_index(P(dt='int32', value=5), [2, 4]); tf.unravel_index(P(None, dt='int64', value=[3]), P(2, dt='int64', value=[2, 2]))",
])
table(globals(), "bins", [
    "tf.bincount([1, 1, 2]); tf.bincount([1, 1, 2], [1., 2., 3.]); tf.bincount([1, 1, 2], minlength=5, maxlength=6); tf.bincount(P(None, dt='int32')); "
    "tf.bincount([5, 1], maxlength=3); tf.bincount(P(0, dt='int32')); tf.bincount([1, 2], dtype=tf.int64)",
    "x = P(5, value=[-1., 0., 1.5, 5., 15.]); tf.histogram_fixed_width(x, [0., 5.], nbins=5); tf.histogram_fixed_width_bins(x, [0., 5.], nbins=5); "
    "tf.histogram_fixed_width(x, [0., 5.]); R.Bucketize(input=x, boundaries=[0., 3.]); tf.histogram_fixed_width(P(3, dt='int32'), [0, 4], nbins=2, dtype=tf.int64)",
    "tf.parallel_stack([P(2), P(2)])",
])
table(globals(), "confusion", [
    "tf.confusion_matrix([1, 2], [1, 1]); tf.confusion_matrix([1, 2], [1, 1], num_classes=5, weights=[1., 2.], dtype=tf.float32); "
    "tf.confusion_matrix(P(2, dt='int32'), P(2, 1, dt='int32'))",
])
table(globals(), "fact", ["tf.user_ops.my_fact(); tf.raw_ops.Fact(name='again'); raises(tf.user_ops.my_fact, 1)"])
