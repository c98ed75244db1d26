"""`RecordInput`: every record once an epoch, in an order that the seed and the buffer make."""

import numpy as np
import pytest

import ossia as tf
from ossia_queues.record_input import RecordInput


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture(params=[None, tf.python_io.TFRecordCompressionType.GZIP, tf.python_io.TFRecordCompressionType.ZLIB])
def compression(request):
    return request.param


def write(folder, files, records, compression=None):
    for i in range(files):
        options = None if compression is None else tf.python_io.TFRecordOptions(compression)
        with tf.python_io.TFRecordWriter(str(folder / f"f.{i}"), options) as writer:
            for j in range(records):
                writer.write(b"%d-%d" % (i, j))
    return {b"%d-%d" % (i, j) for i in range(files) for j in range(records)}


def test_epochs(tmp_path, compression):
    everything = write(tmp_path, 3, 4, compression)
    batch = RecordInput(
        str(tmp_path / "f.*"), batch_size=4, buffer_size=5, parallelism=2, shift_ratio=0.4, seed=7,
        compression_type=compression,
    ).get_yield_op()
    with tf.Session() as session:
        epochs = [[record for _ in range(3) for record in session.run(batch)] for _ in range(4)]
    assert all(len(epoch) == 12 and set(epoch) == everything for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) > 1


def test_a_seed_makes_the_same_order(tmp_path):
    write(tmp_path, 4, 5)

    def order(seed):
        batch = RecordInput(str(tmp_path / "*"), batch_size=30, buffer_size=10, seed=seed).get_yield_op()
        with tf.Session() as session:
            return session.run(batch).tolist()

    assert order(3) == order(3) != order(4)


def test_batches_in_the_original_nodes(tmp_path, graph):
    everything = write(tmp_path, 1, 6)
    source = RecordInput(str(tmp_path / "f.0"), batch_size=3, batches=2, name="records")
    batches = source.get_yield_op()
    assert [len(batch) for batch in batches] == [3, 3] and batches[1][0].shape.as_list() == []
    assert [batch[0].name for batch in batches] == ["records_1/Reshape:0", "records_1/Reshape_1:0"]
    assert graph.get_operation_by_name("records").get_attr("batch_size") == 6
    with tf.Session() as session:
        assert {record for batch in session.run(batches) for record in batch} == everything


def test_refusals(tmp_path):
    (tmp_path / "bad").write_bytes(b"no record at all, this is")
    (tmp_path / "empty").write_bytes(b"")
    with tf.Session() as session:
        for name, error in ("none", tf.errors.NotFoundError), ("empty", tf.errors.OutOfRangeError):
            with pytest.raises(error):
                session.run(RecordInput(str(tmp_path / name)).get_yield_op())
        broken = RecordInput(str(tmp_path / "bad")).get_yield_op()
        for _ in range(2):  # the second run fails as the first one does
            with pytest.raises(tf.errors.DataLossError):
                session.run(broken)
        for options in {"batch_size": -1}, {"batch_size": 2**60}, {"shift_ratio": np.inf}:
            write(tmp_path, 1, 1)
            with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
                session.run(RecordInput(str(tmp_path / "f.0"), **options).get_yield_op())
    with pytest.raises(ValueError, match="compression_type"):
        RecordInput("x", compression_type="nonsense")
