import os
import time
import numpy as np
import tensorflow as tf
from tensorflow.python.training import checkpoint_management
from tensorflow.python import pywrap_tensorflow


def ls(d):
    return sorted(f.replace('.data-00000-of-00001', '.data') for f in os.listdir(d))


a = tf.Variable([1., 2.], name='a')
b = tf.get_variable('scope/b', initializer=tf.constant([[3]], tf.int64))
s = tf.Variable(['x', 'yy'], name='strs')
c = tf.get_variable('c', [6, 2], partitioner=tf.variable_axis_size_partitioner(16), initializer=tf.random_uniform_initializer(seed=1))
r = tf.get_variable('res', [2], use_resource=True, initializer=tf.ones_initializer())
loc = tf.Variable(0, collections=[tf.GraphKeys.LOCAL_VARIABLES], name='loc')
bf = tf.Variable(tf.cast([1.5, 2.5], tf.bfloat16), name='half16')
h = tf.Variable(np.array([1, 2], np.float16), name='h')
bo = tf.Variable([True, False], name='flags')
print(type(c).__name__, [v.name for v in c], [v._save_slice_info.spec for v in c])
for d in 'pqrstuv':
    os.mkdir(d)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sv = tf.train.Saver(max_to_keep=3, name='first')
    for i in range(5):
        path = sv.save(sess, 'p/m', global_step=10 * i, latest_filename='ck_state', write_meta_graph=i == 4)
    print(path, ls('p'), sv.last_checkpoints)
    print(tf.train.get_checkpoint_state('p', 'ck_state').all_model_checkpoint_paths)
    print(tf.train.latest_checkpoint('p'), tf.train.latest_checkpoint('p', 'ck_state'))
    sv2 = tf.train.Saver([a, b], max_to_keep=0, pad_step_number=True)
    sv2.save(sess, 'q/m', 7)
    sv2.save(sess, os.path.join(os.getcwd(), 'q', 'm'), 8)
    print(ls('q'))
    sv3 = tf.train.Saver({'renamed/a': a, 'res': r}, sharded=True)
    print(sv3.save(sess, 'r/m', global_step=tf.Variable(3) if False else 3), ls('r'))
    sv4 = tf.train.Saver(write_version=tf.train.SaverDef.V1, var_list=[a, c])
    print(sv4.save(sess, 's/old.ckpt'), ls('s'))
    print(tf.train.checkpoint_exists('s/old.ckpt'), tf.train.checkpoint_exists('s/none'), tf.train.checkpoint_exists('p/m-40'))
    sess.run([a.assign([0, 0]), tf.assign(b, [[0]]), r.assign([5, 5])])
    sv4.restore(sess, 's/old.ckpt')
    sv3.restore(sess, 'r/m-3-?????-of-?????' if False else tf.train.latest_checkpoint('r'))
    print(sess.run([a, b, r]))
    with tf.variable_scope('', reuse=True):
        pass
    sv.restore(sess, 'p/m-20')
    print(sess.run(b))
    try:
        sv.restore(sess, None)
    except ValueError as e:
        print(e)
    try:
        sv.restore(sess, 'p/m-0')
    except (ValueError, tf.errors.NotFoundError) as e:
        print(type(e).__name__, str(e)[:60])
    try:
        sv.save(sess, 'nodir/deep/m')
    except (ValueError, tf.errors.OpError) as e:
        print(type(e).__name__, e)
    for bad in ([], {'k': 3}, [a, a], {'x': tf.constant(1)}, [tf.constant(2)]):
        try:
            tf.train.Saver(bad)
            print('fine')
        except (ValueError, TypeError) as e:
            print(type(e).__name__, str(e)[:90])
    mgr = tf.train.CheckpointManager(tf.train.Checkpoint(a=a, r=r), 't', max_to_keep=2) if hasattr(tf.train, 'CheckpointManager') and hasattr(tf.train, 'Checkpoint') and False else None
    for k, v in sorted(tf.train.list_variables('p/m-40')):
        print(k, v)
    print(tf.train.load_variable('p/m-40', 'c').shape, tf.train.load_checkpoint('p/m-40').get_tensor('strs'))
    rd = pywrap_tensorflow.NewCheckpointReader('s/old.ckpt')
    print(sorted(rd.get_variable_to_shape_map().items()))
    tf.train.update_checkpoint_state('u', 'u/z-3', ['u/z-1', 'u/z-2', 'u/z-3'])
    with open('u/checkpoint') as f:
        print(f.read())
    checkpoint_management.remove_checkpoint('p/m-30')
    print(ls('p'))
    st = tf.train.generate_checkpoint_state_proto('v', 'v/k', ['v/j'])
    print(st)
    d = sv.to_proto()
    print(d.max_to_keep, d.filename_tensor_name, d.save_tensor_name, d.restore_op_name, d.version)
    sv5 = tf.train.Saver(saver_def=d)
    print(sv5.save(sess, 'v/def'), ls('v'))
    sv5.set_last_checkpoints_with_time([('v/q', time.time())])
    sv5.recover_last_checkpoints(['v/def'])
    print(sv5.last_checkpoints)
    print(tf.train.Saver(allow_empty=True, var_list=[]).save(sess, 'v/nothing'))
