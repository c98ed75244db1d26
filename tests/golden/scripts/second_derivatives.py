import numpy as np
import tensorflow as tf

tf.set_random_seed(2)
x = tf.placeholder_with_default(np.random.RandomState(1).rand(4, 3).astype('f'), [None, 3])
h = tf.layers.dense(x, 5, tf.nn.softplus, name='h')
y = tf.layers.dense(h, 2, name='y')
loss = tf.reduce_mean(tf.square(y)) + tf.reduce_sum(tf.sin(h))
vs = tf.trainable_variables()
g = tf.gradients(loss, vs)


def hvp(ys, xs, vecs):
    gs = tf.gradients(ys, xs)
    return tf.gradients([tf.reduce_sum(q * tf.stop_gradient(w)) for q, w in zip(gs, vecs)], xs)


def rop(ys, xs, vs_):
    us = [tf.zeros_like(t) + 0.0 * t for t in ys]
    dysdx = tf.gradients(ys, xs, grad_ys=us)
    return tf.gradients(dysdx, us, grad_ys=vs_)


hv = hvp(loss, vs, [tf.ones_like(v) for v in vs])
jv = rop([y], [x], [tf.ones_like(x)])
J = tf.stack([tf.gradients(y[:, i], x)[0] for i in range(2)])
BJ = tf.transpose(J, [1, 0, 2])
H = tf.hessians(loss, [vs[0], vs[1]])
third = tf.gradients(tf.gradients(tf.gradients(tf.reduce_sum(x ** 4), x)[0], x)[0], x)[0]
double = tf.gradients(tf.reduce_sum(tf.square(tf.gradients(tf.reduce_sum(tf.nn.max_pool(tf.nn.conv2d(tf.reshape(x[:, :, None] * x[:, None, :], [1, 6, 6, 1]), tf.ones([2, 2, 1, 1]), [1] * 4, 'SAME'), [1, 2, 2, 1], [1, 2, 2, 1], 'SAME') ** 2), x)[0])), x)[0]
lap = tf.reduce_sum(tf.stack([tf.gradients(tf.gradients(y[:, 0], x)[0][:, i], x)[0][:, i] for i in range(3)], 1), 1)
mixed = tf.gradients(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=y, labels=[0, 1, 1, 0]), x)[0]
mixed2 = mixed
bn = tf.layers.batch_normalization(x, training=True, fused=False)
bn2 = tf.gradients(tf.reduce_sum(tf.square(tf.gradients(tf.reduce_sum(bn ** 3), x)[0])), x)[0]
loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * tf.tanh(a)), (0, x))[1]
lg = tf.gradients(loop, x)[0]
gs = tf.gradients(loss, h, stop_gradients=[h])
none = tf.gradients(loss, tf.constant(1.))
zero = tf.gradients(loss, [tf.constant(1.), x], unconnected_gradients=tf.UnconnectedGradients.ZERO)
gate = tf.gradients([loss, y], x, grad_ys=[tf.constant(2.), None], gate_gradients=True, name='gg', aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
print(J.shape, BJ.shape, [t.shape for t in H], none, zero[0].op.type, gate[0].name)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for name, t in [('g', g), ('hv', hv), ('jv', jv), ('J', J), ('BJ', BJ), ('H', H), ('third', third), ('double', double), ('lap', lap), ('mixed2', mixed2), ('bn2', bn2), ('lg', lg), ('gs', gs), ('zero', zero), ('gate', gate)]:
        out = sess.run(t)
        print(name, [np.round(np.sum(o), 3) for o in (out if isinstance(out, list) else [out])])
    err = tf.test.compute_gradient_error(x, [4, 3], y, [4, 2], x_init_value=np.random.RandomState(1).rand(4, 3).astype('f'))
    print(err < 1e-2)
for f in (lambda: tf.gradients(tf.gradients(loop, x)[0], x), lambda: tf.gradients(3, x), lambda: tf.gradients(tf.cast(loss, tf.int32), x), lambda: tf.gradients(loss, vs, grad_ys=[1, 2]), lambda: tf.gradients(tf.argmax(y, 1), x), lambda: tf.hessians(loss, []), lambda: tf.gradients(tf.complex(loss, loss), x)):
    try:
        print(f())
    except (TypeError, ValueError, LookupError, NotImplementedError) as e:
        print(type(e).__name__, str(e)[:100])
