"""Summaries that ops write."""
import tempfile


def case_written(tf):
    summary = tf.contrib.summary
    tf.train.create_global_step()
    with summary.create_file_writer("folder", max_queue=3, name="n").as_default(), summary.always_record_summaries():
        made = [summary.scalar("loss", tf.constant(1.5)), summary.histogram("h", tf.constant([1.0, 2.0]), step=5, family="f"), summary.image("im", tf.zeros([1, 2, 2, 3]), max_images=2),
                summary.generic("g", tf.constant([1])), summary.audio("a", tf.zeros([1, 4, 1]), 8000.0, 1)]
    return [len(summary.all_summary_ops()), len(summary.summary_writer_initializer_op()), [each.name for each in made]]


def case_every_n_steps(tf):
    summary = tf.contrib.summary
    tf.train.create_global_step()
    with summary.create_file_writer("folder", name="n").as_default(), summary.record_summaries_every_n_global_steps(10):
        summary.scalar("loss", 2.0)
    return [summary.scalar("nothing", 2.0).type, summary.eval_dir("a", "b")]


def case_file(tf):
    with tf.Graph().as_default():
        return file_of(tf)


def file_of(tf):
    summary, folder = tf.contrib.summary, tempfile.mkdtemp()
    step = tf.train.create_global_step()
    writer = summary.create_file_writer(folder)
    writer.set_as_default()
    with summary.always_record_summaries():
        summary.scalar("step", tf.cast(step, tf.float32) * 2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        summary.initialize(session=session)
        for _ in range(3):
            session.run(summary.all_summary_ops())
            session.run(tf.assign_add(step, 1))
        session.run(writer.flush())
    (path,) = tf.gfile.Glob(folder + "/*")
    summary.create_file_writer(None).set_as_default()
    return [(event.step, [(value.tag, value.simple_value) for value in event.summary.value]) for event in tf.train.summary_iterator(path)]
