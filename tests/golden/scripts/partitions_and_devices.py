import numpy as np
import tensorflow as tf
from tensorflow.python.ops import partitioned_variables
from tensorflow.python.training import device_setter

cluster = tf.train.ClusterSpec({'ps': ['localhost:2222', 'localhost:2223'], 'worker': ['localhost:2224', 'localhost:2225']})
print(cluster.jobs, cluster.num_tasks('ps'), cluster.task_address('worker', 1), cluster.as_dict(), cluster.job_tasks('ps'), bool(cluster))
with tf.Graph().as_default() as g:
    tf.set_random_seed(7)
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device='/job:worker/task:0')):
        a = tf.get_variable('a', [4])
        b = tf.get_variable('b', [4])
        emb = tf.get_variable('emb', [7, 3], partitioner=tf.fixed_size_partitioner(3))
        gs = tf.train.get_or_create_global_step()
        s = a + b
        look = tf.nn.embedding_lookup(emb, [0, 3, 6], partition_strategy='mod')
        look_div = tf.nn.embedding_lookup(emb, [0, 3, 6], partition_strategy='div')
        loss = tf.reduce_sum(tf.square(look)) + tf.reduce_sum(s * s)
        opt = tf.train.SyncReplicasOptimizer(tf.train.AdagradOptimizer(0.1), replicas_to_aggregate=1, total_num_replicas=1)
        train = opt.minimize(loss, gs)
        hook = opt.make_session_run_hook(is_chief=True, num_tokens=0)
    for v in tf.global_variables():
        print(v.name, v.shape.as_list(), v.device, v._get_save_slice_info().spec if v._get_save_slice_info() else None)
    print(s.device, look.device, train.device, [type(x).__name__ for x in emb], emb.get_shape(), emb.dtype, len(emb))
with tf.Graph().as_default():
    greedy = tf.contrib.training.GreedyLoadBalancingStrategy(2, tf.contrib.training.byte_size_load_fn) if False else None
    with tf.device(tf.train.replica_device_setter(ps_tasks=3, ps_device='/job:params', merge_devices=True, ps_ops=['Variable', 'VariableV2', 'VarHandleOp'])):
        vs = [tf.Variable(tf.zeros([i + 1]), name='v%d' % i, use_resource=i % 2 == 1) for i in range(4)]
        with tf.device('/cpu:0'):
            c = tf.constant(1.) + 1.
        print([v.device for v in vs], c.device)
    with tf.device('/job:x/task:1'), tf.device('/gpu:3'), tf.device(None):
        print(repr(tf.constant(1).device))
    with tf.device('/job:x'), tf.device('/task:2/gpu:1'):
        d = tf.constant(2)
        print(d.device, tf.DeviceSpec.from_string(d.device).task, tf.DeviceSpec(job='w', device_type='GPU', device_index=0).to_string())
    with tf.device(lambda op: '/job:fn/task:%d' % len(op.inputs)):
        print((tf.constant(1) + 2).device)
    with tf.colocate_with(d):
        print(tf.identity(3).op.colocation_groups(), tf.identity(3).device)
with tf.Graph().as_default() as g:
    tf.set_random_seed(2)
    with tf.variable_scope('deep', partitioner=tf.variable_axis_size_partitioner(max_shard_bytes=40, axis=0, max_shards=3)) as vs:
        big = tf.get_variable('big', [8, 2], initializer=tf.random_normal_initializer(seed=2), regularizer=lambda t: tf.nn.l2_loss(t) * .1)
        whole = tf.get_variable('one', [1], partitioner=None)
        with tf.variable_scope('in', partitioner=tf.fixed_size_partitioner(2, axis=1)):
            wide = tf.get_variable('wide', [2, 5], initializer=tf.glorot_uniform_initializer(seed=1))
    created = tf.create_partitioned_variables([4, 2], [2, 1], tf.truncated_normal_initializer(seed=1), name='made')
    print(type(big).__name__, [v.name for v in big], [v.shape.as_list() for v in wide], type(whole).__name__, [v.name for v in created], vs.partitioner is not None)
    out = tf.matmul(tf.convert_to_tensor(big), tf.convert_to_tensor(wide))
    reg = tf.losses.get_regularization_loss()
    loss = tf.reduce_mean(out ** 2) + reg
    train = tf.train.AdamOptimizer(.1).minimize(loss)
    saver = tf.train.Saver()
    with tf.variable_scope('deep', reuse=True, partitioner=tf.fixed_size_partitioner(4)):
        try:
            tf.get_variable('big', [8, 2])
        except ValueError as e:
            print(str(e)[:130])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            print('%.5f' % sess.run([loss, train])[0])
        print(sess.run(big.as_tensor()).sum(), sess.run(list(wide))[1].shape, big._get_partitions() if hasattr(big, '_get_partitions') else '')
        saver.save(sess, './part')
    print(tf.train.list_variables('./part')[:4], len(tf.train.list_variables('./part')))
with tf.Graph().as_default():
    merged = tf.get_variable('deep/big', [8, 2])
    with tf.Session() as sess:
        tf.train.Saver([merged]).restore(sess, './part')
        print(sess.run(merged).sum())
