"""Functions of rows of ragged tensors, and more that `ops.ragged` and its neighbours have beside the public names."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.ops import parsing_ops as parsing
from ossia_tensorflow_paths.python.ops import sparse_ops as sparse
from ossia_tensorflow_paths.python.ops import string_ops as splitting
from ossia_tensorflow_paths.python.ops.ragged import ragged_functional_ops as ragged
from ossia_tensorflow_paths.python.ops.ragged.ragged_map_ops import RaggedTensorType, map_fn
from ossia_tensorflow_paths.python.ops.signal import util_ops as signal_numbers


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        yield session


def whole(dtype, ragged_rank):
    return {"dtype": RaggedTensorType(dtype, ragged_rank), "infer_shape": False}


ROWS = [[1, 2, 3], [4], [6, 7]]
DEEP = [[[1, 2], [3]], [], [[4, 5, 6]]]


@pytest.mark.parametrize(
    ("fn", "elems", "options", "wanted"),
    [
        (tf.reduce_sum, ROWS, {}, [6, 4, 13]),
        (lambda x: tf.stack([tf.reduce_min(x), tf.reduce_max(x)]), ROWS, {}, [[1, 3], [4, 4], [6, 7]]),
        (lambda x: x + 1, ROWS, whole(tf.int64, 1), [[2, 3, 4], [5], [7, 8]]),
        (lambda x: tf.RaggedTensor.from_row_starts(x, [0]), ROWS, whole(tf.int64, 2), [[[1, 2, 3]], [[4]], [[6, 7]]]),
        (lambda x: tf.ragged.map_flat_values(tf.add, x, 1), DEEP, whole(tf.int64, 2), [[[2, 3], [4]], [], [[5, 6, 7]]]),
        (lambda x: tf.reduce_sum(x, axis=1), DEEP, whole(tf.int64, 1), [[3, 3], [], [15]]),
        (lambda x: tf.reduce_sum(x, axis=0), DEEP, whole(tf.int64, 1), [[4, 2], [], [4, 5, 6]]),
    ],
)
def test_functions_of_rows(session, fn, elems, options, wanted):
    found = session.run(map_fn(fn, tf.ragged.constant(elems, dtype=tf.int64), **options))
    assert found.tolist() == wanted if isinstance(found, np.ndarray) else found.to_list() == wanted


def test_functions_of_structures(session):
    elems = {"a": tf.ragged.constant([[1, 2], [3]]), "b": tf.constant([10, 20])}
    kinds = {"a": RaggedTensorType(tf.int32, 1), "b": tf.int32}
    found = session.run(map_fn(lambda x: {"a": x["a"] * x["b"], "b": x["b"] + 1}, elems, kinds, infer_shape=False))
    assert (found["a"].to_list(), found["b"].tolist()) == ([[10, 20], [60]], [11, 21])


def test_declared_types_have_to_fit():
    with pytest.raises(ValueError, match=r"The declared ragged rank \(7\) mismatches the result \(1\)"):
        map_fn(lambda x: x, tf.ragged.constant(ROWS), RaggedTensorType(tf.int32, 7))
    with pytest.raises(ValueError, match="The declared dtype .* mismatches the result"):
        map_fn(lambda x: x, tf.ragged.constant(ROWS), RaggedTensorType(tf.float32, 1))
    with pytest.raises(ValueError, match="must be a 1.* dimensional Tensor, not a scalar"):
        map_fn(tf.identity, tf.constant(1))


def test_gathered_with_a_default(session):
    rows = tf.ragged.constant([["a", "b"], ["c"], ["d"]])
    places = tf.ragged.constant([[-1, 1], [5], []], dtype=tf.int32)
    found = session.run(ragged.batch_gather_with_default(rows, places, "?"))
    assert found.to_list() == [[b"?", b"b"], [b"?"], []]
    found = ragged.batch_gather_with_default([[1, 2], [3, 4]], [[0, 9], [1, 0]], 7)
    assert session.run(found).tolist() == [[1, 7], [4, 3]]


def test_what_ragged_functions_check():
    assert (ragged.get_positive_axis(-1, 3), ragged.get_positive_axis(2, None)) == (2, 2)
    for wrong, kind in (((3, 2), ValueError), ((-1, None), ValueError), ((1.0, 2), TypeError)):
        with pytest.raises(kind, match="axis"):
            ragged.get_positive_axis(*wrong)
    assert ragged.convert_to_int_tensor(3, "x", tf.int64).dtype == tf.int64
    with pytest.raises(TypeError, match="x must be an integer tensor"):
        ragged.convert_to_int_tensor(3.5, "x")
    splits, others = [tf.constant([0, 1])], [tf.constant([0, 1])]
    assert [check.type for check in ragged.assert_splits_match([splits, others])] == ["Assert"]
    with pytest.raises(ValueError, match="identical ragged splits"):
        ragged.assert_splits_match([splits, []])


def test_neighbours(session):
    number = tf.placeholder(tf.int32, [])
    divisors = [signal_numbers.gcd(12, 18), signal_numbers.gcd(number, 12)]
    assert (session.run(divisors, {number: 18}), divisors[0].op.type) == ([6, 6], "Const")
    with pytest.raises(ValueError, match="a must be an integer type"):
        signal_numbers.gcd(1.5, 2)
    with pytest.raises(ValueError, match="Missing: features was"):
        parsing.parse_single_example_v2(b"", {})
    features = {"x": tf.io.FixedLenFeature([], tf.int64, 3)}
    assert session.run(parsing.parse_single_example_v2(b"", features)["x"]) == 3
    crossed = sparse._sparse_cross_internal([tf.constant([["a"]]), tf.constant([["b"]])])
    assert session.run(crossed.values).tolist() == [b"a_X_b"]
    assert session.run(splitting.string_split(["a,b"], sep=",").values).tolist() == [b"a", b"b"]
    with pytest.raises(ValueError, match="both"):
        splitting.string_split(["a,b"], sep=",", delimiter=",")


def test_dense_arguments(session):
    values = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    found = [ragged.reduce_mean(values, 0), ragged.reduce_sum(values, 1), ragged.size(values), ragged.where(
        [[True]], [[1]], [[2]])]
    assert [value.tolist() for value in session.run(found)] == [[2.0, 3.5], [3.0, 8.0], 4, [[1]]]
