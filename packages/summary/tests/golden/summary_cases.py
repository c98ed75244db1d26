"""Summary ops: names, tags, families, collections and the summaries that they give."""

import numpy as np
from golden_case import Case, raises

NAN = float("nan")


def case_scalar(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    s = tf.summary.scalar("loss", x)
    with tf.name_scope("train"):
        inner = tf.summary.scalar("loss", x)
        again = tf.summary.scalar("loss", 2.5)
        other = tf.summary.scalar("a b/c$", tf.constant(3))
        family = tf.summary.scalar("loss", x, family="f/g h", collections=["mine"])
    return Case({"s": s, "inner": inner, "again": again, "other": other, "family": family}, feeds={x: 1.25})


def case_scalar_kinds(tf):
    kinds = [tf.float64, tf.float16, tf.int32, tf.int64, tf.uint8, tf.int8, tf.bfloat16]
    return [tf.summary.scalar("v", tf.cast(7, kind)) for kind in kinds]


def case_scalar_special(tf):
    return [tf.summary.scalar("v", v) for v in (NAN, float("inf"), -float("inf"), 1e-45)]


def case_scalar_shapes(tf):
    unknown = tf.placeholder(tf.float32)
    return Case(tf.summary.scalar("v", unknown), feeds={unknown: [1.0]})


def case_scalar_one_element(tf):
    unknown = tf.placeholder(tf.float32)
    return Case(tf.summary.scalar("v", unknown), feeds={unknown: 1.0})


def case_scalar_static_vector(tf):
    return {"error": raises(lambda: tf.summary.scalar("v", [1.0, 2.0]))}


def case_raw_scalar(tf):
    return [tf.raw_ops.ScalarSummary(tags=["a", "b"], values=[1.0, 2.0]), tf.raw_ops.ScalarSummary(tags=[["a"]], values=[[3]])]


def case_histogram(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    h = tf.summary.histogram("weights", x)
    with tf.name_scope("deep"):
        inner = tf.summary.histogram("weights/of it", x, family="fam")
    return Case([h, inner], feeds={x: [[1, -2, 0.5], [1e-13, 1e21, -1e21]]})


def case_histogram_values(tf):
    values = [
        [], [0.0], [0.0, 0.0], [1.0], [-1.0], [1e-12, -1e-12], [1e-40], [3.4e38, -3.4e38], list(range(-50, 50)),
        list(np.linspace(-1e3, 1e3, 777)), [1e-12 * 1.1 ** k for k in range(40)], [1.0] * 10,
    ]
    return [tf.summary.histogram("h", tf.constant(v, tf.float32)) for v in values]


def case_histogram_kinds(tf):
    kinds = [tf.float64, tf.float16, tf.int32, tf.int64, tf.uint8, tf.int8, tf.bfloat16]
    return [tf.summary.histogram("h", tf.cast([0, 1, 5, 100], kind)) for kind in kinds]


def case_histogram_nan(tf):
    return tf.summary.histogram("h", [1.0, NAN])


def case_histogram_inf(tf):
    return tf.summary.histogram("h", [1.0, float("inf")])


def case_histogram_minus_inf(tf):
    return tf.summary.histogram("h", [1.0, -float("inf")])


def case_image(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5, 3], name="x")
    s = tf.summary.image("picture", x)
    with tf.name_scope("deep"):
        inner = tf.summary.image("a/b", x, max_outputs=1, family="fam")
    return Case([s, inner], feeds={x: np.linspace(-1, 2, 120).reshape(2, 4, 5, 3)}, values=False)


def case_audio(tf):
    x = tf.placeholder(tf.float32, [None, 6, 2], name="x")
    s = tf.summary.audio("sound", x, 8000.0, max_outputs=2)
    with tf.name_scope("deep"):
        inner = tf.summary.audio("sound", x[:, :, :1], tf.constant(44100.0), max_outputs=1, family="fam")
    mono = tf.summary.audio("mono", x[:, :, 0], 100)
    return Case([s, inner, mono], feeds={x: np.linspace(-2, 2, 36).reshape(3, 6, 2)})


def case_text(tf):
    s = tf.summary.text("notes", tf.constant(["a", "b"]))
    with tf.name_scope("deep"):
        inner = tf.summary.text("notes", tf.constant("c"), collections=["mine"])
    return [s, inner]


def case_text_wrong_kind(tf):
    return {"error": raises(lambda: tf.summary.text("notes", tf.constant(1.0)))}


def case_tensor_summary(tf):
    plain = tf.summary.tensor_summary("t", tf.constant([[1.0, 2.0]]))
    with tf.name_scope("deep"):
        named = tf.summary.tensor_summary("t", tf.constant([1, 2]), display_name="shown", family="fam", collections=["mine"])
        described = tf.summary.tensor_summary("u", tf.constant("text"), summary_description="what it is")
    return [plain, named, described]


def case_merge(tf):
    a, b = tf.summary.scalar("a", 1.0), tf.summary.histogram("b", [1.0, 2.0])
    merged = tf.summary.merge([a, b], collections=["mine"], name="both")
    everything = tf.summary.merge_all()
    return [merged, everything, tf.summary.merge_all(key="none"), tf.summary.merge_all(key="mine", name="named")]


def case_merge_all_scope(tf):
    tf.summary.scalar("a", 1.0)
    with tf.name_scope("deep"):
        tf.summary.scalar("b", 2.0)
    return tf.summary.merge_all(scope="deep")


def case_merge_same_tag(tf):
    with tf.name_scope("one"):
        a = tf.raw_ops.ScalarSummary(tags="same", values=1.0)
        b = tf.raw_ops.ScalarSummary(tags="same", values=2.0)
    return tf.summary.merge([a, b])


def case_merge_junk(tf):
    return tf.summary.merge([tf.constant(b"\xff\xff")])


def case_names(tf):
    s = [tf.summary.scalar(n, 1.0).name for n in ("a:b", "tag with spaces", "x//y", "/x", "a.b-c")]
    return {"names": s}


def case_refused_names(tf):
    return [raises(lambda n=n: tf.summary.scalar(n, 1.0)) for n in ("-lead", "", None, 3)]


def case_session_writer(tf):
    session = tf.Session()
    writer = tf.summary.FileWriter("/tmp/ossia-golden-writer", session=session, filename_suffix=".sfx", max_queue=3, flush_secs=7)
    tf.summary.FileWriter("/tmp/ossia-golden-writer", session=session)
    return Case({"logdir": writer.get_logdir()}, graph_only=True)


def case_v2_summaries(tf):
    return {"ops": tf.summary.all_v2_summary_ops(), "error": raises(tf.summary.initialize)}
