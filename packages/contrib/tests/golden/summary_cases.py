"""Summaries of `tf.contrib.summary`: the graph that writes them."""


def case_written(tf):
    summary = tf.contrib.summary
    tf.train.get_or_create_global_step()
    writer = summary.create_file_writer("/tmp/ossia-summary-cases", flush_millis=1000)
    with writer.as_default(), summary.always_record_summaries():
        summary.scalar("x", tf.constant(1.0))
        summary.histogram("h", tf.constant([1.0, 2.0]), step=tf.constant(3, tf.int64))
        with tf.name_scope("inner"):
            summary.scalar("x", tf.constant(2.0), family="f", step=4)
        summary.audio("sound", tf.zeros([1, 5]), 10.0, 1)
        summary.graph(tf.constant("g"), 0)
        summary.import_event(tf.constant("e"))
    with writer.as_default(), summary.record_summaries_every_n_global_steps(5):
        summary.image("image", tf.zeros([1, 2, 2, 3]), max_images=1)
        summary.generic("tensor", tf.constant(2))
    summary.flush(writer), writer.close(), summary.should_record_summaries()
    return [each.name for each in summary.all_summary_ops()] + [each.name for each in summary.summary_writer_initializer_op()] + [summary.eval_dir("/a"), summary.eval_dir("/a", "b")]


def case_not_recorded(tf):
    summary = tf.contrib.summary
    none = summary.create_file_writer(None)
    with none.as_default(), summary.always_record_summaries():
        first = summary.scalar("a", 1.0).name
    writer = summary.create_file_writer("/tmp/ossia-summary-cases", 5, 100, ".x", name="shared")
    tf.train.get_or_create_global_step()
    with writer.as_default():
        second = summary.scalar("b", 1.0).name
    return [first, second, len(summary.all_summary_ops())]
