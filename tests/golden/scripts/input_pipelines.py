import os
import numpy as np
import tensorflow as tf

os.makedirs('in')
for k in range(3):
    with open('in/f%d.csv' % k, 'w') as f:
        f.write('name,a,b\n')
        for i in range(4):
            f.write('n%d,%d,%.1f\n' % (i, 10 * k + i, i / 2.0))
with open('in/fixed.bin', 'wb') as f:
    f.write(np.arange(24, dtype=np.uint8).tobytes())
with open('in/whole.txt', 'w') as f:
    f.write('hello\nthere')


def run_all(build, limit=20):
    with tf.Graph().as_default():
        tf.set_random_seed(11)
        fetch = build()
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            n = 0
            try:
                while n < limit and not coord.should_stop():
                    print(sess.run(fetch))
                    n += 1
            except tf.errors.OutOfRangeError:
                print('epoch over', n)
            except Exception as e:
                coord.request_stop(e)
            finally:
                coord.request_stop()
                coord.join(threads, stop_grace_period_secs=5)


def csv():
    q = tf.train.string_input_producer(tf.train.match_filenames_once('in/*.csv'), num_epochs=1, shuffle=False)
    reader = tf.TextLineReader(skip_header_lines=1)
    key, value = reader.read(q)
    name, a, b = tf.decode_csv(value, record_defaults=[[''], [0], [0.0]])
    return tf.train.batch([key, name, a, b], 5, allow_smaller_final_batch=True)


def read_up_to():
    q = tf.train.string_input_producer(['in/f0.csv', 'in/f1.csv'], num_epochs=1, shuffle=False)
    keys, values = tf.TextLineReader(skip_header_lines=1).read_up_to(q, 3)
    cols = tf.decode_csv(values, [['x'], tf.constant([1], tf.int32), [1.0]])
    return tf.train.batch(cols, 4, enqueue_many=True)


def fixed():
    q = tf.train.string_input_producer(['in/fixed.bin'], num_epochs=1)
    key, value = tf.FixedLengthRecordReader(record_bytes=6, header_bytes=2, footer_bytes=4).read(q)
    raw = tf.decode_raw(value, tf.uint8)
    raw.set_shape([6])
    label, rest = tf.cast(tf.strided_slice(raw, [0], [1]), tf.int32), tf.strided_slice(raw, [1], [6])
    return tf.train.batch([key, label, rest], 2)


def whole():
    reader = tf.WholeFileReader()
    q = tf.train.string_input_producer(['in/whole.txt'], num_epochs=2, shuffle=False)
    key, value = reader.read(q)
    return key, tf.string_split([value], '\n').values, reader.num_records_produced(), reader.num_work_units_completed()


def slices():
    images = tf.constant(np.arange(12).reshape(6, 2))
    a, b = tf.train.slice_input_producer([images, tf.constant(list('abcdef'))], num_epochs=2, shuffle=False)
    return tf.train.batch_join([[a, b], [a, b]], 4, allow_smaller_final_batch=False) if False else tf.train.batch([a, b], 4)


def shuffled():
    i = tf.train.range_input_producer(8, num_epochs=1, shuffle=True, seed=3).dequeue()
    q = tf.train.input_producer(tf.constant([1.5, 2.5, 3.5]), num_epochs=1, shuffle=True, seed=9)
    return i, q.dequeue()


def maybe():
    i = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    return tf.train.maybe_batch([i, i * i], tf.equal(i % 3, 0), 2, allow_smaller_final_batch=True)


def buckets():
    q = tf.FIFOQueue(20, [tf.int32])
    tf.train.add_queue_runner(tf.train.QueueRunner(q, [q.enqueue_many([[1, 2, 3, 4]])]))
    x = q.dequeue()
    return tf.fill([x], x), q.size() >= 0


def bad():
    q = tf.train.string_input_producer(['in/none.csv'], num_epochs=1)
    return tf.TextLineReader().read(q)


for f in (csv, read_up_to, fixed, whole, slices, shuffled, maybe):
    print(f.__name__)
    run_all(f)
run_all(buckets, 5)
try:
    run_all(bad)
except tf.errors.NotFoundError as e:
    print('NotFound', e.op.type)
