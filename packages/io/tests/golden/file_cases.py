"""Files, and tensors as bytes."""

from golden_case import Case, raises, says


def _fed(build, *values):
    """One run of a string op per value."""
    def case(tf):
        x = tf.placeholder(tf.string, name="x")
        return Case(build(tf, x), feeds=[{x: v} for v in values], steps=len(values))
    return case


def case_tensors(tf):
    values = [tf.constant([[1.5, 2.5]]), tf.constant([1, 2, 3]), tf.constant(["a", "bc"]), tf.constant(True), tf.constant([], tf.int64),
              tf.constant([1.5], tf.float16), tf.constant([1 + 2j])]
    texts = [tf.serialize_tensor(v) for v in values]
    back = [tf.parse_tensor(t, v.dtype) for t, v in zip(texts, values)]
    return [texts, back, tf.io.parse_tensor(texts[0], tf.float32, name="named")]


case_parse_tensor_type = _fed(lambda tf, x: tf.parse_tensor(x, tf.int32), b"\x08\x01\x12\x04\x12\x02\x08\x01*\x04\x00\x00\x80?")
case_parse_tensor_vector = _fed(lambda tf, x: tf.parse_tensor(x, tf.int32), [b"", b""])
case_parse_tensor_empty = _fed(lambda tf, x: tf.parse_tensor(x, tf.float32), b"")
case_parse_tensor_short = _fed(lambda tf, x: tf.parse_tensor(x, tf.float32), b"\x08\x01\x12\x04\x12\x02\x08\x05\"\x04\x00\x00\x80?")


def case_parse_tensor_messages(tf):
    def run(text, dtype):
        with tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.parse_tensor(text, dtype))

    proto = tf.make_tensor_proto([1.0]).SerializeToString()
    return Case([
        says(r"Type mismatch between parsed tensor \(float\) and dtype \(uint16\)", run, proto, tf.uint16),
        says("Could not parse `serialized` as TensorProto: 'bogus'", run, "bogus", tf.uint16),
    ])


def case_files(tf):
    import os
    import tempfile
    path = os.path.join(tempfile.mkdtemp(), "deep", "er", "file")
    name = tf.placeholder(tf.string, [], name="name")
    contents = tf.placeholder(tf.string, name="contents")
    write = tf.write_file(name, contents)
    with tf.control_dependencies([write]):
        text = tf.io.read_file(name)
    pattern = tf.placeholder(tf.string, name="pattern")
    found = tf.size(tf.matching_files(pattern))
    return Case(runs=[(text, {name: path, contents: b"a\x00b"}), (found, {pattern: path + "*"}), (found, {pattern: [path + "?", path, "/nowhere_at_all*"]})], graph=False)


def case_read_missing(tf):
    return tf.read_file("/nowhere/at/all")


def case_read_directory(tf):
    return tf.read_file("/tmp")


def case_read_vector(tf):
    return {"error": raises(tf.read_file, ["/tmp"])}


def case_write_nowhere(tf):
    return Case(tf.write_file("/dev/null/x", "a"), graph=True)


def case_matching_none(tf):
    return tf.matching_files(["/nowhere_at_all*"])
