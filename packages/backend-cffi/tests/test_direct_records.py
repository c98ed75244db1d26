"""Examples parsed in C: as on NumPy, whatever their bytes are."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.kernels import examples  # noqa: F401 - registers its maker
from ossia_backend_cffi.kernels.registry import MAKERS
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
RANDOM = np.random.RandomState(0)
FEATURES = {
    "f": tf.FixedLenFeature([2, 3], tf.float32),
    "i": tf.FixedLenFeature([2], tf.int64, default_value=[7, -8]),
    "s": tf.FixedLenFeature([], tf.string, default_value="none"),
    "rows": tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True, default_value=-1),
    "words": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    "vf": tf.VarLenFeature(tf.float32),
    "vi": tf.VarLenFeature(tf.int64),
    "vs": tf.VarLenFeature(tf.string),
}


def feature(values):
    first = values[0] if len(values) else 0
    if isinstance(first, bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(first, float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(**values):
    features = {key: feature(value) for key, value in values.items()}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def drawn():
    """An example that has some of the features, and others."""
    values = {
        "f": RANDOM.randn(6).tolist(), "i": [-1, 2**63 - 1], "s": [b"a" * RANDOM.randint(300)],
        "rows": list(range(2 * RANDOM.randint(4))), "words": [b"x", b""][: RANDOM.randint(1, 3)],
        "vf": RANDOM.randn(RANDOM.randint(1, 50)).tolist(), "vi": [-(2**63), 0, 300][: RANDOM.randint(1, 4)],
        "vs": [b"p", b"qq"], "other": [b"not asked for"],
    }  # fmt: skip
    return example(**{key: value for key, value in values.items() if key == "f" or RANDOM.rand() < 0.6})


def run(backend, records, features):
    with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
        serialized = tf.placeholder(tf.string, [None])
        fetches = list(tf.parse_example(serialized, features).values())
        return session.run(fetches, {serialized: np.array([*records, b""], object)[:-1]})


def either(records, features=FEATURES):
    """What each backend gives, or the message of its error."""
    found = []
    for backend in ("numpy", "cffi"):
        try:
            found.append(run(backend, records, features))
        except tf.errors.InvalidArgumentError as error:
            found.append(error.message)
    return found


def agree(records, features=FEATURES):
    expected, got = either(records, features)
    if isinstance(expected, str) or isinstance(got, str):
        assert got == expected
        return
    for left, right in zip(expected, got, strict=True):
        parts = zip(left, right, strict=True) if isinstance(left, tuple) else [(left, right)]
        for one, other in parts:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(other, one)


@pytest.fixture
def only_native(monkeypatch):
    """Nothing is handed on to the kernel on NumPy."""

    def refused(*arguments):
        raise AssertionError("handed on")

    maker = MAKERS["ParseExample"]
    monkeypatch.setitem(MAKERS, "ParseExample", lambda native, node, reference, session: maker(
        native, node, refused, session
    ))


@pytest.mark.parametrize("count", [3, 40])
def test_batches(count, only_native):
    agree([drawn() for _ in range(count)])


def test_no_feature_is_there(only_native):
    agree([b""] * 4, {key: FEATURES[key] for key in ("i", "s", "rows", "words", "vf", "vi", "vs")})


def test_values_that_are_not_packed_and_keys_that_come_again(only_native):
    unpacked = b"\n\r\n\x0b\n\x01k\x12\x06\x1a\x04\x08\x05\x08\x06"  # {"k": [5, 6]}
    again = b"\n\x1a" + unpacked[2:] + b"\n\x0b\n\x01k\x12\x06\x1a\x04\x08\x01\x08\x02"
    apart = unpacked + b"\n\r\n\x0b\n\x01k\x12\x06\x1a\x04\x08\x03\x08\x04"
    wide = b"\n\x12\n\x10\n\x01k\x12\x0b\x1a\t\x08\x09\n\x05\x0a\xff\xff\xff\x7f"
    empty = b"\n\x07\n\x05\n\x01k\x12\x00"
    records = [unpacked, again, apart, wide, empty, b""]
    agree(records, {"k": tf.VarLenFeature(tf.int64)})
    values = run("cffi", records, {"k": tf.VarLenFeature(tf.int64)})[0]
    assert values.values[:6].tolist() == [5, 6, 1, 2, 3, 4]
    assert values.dense_shape.tolist() == [6, 3]


def test_every_part_of_an_example():
    whole = example(i=[300, -1], k=[1.0, 2.0], s=[b"abc"])
    features = {"i": FEATURES["i"], "k": tf.VarLenFeature(tf.float32), "s": FEATURES["s"]}
    for size in range(len(whole)):
        agree([whole, whole[:size], whole, b""], features)


def test_bytes_that_differ():
    whole = example(i=[300, -1], k=[1.0, 2.0], s=[b"abc"])
    features = {"i": FEATURES["i"], "k": tf.VarLenFeature(tf.float32), "s": FEATURES["s"]}
    for at in range(len(whole)):
        for byte in RANDOM.randint(0, 256, 6):
            agree([whole, whole[:at] + bytes([byte]) + whole[at + 1 :], whole], features)


@pytest.mark.parametrize(
    "values", [{"f": [1.0] * 5}, {"f": [1]}, {}, {"f": [1.0] * 6, "i": [1]}, {"f": [1.0] * 6, "rows": [1, 2, 3]},
               {"f": [1.0] * 6, "words": [1]}, {"f": [1.0] * 6, "vs": [1.0]}],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_the_same_words(values):
    good = example(f=[1.0] * 6)
    expected, got = either([good, good, good, example(**values)])
    assert isinstance(got, str) and got == expected


def test_few_examples_and_keys_that_are_alike_go_to_numpy():
    agree([drawn()])
    with watching.chosen("cffi"), tf.Graph().as_default(), tf.Session() as session:
        parsed = tf.raw_ops.ParseExample(
            serialized=[example(k=[n]) for n in range(4)], names=[], sparse_keys=["k", "k"], dense_keys=["k"],
            dense_defaults=[np.zeros(0, np.int64)], sparse_types=[tf.int64, tf.int64], dense_shapes=[[1]],
        )  # fmt: skip
        found = session.run(parsed)
        assert [values.tolist() for values in found.sparse_values] == [[0, 1, 2, 3]] * 2
        assert found.dense_values[0].tolist() == [[0], [1], [2], [3]]


CONTEXT = {
    "id": tf.FixedLenFeature([2], tf.int64, default_value=[7, -8]),
    "name": tf.FixedLenFeature([], tf.string, default_value="none"),
    "tags": tf.VarLenFeature(tf.string),
}
LISTS = {
    "f": tf.FixedLenSequenceFeature([2, 3], tf.float32),
    "i": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    "s": tf.FixedLenSequenceFeature([2], tf.string, allow_missing=True),
    "vf": tf.VarLenFeature(tf.float32),
    "vs": tf.VarLenFeature(tf.string),
}


def sequence(context, lists):
    made = {key: tf.train.FeatureList(feature=[feature(step) for step in steps]) for key, steps in lists.items()}
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={key: feature(value) for key, value in context.items()}),
        feature_lists=tf.train.FeatureLists(feature_list=made),
    ).SerializeToString()


def drawn_sequence():
    context = {"id": [1, -1], "name": [b"a" * RANDOM.randint(200)], "tags": [b"x", b""], "other": [1.0]}
    lists = {
        "f": [RANDOM.randn(6).tolist() for _ in range(RANDOM.randint(4))], "i": [[k] for k in range(RANDOM.randint(9))],
        "s": [[b"p", b""]] * RANDOM.randint(3), "vf": [RANDOM.randn(n).tolist() for n in RANDOM.randint(1, 5, 3)],
        "vs": [[b"q"], [b"r", b"ss"]], "other": [[1], [b"x"]],
    }  # fmt: skip
    return sequence(*({key: value for key, value in part.items() if key == "f" or RANDOM.rand() < 0.6}
                      for part in (context, lists)))  # fmt: skip


def sequences_agree(records, context=CONTEXT, lists=LISTS):
    """What each backend gives is the same, also the message of an error, which is returned."""
    found = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            serialized = tf.placeholder(tf.string, [None])
            parsed = tf.io.parse_sequence_example(serialized, context, lists)
            fetches = [part[key] for part in parsed for key in sorted(part)]
            try:
                found.append(session.run(fetches, {serialized: np.array([*records, b""], object)[:-1]}))
            except tf.errors.InvalidArgumentError as error:
                found.append(error.message)
    expected, got = found
    if isinstance(expected, str) or isinstance(got, str):
        assert got == expected
        return expected
    for left, right in zip(expected, got, strict=True):
        for one, other in zip(left, right, strict=True) if isinstance(left, tuple) else [(left, right)]:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(other, one)
    return None


@pytest.fixture
def only_native_sequences(monkeypatch):
    def refused(*arguments):
        raise AssertionError("handed on")

    maker = MAKERS["ParseSequenceExample"]
    monkeypatch.setitem(MAKERS, "ParseSequenceExample", lambda native, node, reference, session: maker(
        native, node, refused, session
    ))


@pytest.mark.parametrize("count", [3, 40])
def test_batches_of_sequences(count, only_native_sequences):
    assert sequences_agree([drawn_sequence() for _ in range(count)]) is None
    lists = {key: LISTS[key] for key in ("i", "s", "vf", "vs")}
    assert sequences_agree([b""] * count, lists=lists) is None
    assert sequences_agree([drawn_sequence() for _ in range(count)], {}, lists) is None


def test_every_part_of_a_sequence():
    whole = sequence({"id": [300, -1]}, {"f": [[1.0] * 6], "i": [[300], [-1]], "vs": [[b"abc"]], "other": [[1]]})
    lists = {"f": LISTS["f"], "i": LISTS["i"], "vs": LISTS["vs"]}
    for size in range(len(whole)):
        sequences_agree([whole, whole[:size], whole], {"id": CONTEXT["id"]}, lists)
    for at in range(len(whole)):
        for byte in RANDOM.randint(0, 256, 4):
            changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
            sequences_agree([whole, changed, whole], {"id": CONTEXT["id"]}, lists)


@pytest.mark.parametrize(
    "lists", [{}, {"f": [[1.0] * 5]}, {"f": [[1]]}, {"f": [[]]}, {"f": [], "i": [[1, 2]]}, {"f": [], "vf": [[1]]}]
)
def test_sequences_that_do_not_fit_are_refused_in_the_same_words(lists):
    good = sequence({}, {"f": [[1.0] * 6]})
    assert isinstance(sequences_agree([good, good, good, sequence({}, lists)]), str)
