"""Writers that belong to a graph: its nodes are the original's, and the events are in the files."""

from pathlib import Path

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "resource_writer_cases.py")


def values(folder):
    [path] = Path(folder).iterdir()
    return [(event.step, value) for event in tf.train.summary_iterator(str(path)) for value in event.summary.value]


def test_events_of_contrib(tmp_path):
    summary = tf.contrib.summary
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.create_global_step()
        with summary.create_file_writer(str(tmp_path)).as_default(), summary.record_summaries_every_n_global_steps(2):
            summary.scalar("loss", tf.cast(step, tf.float32) * 10)
            session.run(tf.global_variables_initializer())
            summary.initialize(session=session)
            for _ in range(4):
                session.run(summary.all_summary_ops())
                session.run(tf.assign_add(step, 1))
            session.run(summary.flush())
    assert [(step, value.tag, value.simple_value) for step, value in values(tmp_path)] == [
        (0, "loss", 0.0), (2, "loss", 20.0)
    ]


def test_events_of_the_second_version(tmp_path):
    summary = tf.compat.v2.summary
    with tf.Graph().as_default(), tf.Session() as session:
        writer = summary.create_file_writer(str(tmp_path))
        with writer.as_default():
            made = [
                summary.scalar("number", 2, step=5), summary.text("text", "words", step=5),
                summary.histogram("spread", [1.0, 2.0, 2.0], step=5, buckets=2),
                summary.image("picture", tf.zeros([2, 3, 4, 3]), step=5),
            ]
        session.run(writer.init())
        assert session.run(made) == [True] * 4
        session.run(writer.close())
    found = {value.tag: value for step, value in values(tmp_path) if step == 5}
    plugins = {tag: value.metadata.plugin_data.plugin_name for tag, value in found.items()}
    assert plugins == {"number": "scalars", "text": "text", "spread": "histograms", "picture": "images"}
    assert tf.make_ndarray(found["number"].tensor) == 2
    assert tf.make_ndarray(found["spread"].tensor).tolist() == [[1.0, 1.5, 1.0], [1.5, 2.0, 2.0]]
    picture = tf.make_ndarray(found["picture"].tensor)
    assert picture[:2].tolist() == [b"4", b"3"] and picture[2].startswith(b"\x89PNG")


def test_refused(tmp_path):
    summary = tf.compat.v2.summary
    with tf.Graph().as_default(), summary.create_file_writer(str(tmp_path)).as_default():
        with pytest.raises(ValueError, match="No step set"):
            summary.scalar("a", 1.0)
        with pytest.raises(ValueError, match="scalar shape"):
            summary.scalar("a", [1.0], step=1)
        with pytest.raises(NotImplementedError):
            summary.audio("a", [[0.0]], 8)
    with pytest.raises(ValueError, match="logdir"):
        summary.create_file_writer(None)


def test_traces_say_that_they_need_eager_execution(caplog):
    tf.compat.v2.summary.trace_on(graph=True, profiler=True)
    tf.compat.v2.summary.trace_export("run", step=1)
    tf.compat.v2.summary.trace_off()
    assert [record.getMessage() for record in caplog.records] == [
        "Must enable trace in eager mode.", "Can only export trace while executing eagerly.",
    ]
