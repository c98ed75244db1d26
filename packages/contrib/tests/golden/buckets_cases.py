"""Buckets of `tf.contrib.training`: graphs and queue runners."""


def runners(tf):
    return [[each.name, [op.name for op in each.enqueue_ops], each.close_op.name, each.cancel_op.name] for each in tf.get_collection("queue_runners")]


def case_by_length(tf):
    x = tf.placeholder(tf.float32, [None])
    length, [batch] = tf.contrib.training.bucket_by_sequence_length(tf.placeholder(tf.int32, []), [x], 4, [5, 8], capacity=16, dynamic_pad=True)
    return [length.name, batch.name, str(batch.shape)] + runners(tf)


def case_buckets(tf):
    training = tf.contrib.training
    number, batch = training.bucket([tf.placeholder(tf.float32, [2])], tf.placeholder(tf.int32, []), [4, 5], 2, keep_input=tf.placeholder(tf.bool, []), allow_smaller_final_batch=True, bucket_capacities=[7, 8], num_threads=2)
    second = training.bucket({"b": tf.constant(1), "a": tf.constant([2.0])}, 0, 2, 1)
    return [number.name, batch[0].name, str(batch[0].shape), sorted(second[1]), second[1]["a"].name] + runners(tf)


def case_boundaries_out_of_order(tf):
    return tf.contrib.training.bucket_by_sequence_length(tf.constant(1), [tf.constant(1)], 4, [8, 5])


def case_sizes_for_other_buckets(tf):
    return tf.contrib.training.bucket([tf.constant(1)], 0, [1, 2], 3)
