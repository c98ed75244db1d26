import numpy as np
import tensorflow as tf

tf.set_random_seed(87654321)
ops = [tf.random_normal([3], name='n'), tf.random_uniform([3], seed=4), tf.random_uniform([3], 0, 10, tf.int32), tf.truncated_normal([3], 1., 2., tf.float64), tf.random_shuffle(tf.range(6)), tf.random_gamma([2], [1., 2.]),
       tf.random_poisson([1., 5.], [3]), tf.multinomial(tf.log([[0.2, 0.3, 0.5]]), 6), tf.random.categorical(tf.log([[0.5, 0.5]]), 5, dtype=tf.int32), tf.random_crop(tf.reshape(tf.range(16), [4, 4]), [2, 2]), tf.nn.dropout(tf.ones([2, 4]), 0.5),
       tf.nn.dropout(tf.ones([2, 4]), rate=0.25, noise_shape=[2, 1]), tf.random.stateless_normal([2], [1, 2]), tf.random.stateless_uniform([2], [3, 4], dtype=tf.float64), tf.random.stateless_truncated_normal([2], [5, 6]),
       tf.nn.log_uniform_candidate_sampler([[1]], 1, 4, True, 20)[0], tf.nn.uniform_candidate_sampler([[1]], 1, 4, False, 20, seed=3)[0], tf.nn.learned_unigram_candidate_sampler([[1]], 1, 4, False, 20)[0]]
inits = [tf.glorot_uniform_initializer(), tf.variance_scaling_initializer(2., 'fan_out'), tf.orthogonal_initializer(0.5), tf.uniform_unit_scaling_initializer(1.3), tf.truncated_normal_initializer(0., .2), tf.random_uniform_initializer(-1, 1),
         tf.initializers.he_uniform(), tf.initializers.lecun_uniform(seed=3), tf.initializers.identity(2.), tf.random_normal_initializer(1., 2., dtype=tf.float64), tf.initializers.variance_scaling(mode='fan_avg', distribution='untruncated_normal')]
vs = [tf.get_variable('v%d' % i, [4, 4], initializer=init, dtype=getattr(init, 'dtype', tf.float32)) for i, init in enumerate(inits)]
conv = tf.get_variable('conv', [3, 3, 2, 4], initializer=tf.orthogonal_initializer(seed=1))
cd = tf.get_variable('cd', [3, 2, 4], initializer=tf.contrib.framework.convolutional_delta_orthogonal_initializer() if False else tf.glorot_normal_initializer())


@tf.custom_gradient
def noisy(x):
    return x + tf.random_normal(tf.shape(x), seed=1), lambda d: d


extra = noisy(tf.zeros([2]))
in_loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + tf.random_uniform([], seed=i if False else 9)), (0, 0.))[1]
in_cond = tf.cond(tf.constant(True), lambda: tf.random_normal([2]), lambda: tf.zeros([2]))
mapped = tf.map_fn(lambda x: x + tf.random_uniform([]), tf.zeros([3]), parallel_iterations=1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for k in range(2):
        for o in ops + [extra, in_loop, in_cond, mapped]:
            print(o.op.name, np.round(sess.run(o), 5).ravel().tolist())
    for v in vs + [conv, cd]:
        print(v.name, np.round(sess.run(v).ravel()[:5], 5).tolist())
with tf.Session() as sess:
    print(sess.run([ops[0], ops[1], ops[2]]))
with tf.Graph().as_default():
    a, b = tf.random_uniform([2], seed=1), tf.random_uniform([2], seed=1)
    with tf.Session() as s1:
        x1 = s1.run([a, b])
    with tf.Session() as s2:
        print(np.allclose(x1, s2.run([a, b])), np.allclose(x1[0], x1[1]), x1[0])
print(tf.get_seed(None), tf.get_seed(5))
tf.set_random_seed(0)
print(tf.get_seed(0), tf.get_default_graph().seed)
