"""Vocabularies of `tf.contrib.lookup`."""


def initialized(tf, outputs):
    with tf.control_dependencies([tf.tables_initializer()]):
        return [tf.identity(outputs()[0])]


def case_words_to_numbers(tf):
    table = tf.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]), num_oov_buckets=2)
    return initialized(tf, lambda: [table.lookup(tf.constant(["b", "a", "other"]))])


def case_numbers_to_words(tf):
    table = tf.contrib.lookup.index_to_string_table_from_tensor(["a", "b"], default_value="none")
    return initialized(tf, lambda: [table.lookup(tf.constant([1, 0, 7], tf.int64))])


def case_pairs(tf):
    lookup = tf.contrib.lookup
    table = lookup.HashTable(lookup.KeyValueTensorInitializer([1, 2], ["x", "y"], tf.int64, tf.string), "none")
    return initialized(tf, lambda: [table.lookup(tf.constant([2, 3], tf.int64))])


def case_file_without_name(tf):
    return tf.contrib.lookup.index_table_from_file()
