"""Input functions over arrays and data frames."""

import numpy as np
import pytest

import ossia as tf

inputs = tf.estimator.inputs


def batches(input_fn, most=50):
    found = []
    with tf.Graph().as_default():
        tensors = input_fn()
        with tf.train.MonitoredSession() as session:
            while not session.should_stop() and len(found) < most:
                found.append(session.run(tensors))
    return found


def test_epochs_in_order():
    x = np.arange(5)
    found = batches(inputs.numpy_input_fn({"x": x}, 10 * x, batch_size=4, num_epochs=2, shuffle=False))
    assert [f["x"].tolist() for f, _ in found] == [[0, 1, 2, 3], [4, 0, 1, 2], [3, 4]]
    assert all((10 * f["x"] == y).all() for f, y in found)


def test_forms():
    x, y = np.ones([3, 2]), {"a": np.arange(3), "b": np.zeros(3)}
    ((features, labels),) = batches(inputs.numpy_input_fn(x, y, shuffle=False))
    assert features.shape == (3, 2) and labels["a"].tolist() == [0, 1, 2] and sorted(labels) == ["a", "b"]
    ((words, numbers),) = batches(inputs.numpy_input_fn(np.array(["x", "yy"]), np.arange(2), shuffle=False))
    assert words.tolist() == [b"x", b"yy"] and numbers.tolist() == [0, 1]


def test_shuffled_epochs_have_every_row():
    found = batches(inputs.numpy_input_fn(np.arange(100), batch_size=30, shuffle=True))
    rows = np.concatenate(found)
    assert sorted(rows) == list(range(100)) and rows.tolist() != sorted(rows)


def test_endless_batches_are_full():
    found = batches(inputs.numpy_input_fn(np.arange(3), batch_size=2, num_epochs=None, shuffle=False), most=4)
    assert np.concatenate(found).tolist() == [0, 1, 2, 0, 1, 2, 0, 1]


def test_threads_each_read_all_rows():
    found = batches(inputs.numpy_input_fn(np.arange(4), batch_size=4, shuffle=True, num_threads=2))
    assert sorted(np.concatenate(found)) == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "error,arguments",
    [
        (ValueError, dict(x=np.zeros(3), shuffle=None)),
        (TypeError, dict(x=3, shuffle=True)),
        (ValueError, dict(x={}, shuffle=True)),
        (ValueError, dict(x={"a": np.zeros(3)}, y=np.zeros(2), shuffle=False)),
        (ValueError, dict(x={"a": np.zeros(3)}, y={}, shuffle=False)),
        (ValueError, dict(x={"a": np.zeros(3)}, y={"a": np.zeros(3)}, shuffle=False)),
    ],
)
def test_refused(error, arguments):
    with tf.Graph().as_default(), pytest.raises(error):
        inputs.numpy_input_fn(**arguments)()


class Column:
    """As much of a pandas Series as input functions use."""

    def __init__(self, values, index=None):
        self.values = np.array(values)
        self.index = np.arange(len(values)) if index is None else np.array(index)

    def to_numpy(self):
        return self.values


class Index(np.ndarray):
    """An array with pandas' method."""

    def to_numpy(self):
        return np.asarray(self)


class Frame(dict):
    """As much of a pandas DataFrame as input functions use."""

    columns = property(list)
    index = property(lambda self: next(iter(self.values())).index.view(Index))


def test_frames():
    frame = Frame(b=Column([1.0, 2.0]), a=Column(["x", "y"]))
    ((features, labels),) = batches(inputs.pandas_input_fn(frame, Column([5, 6]), shuffle=False))
    assert list(features) == ["b", "a"] and features["a"].tolist() == [b"x", b"y"] and labels.tolist() == [5, 6]
    with pytest.raises(ValueError):
        inputs.pandas_input_fn(frame, Column([5, 6], index=[8, 9]), shuffle=False)
    with pytest.raises(ValueError):
        inputs.pandas_input_fn(frame, Column([5, 6]), shuffle=False, target_column="a")
    with pytest.raises(TypeError):
        inputs.pandas_input_fn(3, shuffle=False)
