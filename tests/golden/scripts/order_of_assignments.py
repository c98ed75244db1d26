import numpy as np
import tensorflow as tf

v = tf.Variable(0.0, name='v')
r = tf.Variable(0.0, name='r', use_resource=True)
arr = tf.Variable(tf.zeros([4, 2]), name='arr')
count = tf.Variable(0, name='count', trainable=False)
inc = v.assign_add(1.0)
with tf.control_dependencies([inc]):
    read_after = tf.identity(v)
    same = v.read_value()
rinc = r.assign_add(2.0)
with tf.control_dependencies([rinc]):
    r_after = r.read_value() * 10
    r_id = tf.identity(r)
swap_a, swap_b = tf.Variable(1), tf.Variable(2)
old = tf.identity_n([swap_a, swap_b])
with tf.control_dependencies(old):
    swap = tf.group(swap_a.assign(old[1]), swap_b.assign(old[0]))
sc = [tf.scatter_update(arr, [0, 2], [[1., 1.], [2., 2.]]), ]
with tf.control_dependencies(sc):
    sc.append(tf.scatter_add(arr, [2, 2], [[1., 1.], [1., 1.]]))
with tf.control_dependencies(sc):
    sc.append(tf.scatter_nd_update(arr, [[3, 1]], [9.]))
with tf.control_dependencies(sc):
    sc.append(arr[1, :].assign([5., 6.]))
with tf.control_dependencies(sc):
    sc.append(tf.scatter_mul(arr, 0, [3., 3.]))
with tf.control_dependencies(sc):
    sc.append(tf.scatter_max(arr, [1], [[5.5, 5.5]]))
with tf.control_dependencies(sc):
    final = arr + 0
t = tf.tuple([v + 1, arr[0, 0]], control_inputs=[count.assign_add(1)])
cond = tf.cond(tf.equal(count % 2, 0), lambda: count.assign_add(10), lambda: count.assign_sub(1))
loop = tf.while_loop(lambda i: i < 3, lambda i: tf.tuple([i + 1], control_inputs=[count.assign_add(100)])[0], [0])
limited = v.count_up_to(3) if False else count.count_up_to(1000)
gated = tf.identity(tf.constant(7), name='gated')
gated.op._add_control_input(inc.op)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([read_after, same]), sess.run(v), sess.run([r_after, r_id]), sess.run(r))
    for _ in range(3):
        sess.run(swap)
    print(sess.run([swap_a, swap_b]))
    print(sess.run(final).tolist())
    print(sess.run(t), sess.run(count))
    print(sess.run(cond), sess.run(cond), sess.run(count))
    print(sess.run(loop), sess.run(count))
    print(sess.run(gated), sess.run(v), [o.name for o in gated.op.control_inputs])
    print(sess.run(limited), sess.run(count))
    v.load(3.5, sess)
    print(v.eval(), v.eval(sess), sess.run(v.value()), v.initialized_value().eval(), v.initial_value.eval())
    with tf.control_dependencies([tf.assign(v, 100.)]):
        pass
    print(v.eval(), sess.run(tf.is_variable_initialized(v)), tf.assert_variables_initialized is not None)
    try:
        print(sess.run(arr.assign(np.ones((3, 2)))))
    except (ValueError, tf.errors.OpError) as e:
        print(type(e).__name__, str(e)[:90])
    ns = tf.assign(arr, np.ones((3, 2)), validate_shape=False)
    print(ns.shape, sess.run(ns).shape, sess.run(tf.shape(arr)), arr.shape)
    try:
        sess.run(arr.initializer)
    except tf.errors.InvalidArgumentError as e:
        print(e.message.split('\n')[0][:90])
    print(v.op.type, r.op.type, v.dtype, v.value().dtype, v._ref().dtype, r.handle.dtype, v.device == '', v.graph is sess.graph)
    print(v, r, repr(swap_a))
    print(str(v + r), v.name, v.op.name, (v > 2).dtype, (-v).op.type, (v ** 2).op.type, (2 / v).op.type, (v // 2).op.type, (v % 2).op.type, abs(v).op.type)
    d = v.to_proto()
    print(d.variable_name, d.initializer_name, d.snapshot_name, d.trainable, tf.Variable.from_proto(d).name)
