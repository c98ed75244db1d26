"""Readers: the graphs that they build."""

from golden_case import Case


def case_readers(tf):
    q = tf.FIFOQueue(10, tf.string)
    made = []
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    for reader in (tf.TFRecordReader(), tf.TFRecordReader(name="zipped", options=options), tf.TextLineReader(skip_header_lines=1),
                   tf.WholeFileReader(), tf.FixedLengthRecordReader(3, 1, 2, 4, encoding="ZLIB"), tf.IdentityReader(name="id")):
        made += [reader.reader_ref.name, str(reader.supports_serialize), reader.read(q), reader.read_up_to(q.queue_ref, 3),
                 reader.num_records_produced(), reader.num_work_units_completed(), reader.reset()]
    return Case(made + [reader.serialize_state(), reader.restore_state("a", name="again")], graph_only=True)


def case_identity_reader(tf):
    q = tf.FIFOQueue(10, tf.string, shapes=[[]])
    reader = tf.IdentityReader()
    counts = [reader.num_records_produced(), reader.num_work_units_completed()]
    return Case(runs=[q.enqueue_many([["a", "b", "c", "d"]]), reader.read(q), counts, reader.read_up_to(q, 5), counts,
                      reader.serialize_state(), reader.reset(), counts, reader.restore_state(b"\x08\x03\x10\x03\x18\x07\"\x01a"),
                      counts, reader.read(q), counts])


def case_lmdb_reader(tf):
    q = tf.FIFOQueue(10, tf.string, shapes=[[]])
    reader = tf.LMDBReader("base")
    return Case([reader.reader_ref.name, str(reader.supports_serialize), reader.read(q), reader.read_up_to(q, 5),
                 reader.num_records_produced(), reader.num_work_units_completed(), reader.reset()], graph_only=True)
