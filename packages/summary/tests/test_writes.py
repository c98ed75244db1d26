"""What ops that write summaries themselves leave in an event file."""

import numpy as np

import ossia as tf

STEP = np.int64(7)


def _events(tmp_path, make):
    with tf.Graph().as_default(), tf.Session() as session:
        writer = tf.raw_ops.SummaryWriter(shared_name="writer")
        session.run(
            tf.raw_ops.CreateSummaryFileWriter(
                writer=writer, logdir=str(tmp_path), max_queue=10, flush_millis=1000, filename_suffix=".v"
            )
        )
        session.run(make(writer))
        session.run(tf.raw_ops.CloseSummaryWriter(writer=writer))
    (path,) = tmp_path.iterdir()
    return list(tf.train.summary_iterator(str(path)))[1:]


def _value(events):
    (event,) = events
    assert event.step == 7 and event.wall_time > 1e9
    (value,) = event.summary.value
    return value


def test_a_number(tmp_path):
    value = _value(
        _events(tmp_path, lambda w: tf.raw_ops.WriteScalarSummary(writer=w, step=STEP, tag="loss", value=np.int64(3)))
    )
    assert (value.tag, value.simple_value) == ("loss", 3.0)


def test_a_tensor_with_metadata(tmp_path):
    metadata = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="text"))
    value = _value(
        _events(
            tmp_path,
            lambda w: tf.raw_ops.WriteSummary(
                writer=w, step=STEP, tensor=["a", "b"], tag="words", summary_metadata=metadata.SerializeToString()
            ),
        )
    )
    assert value.tag == "words" and value.metadata.plugin_data.plugin_name == "text"
    assert tf.make_ndarray(value.tensor).tolist() == [b"a", b"b"]


def test_no_metadata_is_none(tmp_path):
    value = _value(
        _events(
            tmp_path,
            lambda w: tf.raw_ops.WriteSummary(writer=w, step=STEP, tensor=1.0, tag="x", summary_metadata=""),
        )
    )
    assert not value.HasField("metadata")


def test_histograms_images_and_sounds_are_those_of_merged_summaries(tmp_path):
    values = np.array([1.0, 2.0, 3.0], np.float32)
    images = np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1)
    sounds = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    red = np.array([255, 0, 0, 255], np.uint8)

    def make(w):
        return [
            tf.raw_ops.WriteHistogramSummary(writer=w, step=STEP, tag="h", values=values),
            tf.raw_ops.WriteImageSummary(writer=w, step=STEP, tag="i", tensor=images, bad_color=red, max_images=1),
            tf.raw_ops.WriteAudioSummary(writer=w, step=STEP, tag="a", tensor=sounds, sample_rate=100.0),
        ]

    events = _events(tmp_path, make)
    with tf.Graph().as_default(), tf.Session() as session:
        expected = session.run(
            [
                tf.summary.histogram("h", values),
                tf.summary.image("i", images, max_outputs=1),
                tf.summary.audio("a", sounds, 100.0),
            ]
        )
    assert sorted(event.summary.SerializeToString() for event in events) == sorted(expected)


def test_summaries_and_graphs_that_are_serialized_already(tmp_path):
    summary = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=3.0)]).SerializeToString()
    graph = tf.GraphDef(node=[tf.NodeDef(name="x", op="NoOp")]).SerializeToString()
    events = _events(
        tmp_path,
        lambda w: [
            tf.raw_ops.WriteRawProtoSummary(writer=w, step=STEP, tensor=[summary, summary]),
            tf.raw_ops.WriteGraphSummary(writer=w, step=STEP, tensor=graph),
        ],
    )
    (merged,) = [event.summary for event in events if event.HasField("summary")]
    (written,) = [event.graph_def for event in events if event.HasField("graph_def")]
    assert [value.tag for value in merged.value] == ["a", "a"] and written == graph
