import os
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
X, Y = rng.rand(12, 5), rng.randint(0, 3, 12)


def base():
    tf.set_random_seed(5)
    x = tf.placeholder(tf.float32, [None, 5], name='x')
    y = tf.placeholder(tf.int32, [None], name='y')
    with tf.variable_scope('features'):
        h = tf.layers.dense(x, 6, tf.nn.tanh, name='fc1', kernel_regularizer=lambda w: 1e-3 * tf.nn.l2_loss(w))
        h = tf.layers.dense(h, 4, tf.nn.tanh, name='fc2')
    with tf.variable_scope('head', partitioner=tf.fixed_size_partitioner(2)):
        w = tf.get_variable('w', [4, 3])
        logits = tf.matmul(h, w, name='logits')
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + tf.losses.get_regularization_loss()
    loss = tf.identity(loss, name='total')
    gs = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.05, name='adam_a').minimize(loss, gs, name='train_op')
    tf.add_to_collection('train_op', train)
    tf.add_to_collection('my_things', h)
    tf.add_to_collection('names', 'a string')
    return x, y, loss, train


x, y, loss, train = base()
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print(sess.run([loss, train], {x: X, y: Y})[0])
    print(saver.save(sess, './m/base', global_step=tf.train.get_global_step()))
    saver.export_meta_graph('./m/exported.meta', collection_list=['train_op'], as_text=False)
    tf.train.export_meta_graph('./m/cleared.meta', clear_devices=True)

tf.reset_default_graph()
with tf.Session() as sess:
    tf.set_random_seed(9)
    new_saver = tf.train.import_meta_graph('./m/base-3.meta')
    new_saver.restore(sess, tf.train.latest_checkpoint('./m/'))
    g = tf.get_default_graph()
    print(tf.get_collection('train_op'), tf.get_collection('names'), sorted(g.get_all_collection_keys()))
    op = tf.get_collection('train_op')[0]
    print(sess.run(['total:0', op], {'x:0': X, 'y:0': Y})[0])
    feats = tf.stop_gradient(tf.get_collection('my_things')[0])
    new_logits = tf.layers.dense(feats, 2, name='new_head')
    new_loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=new_logits, labels=g.get_tensor_by_name('y:0') % 2))
    only = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, 'new_head')
    ft = tf.train.MomentumOptimizer(0.1, 0.9).minimize(new_loss, var_list=only)
    uninit = [v for v in tf.global_variables() if v.op.name.encode() in set(sess.run(tf.report_uninitialized_variables()))]
    print([v.name for v in uninit])
    sess.run(tf.variables_initializer(uninit))
    for _ in range(2):
        print(sess.run([new_loss, ft], {'x:0': X, 'y:0': Y})[0])
    tf.train.Saver(only + [tf.get_default_graph().get_tensor_by_name('features/fc1/kernel:0')] if False else only).save(sess, './m/head')

tf.reset_default_graph()
with tf.Graph().as_default():
    reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint('./m', latest_filename='checkpoint'))
    print(sorted(reader.get_variable_to_shape_map().items()))
    reader = tf.train.NewCheckpointReader('./m/base-3')
    shapes = reader.get_variable_to_shape_map()
    for k in sorted(shapes):
        print(k, shapes[k], reader.get_variable_to_dtype_map()[k].name, reader.has_tensor(k))
    with tf.variable_scope('other'):
        k1 = tf.get_variable('k1', [5, 6])
        w = tf.get_variable('w', [4, 3], partitioner=tf.fixed_size_partitioner(2))
        missing = tf.get_variable('missing', [2])
    s = tf.train.Saver({'features/fc1/kernel': k1, 'head/w': w})
    with tf.Session() as sess:
        s.restore(sess, './m/base-3')
        print(np.allclose(sess.run(k1), reader.get_tensor('features/fc1/kernel')), sess.run(tf.convert_to_tensor(w)).shape)
        try:
            tf.train.Saver([missing]).restore(sess, './m/base-3')
        except tf.errors.NotFoundError as e:
            print('NotFound', 'other/missing' in str(e))
        try:
            tf.train.Saver({'head/w': k1}).restore(sess, './m/base-3')
        except tf.errors.InvalidArgumentError as e:
            print('Invalid')
        try:
            sess.run(missing)
        except tf.errors.FailedPreconditionError as e:
            print(e.message.split('\n')[0], e.error_code)
