"""Slicing, stacking, gathering, scattering, padding, sorting and segments, with their gradients."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from expressions import table
from golden_case import Case

SLICES = ["x[0]", "x[-1]", "x[1:2]", "x[:, 1]", "x[..., 0]", "x[0, ...]", "x[::2]", "x[::-1]", "x[:, ::-1]", "x[tf.newaxis]", "x[:, tf.newaxis, 1:]",
          "x[0, 1, 2]", "x[:-1, 1:, :2]", "x[..., tf.newaxis]", "x[0:0]", "x[i]", "x[i:]", "x[:, i]", "x[i, 1:]", "x[:i, ..., ::2]", "x[...]", "x[2:0:-1]",
          "x[5:]", "x[0, None, ...]", "x[i:i + 1]", "x[::i + 1]", "x[tf.constant(1, tf.int64):]", "x[x > 0]", "x[:x.shape[1]]"]
table(globals(), "slice", ["x = %s; i = P(dt='int32', value=1); y = %s; y; G(y, x)" % (x, text)
                           for text in SLICES for x in ("P(2, 3, 4)", "P(None, 3, None, value=np.arange(24.).reshape(2, 3, 4))")])
table(globals(), "slices", [
    "x = U(2, 3); x[0]; x[:, 1]; x[..., 0]; G(x[0], x); x[None]",
    "x = P(2, 3); tf.strided_slice(x, [0], [1]); tf.strided_slice(x, [0, 0], [1, 2], [1, 1], end_mask=1); y = tf.slice(x, [0, 1], [-1, 2]); G(y, x); "
    "tf.slice(x, [0, tf.constant(1)], [1, 1]); tf.slice(P(None, None, value=np.ones([2, 4])), [0, 0], [-1, 3]); tf.slice(U(3), [1], [1])",
    "x = P(3, 4); y = G(x[1:, ::2], x)[0]; G(y * y, x); G(tf.strided_slice(x, [0], [2]), x)",
    "[raises(lambda: P(2, 3)[0, 0, 0]), raises(lambda: P(2, 3)[2]), raises(lambda: P(2, 3)[..., ...]), raises(lambda: P(2)['a']), raises(lambda: P(2)[1.5]), "
    "raises(lambda: P(2)[::0]), raises(lambda: P(2)[True]), raises(lambda: P(2)[tf.constant([0, 1])]), raises(tf.slice, P(2), [1], [2]), raises(tf.slice, P(2), [0, 0], [1, 1])]",
])
table(globals(), "stack", [
    "x = P(2, 3); tf.stack([x, x], 1); tf.stack([x, x], axis=-1, name='s'); G(tf.stack([x, x * 1.]), x); tf.stack([1, 2]); tf.stack([x, np.ones([2, 3])]); "
    "tf.stack([P(), 1.]); tf.stack([P(None, 3), x]); tf.stack([U(2), P(2)]); tf.stack([P(2, dt='string'), ['a', 'b']])",
    "x = P(2, 3); tf.unstack(x); tf.unstack(x, axis=1); a, b = tf.unstack(x); G(a, x); tf.unstack(P(None, 3), axis=1); tf.unstack(P(None, 3), num=2); tf.unstack(x, axis=-1)",
    "x = P(2, 3); y = P(2, 4); tf.concat([x, y], 1); tf.concat([x, x], 0, name='c'); tf.concat([x], 0); tf.concat(x, 0); G(tf.concat([x, y], 1), [x, y]); "
    "tf.concat([P(None, 3), x], 0); tf.concat([U(2), P(2)], 0); tf.concat([[1, 2], [3]], 0)",
    "x = P(None, 3); y = P(None, 4); G(tf.concat([x, y], -1), [x, y])",
    "x = P(2, 3); G(tf.concat([x, x], P(dt='int32', value=1)), x); y = R.Concat(concat_dim=0, values=[x, x]); y; G(y, x)",
    "x = P(1, 2); G(tf.concat([x * float(i) for i in range(18)], 0), x)",
    "x = P(4, 6); a = tf.split(x, 2); b = tf.split(x, 3, axis=1); c = tf.split(x, [1, 3], 0); a; b; c; G(a[0], x); G(b, x); G(c, x); tf.split(P(None, 3), 2); "
    "tf.split(x, P(2, dt='int32', value=[1, 3])); tf.split(x, [1, -1], 1); tf.split(x, 1)",
    "[raises(tf.stack, [P(2), P(3)]), raises(tf.stack, [P(2), P(2)], axis=3), raises(tf.unstack, P(None, 3)), raises(tf.concat, [P(2, 3), P(3, 4)], 0), "
    "raises(tf.concat, [P(2), P(2, 2)], 0), raises(tf.split, P(4), 3), raises(tf.split, P(4), P(None, dt='int32')), raises(tf.split, P(4), [1, 2]), raises(tf.concat, [P(), P()], 0)]",
])
table(globals(), "move", [
    "x = P(2, 3); tf.tile(x, [2, 1]); G(tf.tile(x, [2, 1]), x); y = P(None, 3); G(tf.tile(y, [2, 1]), y); tf.tile(U(2), [3]); tf.tile(x, P(2, dt='int32', value=[0, 1]))",
    "x = P(2, 3); tf.transpose(x); tf.transpose(x, [1, 0]); G(tf.transpose(x, [1, 0]), x); tf.transpose(U(2, 3)); "
    "tf.transpose(P(2, 3), conjugate=True); tf.matrix_transpose(P(2, 3, 4)); tf.matrix_transpose(U(2, 3, 1)); tf.linalg.adjoint(P(2, 3)); tf.transpose([[1, 2]]); "
    "tf.transpose(P(2, 3, 4), [2, 0, 1]); tf.transpose(x, P(2, dt='int32', value=[1, 0]))",
    "x = P(2, 3, dt='complex64'); y = tf.transpose(x, conjugate=True); y; G(y, x, P(3, 2, dt='complex64')); tf.linalg.adjoint(x)",
    "x = P(2, 3); tf.pad(x, [[1, 1], [0, 2]]); tf.pad(x, [[1, 1], [0, 2]], constant_values=5); tf.pad(x, [[1, 1], [0, 2]], 'REFLECT'); "
    "tf.pad(x, [[1, 1], [0, 2]], 'symmetric'); G(tf.pad(x, [[1, 1], [0, 2]]), x); G(tf.pad(x, [[1, 1], [0, 2]], constant_values=P()), x); "
    "y = tf.pad(x, [[1, 1], [0, 2]], 'REFLECT'); G(y * y, x); y = tf.pad(x, [[2, 1], [3, 2]], 'SYMMETRIC'); G(y * y, x); raises(tf.pad, x, [[0, 0]], 'x')",
    "x = P(None, 3); G(tf.pad(x, [[1, 1], [0, 2]]), x); tf.pad(P(None, 3), P(2, 2, dt='int32', value=[[1, 0], [0, 1]])); tf.pad(U(2), [[1, 1]]); tf.pad(['a'], [[1, 0]])",
    "x = P(2, 3); tf.reverse(x, [0]); G(tf.reverse(x, [0]), x); tf.reverse_sequence(x, [1, 2], 1); G(tf.reverse_sequence(x, [1, 2], seq_axis=1, batch_axis=0), x); "
    "R.Reverse(tensor=x, dims=[True, False]); tf.invert_permutation([1, 0, 2]); tf.reverse(x, [-1, 0]); raises(tf.reverse, x, [2]); raises(tf.reverse, x, [0, 0])",
    "x = P(3, 4); tf.roll(x, 1, 0); G(tf.roll(x, [1, 2], [0, 1]), x); tf.repeat([1, 2], 2); tf.repeat(x, [1, 2, 3], axis=0); tf.repeat(x, 2, axis=1); "
    "tf.repeat(P(2), [0, 3], axis=0)",
    "tf.meshgrid([1, 2], [3, 4, 5]); tf.meshgrid(P(2), P(3), indexing='ij'); tf.meshgrid([1., 2.]); tf.meshgrid(P(2), P(3), P(1))",
    "tf.range(5); tf.range(1, 5); tf.range(1, 5, 2); tf.range(5.); tf.range(0, 1, .1); tf.range(3, dtype=tf.int64); tf.range(P(dt='int32', value=4)); "
    "tf.range(1, P(dt='int64', value=3)); tf.range(0., P(dt='float64', value=2.5)); tf.linspace(0., 1., 5); tf.range(5, 0, -1); tf.linspace(2., 3., 1); "
    "tf.range(P(dt='int32', value=2), 6, 3, name='r'); [raises(tf.range, 0, 5, 0), raises(tf.range, 5, 0), raises(tf.linspace, 0., 1., 0)]",
])
table(globals(), "gather", [
    "x = P(5, 3); tf.gather(x, [0, 1]); tf.gather(x, [0, 1], axis=1); G(tf.gather(x, [0, 1]), x); G(tf.gather(x, [[0, 1]], axis=1), x); "
    "tf.gather(x, P(2, dt='int64')); tf.gather(['a', 'b'], [1, 0]); tf.gather(U(3), 1); tf.gather(x, [0, 1], axis=P(dt='int32', value=1))",
    "x = P(None, 3); G(tf.gather(x, [0, 1]), x); i = P(2, dt='int32', value=[1, 0]); G(tf.gather(x, i, axis=1), x); R.Gather(params=x, indices=i); G(R.Gather(params=x, indices=i), x)",
    "x = P(5, 3); y = tf.gather(x, [[0, 1]] * 5, batch_dims=1, axis=1); y; G(y, x); tf.batch_gather(x, [[0, 1]] * 5); tf.gather(x, [[0, 1]] * 5, batch_dims=-1)",
    "x = P(2, 3, 4); y = tf.gather(x, [[0, 2], [1, 1]], batch_dims=1, axis=2); y; G(y, x); tf.gather(x, [[0], [1]], batch_dims=1)",
    "x = P(5, 3); tf.gather_nd(x, [[0, 1], [4, 2]]); G(tf.gather_nd(x, [[0, 1]]), x); G(tf.gather_nd(x, [[0], [1]]), x); tf.gather_nd(x, [[], []]) if False else x",
    "x = P(5, 3); tf.gather_nd(x, [[[0]]] * 5, batch_dims=1); tf.gather_nd(P(2, 2, 3), [[[[1]], [[0]]]] * 2, batch_dims=2)",
    "x = P(2, 3); y = tf.scatter_nd([[0], [1]], x, [5, 3]); y; G(y, x); u = P(2, 3); t = P(5, 3); y = tf.tensor_scatter_update(t, [[0], [1]], u); y; G(y, [t, u]); "
    "y = tf.tensor_scatter_add(t, [[0], [0]], u); y; G(y, [t, u]); y = tf.tensor_scatter_sub(t, [[0], [0]], u); y; G(y, [t, u]); "
    "y = R.ScatterNdNonAliasingAdd(input=t, indices=[[1], [1]], updates=u); y; G(y, [t, u]); tf.scatter_nd([[0, 1]], [5], [2, 2])",
    "tf.one_hot([0, 1], 3); tf.one_hot([0, 1], 3, on_value=5, off_value=2); tf.one_hot([0, 1], 3, dtype=tf.int32, axis=0); "
    "tf.one_hot(P(None, dt='int64'), P(dt='int32', value=3)); tf.one_hot([1], 3, on_value=1.5); tf.one_hot([1], 3, 1., 0., dtype=tf.float32); "
    "tf.one_hot([1, -1, 5], 2, True, False, dtype=tf.bool); tf.one_hot([[0, 1], [1, 0]], 2, axis=1); tf.one_hot(P(2, dt='uint8', value=[0, 1]), 2); "
    "[raises(tf.one_hot, [0], 3, on_value=5, off_value=2.), raises(tf.one_hot, [0], 3, on_value=5, off_value=2, dtype=tf.float32)]",
    "x = P(3, 2); tf.boolean_mask(x, [True, False, True]); tf.boolean_mask(x, x > 0); tf.boolean_mask(x, [True, False], axis=1); y = P(None, 2); m = P(None, dt='bool'); "
    "G(tf.boolean_mask(y, m), y); tf.boolean_mask(P(None, None), P(None, None, dt='bool'), name='bm'); raises(tf.boolean_mask, x, True); raises(tf.boolean_mask, x, [True])",
    "tf.sequence_mask([1, 2, 3]); tf.sequence_mask([1, 2], 5); tf.sequence_mask([1, 2], 5, dtype=tf.float32); tf.sequence_mask(P(None, dt='int64'), P(dt='int64', value=3)); "
    "tf.sequence_mask(P(2, 2, dt='int32')); raises(tf.sequence_mask, [1], [2])",
])
SEGMENTS = ["tf.segment_sum(d, s)", "tf.segment_mean(d, s)", "tf.segment_max(d, s)", "tf.segment_min(d, s)", "tf.unsorted_segment_sum(d, s, 4)",
            "tf.unsorted_segment_max(d, s, 4)", "tf.unsorted_segment_min(d, s, 4)", "tf.unsorted_segment_prod(d, s, 4)", "tf.unsorted_segment_mean(d, s, 4)",
            "tf.unsorted_segment_sqrt_n(d, s, 4)"]
table(globals(), "segment", ["d = %s; s = P(4, dt='int32', value=[0, 0, 2, 2]); y = %s; y; G(y, d)" % (d, text)
                             for text in SEGMENTS for d in ("P(4, 2)", "P(None, 2, value=[[1, 2], [3, 0], [0, 0], [-1, 4]])")])
table(globals(), "segments", [
    "d = P(4, 2); s = P(4, dt='int32', value=[1, -1, 0, 1]); y = tf.unsorted_segment_sum(d, s, 3); y; G(y, d); tf.segment_prod(d, [0, 0, 1, 3]); "
    "tf.unsorted_segment_max(P(4, dt='int32'), s, 3); tf.segment_sum(P(4, dt='int32'), [0, 1, 1, 1]); tf.unsorted_segment_sum(P(2, 2), [[0, 1], [1, 0]], P(dt='int32', value=2))",
    "d = P(4, 2); s = P(3, dt='int32', value=[0, 0, 2]); i = P(3, dt='int32', value=[3, 1, 3]); y = tf.sparse_segment_sum(d, i, s); y; G(y, d); "
    "y = tf.sparse_segment_mean(d, i, s); y; G(y, d); y = tf.sparse_segment_sqrt_n(d, i, s); y; G(y, d)",
    "d = P(4, 2); s = P(3, dt='int32', value=[0, 0, 2]); i = P(3, dt='int32', value=[3, 1, 3]); y = tf.sparse_segment_sum(d, i, s, num_segments=5); y; G(y, d); "
    "y = tf.sparse_segment_mean(d, i, s, num_segments=5); y; G(y, d); y = tf.sparse_segment_sqrt_n(d, i, s, num_segments=5); y; G(y, d)",
    "x = P(5, 2); s = P(5, dt='int32', value=[0, 1, 0, 2, 1]); a = tf.dynamic_partition(x, s, 3); a; G([v * v for v in a], x); "
    "y = tf.dynamic_stitch([[0, 2], [1, 3, 4]], [P(2, 2), P(3, 2)]); y; u = P(2, 2); v = P(1, 2); y = tf.dynamic_stitch([[0, 1], [1]], [u, v]); y; G(y, [u, v])",
])
table(globals(), "sort", [
    "x = P(2, 5); y = tf.nn.top_k(x, 2); y; G(y[0], x); tf.nn.in_top_k(x, P(2, dt='int32'), 2); tf.nn.in_top_k(x, P(2, dt='int32'), 2, name='best'); y = P(None, 3); "
    "G(tf.nn.top_k(y, 2)[0], y); tf.nn.top_k(P(4, value=[1., 3., 3., 2.]), 3); raises(tf.nn.top_k, x, 6)",
    "x = P(2, 5); y = R.NthElement(input=x, n=2); y; G(y, x); R.NthElement(input=x, n=1, reverse=True); R.InTopK(predictions=x, targets=[0, 7], k=2)",
    "x = P(2, 5); tf.sort(x); tf.argsort(x); tf.sort(x, direction='DESCENDING'); tf.argsort(x, axis=0, direction='DESCENDING'); tf.sort(P(3, dt='int32')); "
    "tf.argsort(P(3, dt='int32'), stable=True); tf.sort(U(2, 3)); G(tf.sort(x, axis=0), x); raises(tf.sort, x, direction='x')",
    "tf.searchsorted(P(2, 5, value=np.sort(np.random.RandomState(1).rand(2, 5))), P(2, 3)); tf.searchsorted([1, 2, 2, 3], [2, 0, 5], side='right', out_type=tf.int64)",
    "tf.unique([1, 1, 2, 0]); tf.unique_with_counts([1, 1, 2], tf.int64); tf.setdiff1d([1, 2, 4, 1], [2]); tf.unique(P(None, dt='string')); "
    "tf.setdiff1d(['a', 'b'], ['b'], index_dtype=tf.int64)",
])


def case_patches(tf):
    images = tf.constant(np.arange(120, dtype="f4").reshape(2, 5, 6, 2))
    volume = tf.constant(np.arange(120, dtype="f4").reshape(1, 2, 5, 6, 2))
    return [
        tf.extract_image_patches(images, [1, 3, 2, 1], [1, 2, 2, 1], [1, 1, 2, 1], "SAME"),
        tf.image.extract_image_patches(images, sizes=[1, 3, 2, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1],
                                       padding="VALID", name="named"),
        tf.image.extract_patches(images, [1, 2, 2, 1], [1, 3, 3, 1], [1, 1, 1, 1], "VALID"),
        tf.extract_volume_patches(volume, [1, 2, 2, 3, 1], [1, 1, 2, 2, 1], "SAME"),
    ]


def case_lists_of_other_dtypes(tf):
    n, m = tf.constant(3, tf.int64), tf.constant(2)
    return [tf.ones([n]), tf.reshape(tf.zeros([3, 1]), (n, 1)), tf.zeros((n, m)),
            tf.convert_to_tensor([[n, 1], [m, n]], dtype=tf.int32)]


def case_concat_gradients_of_rows(tf):
    a, b = tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])
    out = []
    for axis in (0, 1, -1, -2):
        for dtype in (tf.int32, tf.int64):
            out.append(tf.gradients(tf.gather(tf.concat([a, b], axis), tf.constant([0, 0], dtype)), [a, b]))
    return out


def case_tile_to_nothing(tf):
    p = tf.placeholder(tf.float32, [None, 2])
    return Case([tf.tile(p, [0, 3])], feeds={p: [[1.0, 2.0]]})


def case_margins_that_are_partly_known(tf):
    x, n = tf.placeholder_with_default(np.ones([3, 4, 5], "f4"), [3, 4, 5]), tf.placeholder_with_default(2, [])
    margins = tf.stack([[1, 1], tf.stack([0, n]), [2, 0]])
    return [tf.pad(x, margins), tf.pad(x, margins, constant_values=7.0), tf.pad(x, margins, "SYMMETRIC"), tf.pad(x, [[1, 1], tf.stack([0, n]), [2, 0]])]


def case_split_along_an_axis_that_is_not_known(tf):
    x, axis = np.arange(24.0).reshape(4, 6), tf.placeholder_with_default(1, [])
    return [*tf.split(x, [2, 4], axis), *tf.split(x, [1, -1], axis), *tf.split(x, tf.Dimension(2), 0), *tf.split(tf.placeholder_with_default(x, [None, 6]), [5, -1], axis)]

SIZES = ["[np.array([2])]", "[np.array([2]), 3]", "(np.array([[2]]),)", "[np.array([2.0])]", "[np.array([2, 3])]"]
table(globals(), "sizes_in_arrays", [
    "s = %s; raises(lambda: tf.zeros(s)); raises(lambda: tf.ones(s)); raises(lambda: tf.constant(1, shape=s)); raises(lambda: tf.TensorShape(s).as_list()); "
    "raises(lambda: tf.placeholder(tf.int32, s).shape.as_list()); raises(lambda: tf.unstack(P(2, 2), s[0])); raises(lambda: tf.get_variable('v', s).shape.as_list())" % size
    for size in SIZES])
table(globals(), "constants_of_buffers", [
    "import_array = __import__('array').array; tf.constant(import_array('i', [1, 2])); tf.identity(import_array('f', [1, 2])); tf.constant(import_array('d', [1, 2]), tf.int32)",
    "tf.constant(np.zeros((0, 3)), tf.string); tf.constant(np.zeros((0, 3)), shape=[2, 2]); tf.constant(['a', ['b']])",
    "[raises(tf.constant, [['a'], 'b']), raises(tf.constant, [['a', 'b'], ['c']]), raises(tf.constant, 1, shape=[tf.constant(2)])]",
    "[raises(tf.repeat, [1, 2], 2.0), raises(tf.repeat, [1, 2], '2'), raises(tf.repeat, [1, 2], tf.constant(True))]",
    "tf.repeat([1, 2], np.float32(2)); tf.repeat([1, 2], True); tf.sparse.eye(True).indices; tf.sparse.eye(3, True).indices; tf.sparse.expand_dims(tf.sparse.eye(2), True).indices",
])
table(globals(), "broadcast_to_shapes", ["x = P(%s, value=np.ones([%s])); tf.broadcast_to(x, tf.stack([P(dt='int32', value=2), %s, 3])).shape" % row for row in (
    ("None, 3", "1, 3", "1"), ("2, 3", "2, 3", "2"), ("1, 3", "1, 3", "P(dt='int32', value=4)"), ("4, 3", "4, 3", "P(dt='int32', value=4)"), ("3", "3", "P(dt='int32', value=4)"))])
table(globals(), "stitched_without_indices", [
    "tf.dynamic_stitch([[-1]], [[1.0]]); tf.dynamic_stitch([[-1, -2]], [np.ones([2, 3])]); tf.raw_ops.ParallelDynamicStitch(indices=[[-1]], data=[[1.0]])"])
table(globals(), "strides_without_windows", [
    "x = P(1, 4, 4, 6); tf.nn.max_pool(x, [1, 1, 1, 2], [1, 2, 2, 2], 'VALID'); tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 2], 'SAME'); tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 1, 1, 2], 'SAME')"])
table(globals(), "packed_variables", [
    "v = tf.get_variable('v', [], use_resource=True); w = tf.get_variable('w', [], use_resource=False); tf.stack([v, 1.0]).op.type; tf.identity([v, 1.0, w]).op.type; "
    "tf.stack([[v, 1.0], [2.0, w]]).op.type; tf.stack([1.0, v]).op.type; tf.convert_to_tensor([w, v]).op.type"])
table(globals(), "integers_of_more_than_64_bits", [
    "[raises(tf.constant, value, kind) for value in (2**63, 2**64 - 1, 2**64, -2**63 - 1, [1, 2**63]) for kind in (tf.int8, tf.uint8, tf.int32, tf.int64)]",
    "tf.constant(2**40, tf.int32); tf.constant([300, -1], tf.uint8); tf.constant(2**63, tf.uint64); tf.constant(2**63, tf.float32)"])
table(globals(), "edit", [
    "a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ['a', 'b', 'c'], [3, 2]); b = tf.SparseTensor([[0, 0], [2, 0], [2, 1]], ['a', 'x', 'y'], [3, 3]); tf.edit_distance(a, b); "
    "tf.edit_distance(a, b, normalize=False, name='e'); raises(tf.edit_distance, P(2), b)"])


def case_transposed_conjugates_of_variables(tf):
    out = []
    for resource in (False, True):
        v = tf.get_variable(f"v{resource}", initializer=np.array([[1 + 2j, 3j]]), use_resource=resource)
        out += [tf.transpose(v, conjugate=True), tf.transpose(v, [1, 0], conjugate=True), tf.transpose(v)]
    return Case(out)


def case_top_k_of_nan(tf):
    """What comes out depends on which elements are compared."""
    random = np.random.RandomState(3)
    rows = [np.where(random.rand(count) < part, np.nan, random.randint(0, count, count)).astype(kind)
            for count, part, kind in ((4, .4, "f4"), (9, .4, "f8"), (16, .3, "f2"), (17, .3, "f4"), (100, .2, "f4"), (3000, .01, "f4"), (20_000, .01, "f8"))]
    results = [tf.nn.top_k(row, k) for row in rows[:5] for k in sorted({2, 3, len(row) // 2, len(row) - 1, len(row)})]
    results += [tf.nn.top_k(row, 100) for row in rows[5:]]
    results += [tf.reduce_sum(tf.cast(tf.nn.top_k(row, k)[1], tf.int64) * tf.range(k, dtype=tf.int64)) for row in rows[5:] for k in (2000, len(row))]
    several = np.where(random.rand(2, 3, 7) < 0.2, np.nan, random.randint(0, 9, (2, 3, 7))).astype("f4")
    results += [tf.nn.top_k(several, k) for k in range(8)]
    results += [tf.sort(several), tf.argsort(several, axis=1, direction="DESCENDING"), tf.nn.top_k(tf.cast(several, tf.bfloat16), 3)[1]]
    return results
