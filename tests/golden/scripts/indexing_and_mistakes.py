import numpy as np
import tensorflow as tf

x = tf.constant(np.arange(60).reshape(3, 4, 5), tf.float32, name='x')
v = tf.Variable(np.arange(20.).reshape(4, 5), name='v')
i = tf.placeholder_with_default(1, [], name='i')
m = tf.constant([True, False, True])
items = [lambda: x[0], lambda: x[-1, ..., 2:4], lambda: x[:, tf.newaxis, 1::2, ::-1], lambda: x[i], lambda: x[i:, :i], lambda: x[..., i], lambda: x[m], lambda: x[tf.constant(1):tf.constant(3)], lambda: x[:, :, None].shape, lambda: x[::-2, 3:0:-1], lambda: v[1:3, ::2],
         lambda: v[i, i:], lambda: tf.boolean_mask(x, x > 30), lambda: tf.boolean_mask(x, [True, False, True, True], axis=1), lambda: x[np.int64(2), np.array(1)], lambda: tf.strided_slice(x, [0, 1], [2, 3], [1, 1], shrink_axis_mask=2), lambda: x[0:0], lambda: x[5:], lambda: x[tf.shape(x)[0] - 1], lambda: tf.gather(x, [0, 2], axis=1), lambda: tf.gather(x, i, axis=-1),
         lambda: tf.gather_nd(x, [[[0, 1, 2]], [[2, 3, 4]]]), lambda: tf.slice(x, [0, i, 0], [-1, 2, -1]), lambda: tf.unstack(x, axis=1)[3], lambda: tf.split(x, [1, -1, 1], 1)[1], lambda: tf.where(x > 50), lambda: tf.where(m, x, -x), lambda: tf.squeeze(x[:1, :1]), lambda: tf.concat([x[0], v.value() if False else tf.to_float(v)], 0), lambda: tf.stack([x[0, 0], x[1, 1]], -1), lambda: tf.reshape(x, [-1, i + 4]).shape, lambda: tf.transpose(x)[0],
         lambda: tf.tile(x[0, :1], [i + 1, 1]), lambda: tf.reverse(x, [-1])[0, 0], lambda: tf.invert_permutation([2, 0, 1]), lambda: tf.unique([3, 1, 3]), lambda: tf.unique_with_counts(['a', 'b', 'a']), lambda: tf.setdiff1d([1, 2, 3], [2]), lambda: tf.searchsorted([1., 3., 5.], [2., 5.]), lambda: tf.argsort(x[0, :, 0], direction='DESCENDING'), lambda: tf.sequence_mask([1, 3], 4), lambda: tf.one_hot([[1], [-1]], 3, 5., -1., axis=0), lambda: tf.meshgrid([1, 2], [3, 4, 5], indexing='ij'),
         lambda: tf.required_space_to_batch_paddings([5, 5], [2, 2]), lambda: tf.broadcast_static_shape(tf.TensorShape([1, 3]), tf.TensorShape([2, 1])), lambda: tf.broadcast_dynamic_shape([1, 3], [2, 1]), lambda: tf.rank(x), lambda: tf.size(x, out_type=tf.int64), lambda: tf.shape_n([x, x[0]]), lambda: tf.zeros_like(x, tf.int32)[0, 0], lambda: tf.fill([i + 1], 'a'), lambda: tf.range(i, 10, 3), lambda: tf.range(3, dtype=tf.float64), lambda: tf.linspace(0., 1., 5), lambda: tf.lin_space(0., 1., 3), lambda: tf.eye(2, 3, [2]), lambda: tf.diag_part(tf.eye(3)),
         lambda: tf.bitcast(tf.constant([1., 2.]), tf.int32), lambda: tf.saturate_cast([300., -5.], tf.uint8), lambda: tf.cast([1.9, -1.9], tf.int32), lambda: tf.truncatediv(-7, 2), lambda: tf.truncatemod(-7, 2), lambda: tf.floordiv(-7, 2), lambda: -7 // tf.constant(2), lambda: tf.constant(-7) % 3, lambda: 2 ** tf.constant([1, 2]), lambda: tf.constant(7) / 2, lambda: 1 - x[0, 0], lambda: x[0, 0] @ x[0, 0] if False else x[0] @ tf.transpose(x[0]), lambda: ~m, lambda: m & [True, True, False], lambda: m ^ True, lambda: tf.equal(x[0, 0], 3), lambda: x[0, 0] >= 2, lambda: divmod(7, 2) and tf.div(7, 2), lambda: abs(-x[0, 0]), lambda: tf.constant(True) == True, lambda: hash(x) is not None, lambda: tf.constant([[1, 2], [3]]) if False else tf.constant(3, shape=[2, 2]), lambda: tf.constant([1, 2, 3], shape=[5])]
bad = [lambda: x['a'], lambda: x[1.5], lambda: x[0, 0, 0, 0], lambda: bool(x), lambda: len(x), lambda: x[[0, 1]], lambda: x[[True, False, True]], lambda: tf.reshape(x, [7, -1]), lambda: tf.matmul(x[0], x[0]), lambda: x + tf.ones([7]), lambda: x + 'a', lambda: x + tf.constant(1), lambda: tf.concat([x, v], 0), lambda: tf.stack([x[0], x[0, 0]]), lambda: tf.constant([[1, 2], [3]]), lambda: tf.constant('a', tf.int32), lambda: tf.constant([1, 'a']),
       lambda: tf.constant(1.5, tf.int32), lambda: tf.transpose(x, [0, 1]), lambda: tf.squeeze(x, [0]), lambda: tf.split(x, 2, 0), lambda: tf.gather(x, 1.0), lambda: tf.cast(x, 'nope'), lambda: tf.placeholder('float33'), lambda: tf.reduce_sum(x, 5), lambda: tf.expand_dims(x, 9), lambda: tf.constant(None), lambda: x.foo, lambda: tf.unstack(tf.placeholder(tf.float32)), lambda: tf.tile(x, [1]), lambda: x.set_shape([1, 2]), lambda: tf.TensorShape([1, 2]).merge_with([3]), lambda: x.eval(), lambda: np.array(x).dtype, lambda: range(tf.constant(3)), lambda: tf.constant(1)()]
with tf.Session() as sess:
    sess.run(v.initializer)
    for n, f in enumerate(items):
        t = f()
        try:
            print(n, t.shape if hasattr(t, 'shape') else '', np.array2string(np.asarray(sess.run(t)), threshold=8) if isinstance(t, tf.Tensor) else (sess.run(t) if isinstance(t, (list, tuple)) and not isinstance(t, tf.TensorShape) else t))
        except Exception as e:
            print(n, type(e).__name__, str(e)[:80])
for n, f in enumerate(bad):
    try:
        print(n, f())
    except Exception as e:
        print(n, type(e).__name__, str(e).split('\n')[0][:120])
