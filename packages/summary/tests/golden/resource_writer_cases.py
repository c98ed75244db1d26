"""`tf.contrib.summary` and `tf.compat.v2.summary`: the nodes of writers and of what writes to them."""

from golden_case import Case


def nodes(tf):
    graph = tf.get_default_graph()
    made = [[n.name, n.op, list(n.input), n.attr["shared_name"].s] for n in graph.as_graph_def().node]
    return Case([made, [x.name for key in ("_SUMMARY_WRITER_V2", "_SUMMARY_V2") for x in graph.get_collection(key)]],
                init=False, graph=False)


def case_always(tf):
    tf.train.get_or_create_global_step()
    summary = tf.contrib.summary
    with summary.create_file_writer("/nowhere", flush_millis=10).as_default(), summary.always_record_summaries():
        summary.scalar("loss", 1.0, family="f")
        summary.histogram("h", [1.0])
        summary.image("i", tf.zeros([1, 2, 2, 3]))
        summary.audio("a", tf.zeros([1, 4, 1]), 8, 1)
        summary.generic("g", tf.constant(1.0))
        summary.graph(tf.constant("x"))
        summary.import_event(tf.constant("e"))
    return nodes(tf)


def case_every_n_steps(tf):
    summary = tf.contrib.summary
    with summary.create_file_writer("/nowhere").as_default(), summary.record_summaries_every_n_global_steps(2):
        with tf.name_scope("inner"):
            summary.scalar("loss", 1.0)
    return nodes(tf)


def case_without_a_writer(tf):
    tf.contrib.summary.scalar("a", 1.0)
    tf.contrib.summary.should_record_summaries()
    tf.compat.v2.summary.write("t", 1.0, step=1)
    return nodes(tf)


def case_second_version(tf):
    summary = tf.compat.v2.summary
    writer = summary.create_file_writer("/nowhere")
    with writer.as_default(), summary.record_if(tf.placeholder(tf.bool, [])):
        summary.write("tag", 1.0, step=3)
        summary.experimental.set_step(tf.constant(1, tf.int64))
        summary.write("other", tf.constant(2.0))
        summary.experimental.set_step(None)
    writer.close()
    return nodes(tf)
