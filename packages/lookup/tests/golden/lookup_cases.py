"""Tables filled from text files, and what their builders refuse."""

from golden_case import Case, raises


def table(tf, default=-1, **options):
    index = tf.lookup.TextFileIndex
    init = tf.lookup.TextFileInitializer("no/such/file.txt", tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER, **options)
    return tf.lookup.StaticHashTable(init, default)


def case_missing_file(tf):
    return Case([table(tf).lookup(tf.constant(["a"]))], init=True)


def case_not_filled(tf):
    t = table(tf)
    tf.get_collection_ref(tf.GraphKeys.TABLE_INITIALIZERS).clear()
    return t.lookup(tf.constant(["a"]))


def case_size_before(tf):
    t = table(tf, vocab_size=3, delimiter=",", name="named")
    tf.get_collection_ref(tf.GraphKeys.TABLE_INITIALIZERS).clear()
    return t.size()


def case_refused(tf):
    t, index, init = table(tf), tf.lookup.TextFileIndex, tf.lookup.TextFileInitializer
    pairs = tf.lookup.KeyValueTensorInitializer
    tf.tables_initializer()
    return [raises(t.lookup, tf.constant([1])), raises(init, "f", tf.string, index.LINE_NUMBER, tf.int64, 0), raises(init, "f", tf.string, 0, tf.int64, 0),
            raises(init, "f", tf.string, 0, tf.int64, index.LINE_NUMBER, vocab_size=0), raises(tf.lookup.StaticHashTable, pairs(["a"], [1.0]), "x")]


def case_none(tf):
    return [tf.tables_initializer(name="fill")]
