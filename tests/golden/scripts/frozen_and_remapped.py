import os
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_util
from tensorflow.python.platform import gfile

tf.set_random_seed(4)
x = tf.placeholder(tf.float32, [None, 8, 8, 3], name='input')
is_training = tf.placeholder_with_default(False, [], name='is_training')
net = tf.layers.conv2d(x, 4, 3, padding='same', name='conv1')
net = tf.layers.batch_normalization(net, training=is_training, fused=True, name='bn1')
net = tf.nn.relu6(net)
net = tf.layers.separable_conv2d(net, 6, 3, strides=2, padding='same', activation=tf.nn.relu6, name='sep2')
net = tf.layers.dropout(net, 0.4, training=is_training)
net = tf.reduce_mean(net, [1, 2], name='global_pool')
logits = tf.layers.dense(net, 3, name='logits')
probs = tf.nn.softmax(logits, name='probs')
y = tf.placeholder(tf.int64, [None], name='y')
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
with tf.control_dependencies(update_ops):
    train = tf.train.RMSPropOptimizer(0.01).minimize(loss)
rng = np.random.RandomState(2)
data = rng.rand(5, 8, 8, 3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print(sess.run([train, loss], {x: data, y: [0, 1, 2, 0, 1], is_training: True})[1])
    before = sess.run(probs, {x: data})
    graph_def = tf.get_default_graph().as_graph_def()
    for v in tf.trainable_variables():
        print(v)
    out = graph_util.convert_variables_to_constants(sess, graph_def, ['probs'])
    out2 = graph_util.remove_training_nodes(out, protected_nodes=['probs'])
    sub = graph_util.extract_sub_graph(graph_def, ['conv1/BiasAdd'])
    print(len(out.node), len(out2.node), [n.name for n in sub.node])
    with tf.gfile.GFile('frozen.pb', 'wb') as f:
        f.write(out.SerializeToString())
    tf.train.write_graph(sess.graph, '.', 'graph.pbtxt', as_text=True)
    tf.train.write_graph(out2, 'd', 'graph.pb', as_text=False)

g = tf.Graph()
with g.as_default():
    with gfile.FastGFile('frozen.pb', 'rb') as f:
        gd = tf.GraphDef()
        gd.ParseFromString(f.read())
    raw = tf.placeholder(tf.uint8, [None, 8, 8, 3], name='raw')
    scaled = tf.cast(raw, tf.float32) / 255.
    for node in gd.node:
        if node.op == 'RefSwitch':
            node.op = 'Switch'
    p, pool = tf.import_graph_def(gd, input_map={'input:0': scaled, 'is_training:0': tf.constant(False)},
                                  return_elements=['probs:0', 'global_pool'], name='served')
    print(p, pool.type, pool.name)
    again = tf.import_graph_def(gd, {'input': tf.zeros([2, 8, 8, 3])}, ['probs:0'])
    print(again)
with tf.Session(graph=g) as sess:
    a = sess.run(p, {raw: (data * 255).astype(np.uint8)})
    print(np.abs(a - before).max() < 0.02, sess.run(again)[0].shape)
    print(sess.run('served/conv1/BiasAdd:0', {scaled: data}).mean())
    print([op.name for op in g.get_operations() if op.type == 'Const'][:6])
    for t in ('served/probs:0', g.get_operation_by_name('served/logits/MatMul').outputs[0]):
        print(g.as_graph_element(t))
with tf.Graph().as_default():
    tf.import_graph_def(gd)
    print(tf.get_default_graph().get_tensor_by_name('import/probs:0'))
