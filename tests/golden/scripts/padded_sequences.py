import numpy as np
import tensorflow as tf


def make(tokens, label, frames):
    ex = tf.train.SequenceExample()
    ex.context.feature["label"].int64_list.value.append(label)
    ex.context.feature["name"].bytes_list.value.append(('n%d' % label).encode())
    fl_tokens = ex.feature_lists.feature_list["tokens"]
    for t in tokens:
        fl_tokens.feature.add().int64_list.value.append(t)
    fl = ex.feature_lists.feature_list["frames"]
    for f in frames:
        fl.feature.add().float_list.value.extend(f)
    return ex


rng = np.random.RandomState(0)
opts = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
with tf.python_io.TFRecordWriter('seq.gz.tfrecords', options=opts) as w:
    for i in range(8):
        n = rng.randint(1, 6)
        w.write(make(rng.randint(1, 9, n), i, rng.rand(n, 2).tolist()).SerializeToString())
for i, s in enumerate(tf.python_io.tf_record_iterator('seq.gz.tfrecords', opts)):
    e = tf.train.SequenceExample.FromString(s)
    if i < 2:
        print(e.context.feature['label'].int64_list.value[0], len(e.feature_lists.feature_list['tokens'].feature))
tf.set_random_seed(1)
fq = tf.train.string_input_producer(['seq.gz.tfrecords'], shuffle=False, num_epochs=2)
_, ser = tf.TFRecordReader(options=opts).read(fq)
ctx, seq = tf.parse_single_sequence_example(ser, context_features={'label': tf.FixedLenFeature([], tf.int64), 'name': tf.FixedLenFeature([], tf.string), 'none': tf.VarLenFeature(tf.float32)},
                                            sequence_features={'tokens': tf.FixedLenSequenceFeature([], tf.int64), 'frames': tf.FixedLenSequenceFeature([2], tf.float32)})
length = tf.shape(seq['tokens'])[0]
pq = tf.PaddingFIFOQueue(20, [tf.int64, tf.int64, tf.float32, tf.int32], [[], [None], [None, 2], []], names=['label', 'tokens', 'frames', 'len'])
tf.train.add_queue_runner(tf.train.QueueRunner(pq, [pq.enqueue({'label': ctx['label'], 'tokens': seq['tokens'], 'frames': seq['frames'], 'len': length})], cancel_op=pq.close(cancel_pending_enqueues=True)))
batch = pq.dequeue_many(4)
emb = tf.get_variable('emb', [9, 3])
cell = tf.nn.rnn_cell.GRUCell(4)
inp = tf.concat([tf.nn.embedding_lookup(emb, batch['tokens']), batch['frames']], 2)
_, last = tf.nn.dynamic_rnn(cell, inp, batch['len'], dtype=tf.float32)
loss = tf.losses.sparse_softmax_cross_entropy(batch['label'] % 2, tf.layers.dense(last, 2))
train = tf.train.AdagradDAOptimizer(0.1, tf.train.create_global_step()).minimize(loss, tf.train.get_global_step())
rq = tf.RandomShuffleQueue(10, 2, tf.float32, [[]], seed=5)
pqr = tf.PriorityQueue(10, [tf.string], [[]])
with tf.train.MonitoredSession() as sess:
    try:
        while not sess.should_stop():
            l, n, k, _ = sess.run([loss, batch['len'], batch['label'], train])
            print('%.4f' % l, n.tolist(), k.tolist())
    except tf.errors.OutOfRangeError:
        print('never here')
print('end')
enq, many = rq.enqueue(3.0), rq.enqueue_many([[1., 2., 4., 8.]])
with tf.Session() as sess:
    sess.run([enq])
    sess.run(many)
    print(sess.run(rq.size()), sess.run(rq.dequeue_many(3)).tolist(), sess.run(rq.size()))
    sess.run(rq.close())
    print(sess.run(rq.dequeue_up_to(5)).tolist(), sess.run(rq.is_closed()))
    for t in (rq.dequeue(), enq):
        try:
            sess.run(t)
        except (tf.errors.OutOfRangeError, tf.errors.CancelledError) as e:
            print(type(e).__name__, 'closed' in e.message)
    sess.run(pqr.enqueue_many([tf.constant([3, 1, 2], tf.int64), ['c', 'a', 'b']]))
    print([sess.run(pqr.dequeue()) for _ in range(3)])
    q = tf.FIFOQueue.from_list(tf.constant(0), [tf.FIFOQueue(3, tf.int32, shapes=[()]), tf.FIFOQueue(3, tf.int32, shapes=[()])])
    sess.run(q.enqueue(4))
    print(sess.run(q.size()), q.dtypes, q.shapes, sess.run(q.dequeue()))
