import collections
import numpy as np
import tensorflow as tf
from tensorflow.python.client import timeline
from tensorflow.python.client import device_lib

Point = collections.namedtuple('Point', ['x', 'y'])
a = tf.placeholder(tf.float32, shape=[], name='a')
b = tf.placeholder(tf.float32, shape=[], name='b')
c = tf.placeholder(tf.float32, shape=[], name='c')
r1 = tf.add(a, b)
r2 = tf.multiply(r1, c)
v = tf.Variable([1, 2, 3], name='v')
s = tf.SparseTensor([[0, 1], [2, 0]], [1.5, 2.5], [3, 2])
emb = tf.Variable(np.arange(12, dtype=np.float32).reshape(4, 3))
isl = tf.gradients(tf.gather(emb, [0, 2, 0]) * 2., emb)[0]
with tf.Session() as sess:
    sess.run([v.initializer, emb.initializer])
    out = sess.run({'p': Point(a, [b, (c,)]), 'q': r2, 's': s, 'i': isl, 'v': v, 'n': 'v:0', 'op': v.initializer,
                    'd': collections.OrderedDict([('z', a), ('y', r1)])}, {a: 1, b: 2, c: 3})
    print(out['p'], out['q'], out['s'], out['v'], out['n'], out['op'], list(out['d'].items()))
    print(type(out['p']).__name__, type(out['s']).__name__, type(out['i']).__name__, out['i'].indices, out['i'].values.tolist(), out['i'].dense_shape)
    h = sess.partial_run_setup([r1, r2], [a, b, c])
    res = sess.partial_run(h, r1, feed_dict={a: 1, b: 2})
    print(res, sess.partial_run(h, r2, feed_dict={c: res}))
    try:
        sess.partial_run(h, r2, feed_dict={c: res})
    except Exception as e:
        print(type(e).__name__)
    f = sess.make_callable([r1, {'k': r2}], feed_list=[a, b, c])
    print(f(1, 2, 3), f(*[np.float64(4)] * 3))
    g = sess.make_callable(r1, [a, b], accept_options=True)
    md = tf.RunMetadata()
    print(g(1., 2., options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=md))
    print(len(md.step_stats.dev_stats) > 0)
    tl = timeline.Timeline(md.step_stats)
    ctf = tl.generate_chrome_trace_format(show_memory=False)
    print('traceEvents' in ctf)
    print(sess.run([]), sess.run({}), sess.run(()), sess.run([[], (a,)], {a: 5}))
    for bad, feed in [('nope:0', {}), (r1, {'zz:0': 1}), (r1, {a: [1, 2], b: 1}), (None, {}), (3, {}),
                      (r1, {a: 'str', b: 2}), (r1, {a: None, b: 1}), (v, {v: [9, 9, 9]}), ([a, None], {}), (r1, {r1: 100}), ('v', {}), (r1, {tf.constant(1): tf.constant(2)})]:
        try:
            print('ok', sess.run(bad, feed))
        except (ValueError, TypeError, tf.errors.OpError, RuntimeError, KeyError) as e:
            print(type(e).__name__, str(e).split('\n')[0][:110])
    print(sess.run(s.values), sess.run([s, s.indices])[1].tolist())
    sp = tf.sparse_placeholder(tf.float32, shape=[2, 2])
    dense = tf.sparse_tensor_to_dense(sp)
    for feed in [tf.SparseTensorValue([[0, 0]], [5.0], [2, 2]), ([[1, 1]], [6.0], [2, 2]), (np.array([[0, 1]]), np.array([7.]), np.array([2, 2]))]:
        print(sess.run(dense, {sp: feed}).tolist())
    print(sess.run(tf.get_default_graph().get_operations()[0].outputs, {a: 3}))
    print(sess.graph is tf.get_default_graph(), sess.list_devices()[0].device_type, device_lib.list_local_devices()[0].device_type)
    hnd = sess.run(tf.get_session_handle(r1), {a: 2, b: 3})
    ph, t = tf.get_session_tensor(hnd.handle, tf.float32)
    print(sess.run(t * 2, {ph: hnd.handle}), hnd.eval())
try:
    sess.run(v)
except RuntimeError as e:
    print(e)
with tf.Graph().as_default():
    other = tf.constant(1)
    with tf.Session() as s2:
        try:
            s2.run(r1)
        except ValueError as e:
            print(str(e)[:60])
        print(other.eval(), tf.get_default_session() is s2)
try:
    r1.eval()
except ValueError as e:
    print(e)
s3 = tf.InteractiveSession()
print(tf.constant([1, 2]).eval(), (tf.constant(2) + 3).eval())
s3.close()
