"""Summary kinds: what they write is a Summary under the tag that they were given, and travels through an event file.

The keys of a sample: `inputs`, the values of what follows the name; `arguments`, further ones by keyword; `values`,
what is in the summary: a list of dictionaries from the fields of a `Summary.Value` to their values (`tag` is the name
that was given, with what is in the dictionary behind it), or a function from the list of values to whether it is right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ossia_testkit.registered import Row


def build(row: Row, name: str = "made", fed: dict | None = None, **more: Any) -> Any:
    """The tensor of a sample; inputs that are arrays go through placeholders of unknown shape if `fed` is given."""
    import ossia as tf

    inputs = []
    for value in row.sample.get("inputs", ()):
        if fed is not None and isinstance(value, np.ndarray):
            tensor = tf.placeholder(value.dtype if value.dtype != object else tf.string)
            fed[tensor] = value
            inputs.append(tensor)
        else:
            inputs.append(tf.constant(value) if isinstance(value, np.ndarray) else value)
    return row.load()(name, *inputs, **row.sample.get("arguments", {}), **more)


def parsed(data: bytes) -> Any:
    """The Summary in a value."""
    import ossia as tf

    assert isinstance(data, bytes), f"{type(data).__name__} instead of bytes"
    return tf.Summary.FromString(data)


class TestSummaryKinds:
    """The checks."""

    kind = "summary-kind"
    packages: tuple[str, ...] = ()

    def test_is_served(self, row):
        """Programs find it as `tf.summary.<name>`."""
        import ossia as tf

        assert getattr(tf.summary, row.name) is row.load()

    @pytest.mark.parametrize("shapes", ["known", "unknown"])
    def test_values(self, row, shapes):
        """A scalar string tensor that holds a Summary with the sample's values."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            feeds: dict = {}
            tensor = build(row, fed=feeds if shapes == "unknown" else None)
            assert tensor.dtype == tf.string and tensor.shape.as_list() == []
            data = session.run(tensor, feeds)
            summary = parsed(data)
            assert session.run(tensor, feeds) == data, "a second run gives something else"
            assert summary.value and all(value.WhichOneof("value") for value in summary.value), "there is no value"
            assert all(value.tag.startswith("made") for value in summary.value)
            expected = row.sample.get("values")
            if callable(expected):
                assert expected(list(summary.value))
            elif expected is not None:
                assert len(summary.value) == len(expected)
                for value, fields in zip(summary.value, expected, strict=True):
                    assert value.tag == "made" + fields.get("tag", "")
                    for field, wanted in fields.items():
                        if field != "tag":
                            assert getattr(value, field) == pytest.approx(wanted), field

    def test_scopes(self, row):
        """The tag has the name scope before it, and tags of the same name are told apart."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            with tf.name_scope("outer"):
                tensors = [build(row, "a"), build(row, "a"), build(row, "not in tags:")]
            tags = [[value.tag for value in parsed(data).value] for data in session.run(tensors)]
            assert all(tag.startswith("outer/a") for tag in tags[0] + tags[1])
            assert not set(tags[0]) & set(tags[1]), "two summaries have the same tag"
            assert all(tag.startswith("outer/not_in_tags_") for tag in tags[2])

    def test_collections(self, row):
        """It is in the collection of summaries, or in those that it is told."""
        import ossia as tf

        with tf.Graph().as_default() as graph:
            first, second = build(row), build(row, collections=["mine"])
            assert graph.get_collection(tf.GraphKeys.SUMMARIES) == [first]
            assert graph.get_collection("mine") == [second]

    def test_merged_and_written(self, row, tmp_path):
        """Merged with others and written by a FileWriter, it comes back from the event file."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            tensor = build(row)
            tf.summary.scalar("other", 1.5)
            data, merged = session.run([tensor, tf.summary.merge_all()])
            with tf.summary.FileWriter(str(tmp_path)) as writer:
                writer.add_summary(merged, 7)
            (file,) = tmp_path.iterdir()
            found = [event for event in tf.train.summary_iterator(str(file)) if event.HasField("summary")]
            assert [event.step for event in found] == [7]
            tags = [value.tag for value in found[0].summary.value]
            assert tags == [*[value.tag for value in parsed(data).value], "other"]

    def test_graph_travels(self, row):
        """The exported graph gives the same bytes."""
        import ossia as tf

        with tf.Graph().as_default() as graph, tf.Session() as session:
            tensor = build(row)
            data = session.run(tensor)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.import_graph_def(graph.as_graph_def(), name="")
            assert session.run(tensor.name) == data

    @pytest.mark.parametrize("special", ["empty", "nan", "inf"])
    def test_special_inputs(self, row, special):
        """Empty inputs, and inputs that are not numbers, give a summary or an orderly error."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            feeds: dict = {}
            tensor = build(row, fed=feeds)
            for key, value in feeds.items():
                if special == "empty":
                    changed = value[:0] if value.ndim else value
                else:
                    changed = np.full_like(value, float(special)) if value.dtype.kind == "f" else value
                try:
                    parsed(session.run(tensor, {**feeds, key: changed}))
                except tf.errors.OpError as error:
                    assert not isinstance(error, (tf.errors.InternalError, tf.errors.UnknownError)), error
