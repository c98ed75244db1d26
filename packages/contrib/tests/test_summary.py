"""Summaries that the graph writes: its ops are those of TensorFlow 1.15.5, and the file has them."""

import glob

from ossia_testkit.golden import golden_tests

test_summary = golden_tests(__file__, "summary_cases.py")


def test_the_file_has_what_was_recorded(tmp_path):
    import ossia as tf

    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    writer = summary.create_file_writer(str(tmp_path))
    value = tf.placeholder(tf.float32, [])
    with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
        written = summary.scalar("x", value)
        with tf.control_dependencies([written]):
            forward = tf.assign_add(step, 1)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            summary.initialize(session=session)
            for number in range(5):
                session.run([forward, summary.all_summary_ops()], {value: number})
            session.run(writer.flush())
    [path] = glob.glob(str(tmp_path / "*.v2"))
    events = [event for event in tf.train.summary_iterator(path) if event.HasField("summary")]
    found = [(event.step, event.summary.value[0].simple_value) for event in events]
    assert found == [(0, 0.0), (2, 2.0), (4, 4.0)]
