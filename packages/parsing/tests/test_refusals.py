"""What each of the parsers says of values that it refuses: the original's words, which tests of programs match."""

import re

import pytest

import ossia as tf

FIXED, ROWS, ANY = tf.FixedLenFeature, tf.FixedLenSequenceFeature, tf.VarLenFeature


def feature(values):
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


FEATURES = tf.train.Features(feature={"a": feature([1, 2]), "c": feature([b"x", b"y"])})
EXAMPLE = tf.train.Example(features=FEATURES).SerializeToString()
LISTS = {"l": tf.train.FeatureList(feature=[feature([1]), feature([2, 3])])}
SEQUENCE = tf.train.SequenceExample(
    context=FEATURES, feature_lists=tf.train.FeatureLists(feature_list=LISTS)
).SerializeToString()


def refused(parse):
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(parse())
    return re.split(r"\n\t \[\[", caught.value.message)[0].strip()


@pytest.mark.parametrize(("wanted", "batch", "alone"), [
    (FIXED([2], tf.float32), "Index: 0.  Data types don't match. Data type: int64 but expected type: float",
     "Key: a.  Data types don't match. Data type: int64 but expected type: float"),
    (ANY(tf.float32), "Index: 0.  Data types don't match. Expected type: float, Actual type: int64",
     "Key: a.  Data types don't match. Expected type: float, Actual type: int64"),
    (FIXED([3], tf.int64), "Index: 0.  Number of int64 values != expected.  Values size: 2 but output shape: [3]",
     "Key: a.  Can't parse serialized Example."),
    (ROWS([3], tf.int64, True),
     "Index: 0.  Number of int64 values is not a multiple of stride length. Saw 2 values but output shape is: [?,3]",
     "Key: a.  Can't parse serialized Example."),
])
def test_examples(wanted, batch, alone):
    assert refused(lambda: tf.parse_example([EXAMPLE] * 2, {"a": wanted}, example_names=["n", "m"])) == (
        f"Name: n, Key: a, {batch}"
    )
    assert refused(lambda: tf.parse_example([EXAMPLE], {"a": wanted})) == f"Name: <unknown>, Key: a, {batch}"
    assert refused(lambda: tf.parse_single_example(EXAMPLE, {"a": wanted})) == alone


def test_missing_features_and_byte_strings():
    missing = "Feature: z (data type: float) is required but could not be found."
    wanted = {"z": FIXED([], tf.float32)}
    assert refused(lambda: tf.parse_example([EXAMPLE], wanted)) == f"Name: <unknown>, {missing}"
    assert refused(lambda: tf.parse_single_example(EXAMPLE, wanted)) == missing
    assert "Number of bytes values != expected." in refused(
        lambda: tf.parse_example([EXAMPLE], {"c": FIXED([3], tf.string)})
    )


SHOWN = "Data types don't match. Expected type: float  Feature is: int64_list {"


@pytest.mark.parametrize(("context", "lists", "alone", "batch"), [
    ({"a": FIXED([2], tf.float32)}, {}, f"Context feature: a.  {SHOWN}", "Error in context feature a in example n"),
    ({"a": ANY(tf.float32)}, {}, f"Context feature: a.  {SHOWN}", "Error in context feature a in example n"),
    ({"a": FIXED([3], tf.int64)}, {},
     "Key: a, Index: 0.  Number of int64 values != expected.  values size: 2 but output shape: [3]",
     "Inconsistent number of elements for feature a: 2 vs 1"),
    ({"z": FIXED([], tf.int64)}, {}, "Context feature 'z' is required but could not be found.",
     "Inconsistent number of elements for feature z: 0 vs 1"),
    ({}, {"l": ROWS([1], tf.float32)}, f"Feature list: l, Index: 0.  {SHOWN}",
     "Error in sequence feature l in example n"),
    ({}, {"l": ANY(tf.float32)}, f"Feature List: l, Index: 0.  {SHOWN}", "Error in sequence feature l in example n"),
    ({}, {"l": ROWS([], tf.int64)},
     "Key: l, Index: 1.  Number of int64 values != expected.  values size: 2 but output shape: []",
     "Unexpected number of elements in feature l, example n"),
    ({}, {"z": ROWS([], tf.int64)},
     "Feature list 'z' is required but could not be found.  Did you mean to include it in "
     "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?", "Missing feature z in example n"),
])
def test_sequences(context, lists, alone, batch):
    found = refused(lambda: tf.io.parse_single_sequence_example(SEQUENCE, context, lists, example_name="n"))
    assert found.startswith(f"Name: n, {alone}")
    assert refused(
        lambda: tf.io.parse_sequence_example([SEQUENCE] * 2, context, lists, example_names=["n", "m"])
    ) == batch


def test_indices_and_values_that_do_not_fit():
    several = tf.train.Example(features=tf.train.Features(feature={"a": feature([1, 2]), "v": feature([5])}))
    wanted = {"s": tf.SparseFeature("a", "v", tf.int64, 10)}
    assert refused(lambda: tf.parse_single_example(several.SerializeToString(), wanted)) == (
        "indices and values rows (indexing dimension) must match. (indices = 2, values = 1)"
    )


def test_numbers_of_features_are_those_of_their_keys():
    nothing = {"context_dense_defaults": [], "feature_list_dense_missing_assumed_empty": [], "context_sparse_keys": [],
               "feature_list_sparse_keys": [], "feature_list_dense_keys": []}  # fmt: skip
    message = (r"num_context_dense \(2\) must match the size of context_dense_keys \(0\), "
               r"context_dense_types \(0\) and context_dense_shapes \(0\)")  # fmt: skip
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        tf.raw_ops.ParseSequenceExample(
            serialized=[b""], debug_name=tf.constant([], tf.string), context_dense_keys=[], Ncontext_dense=2, **nothing)


@pytest.mark.parametrize(("kind", "size", "name"), [
    (tf.float16, 2, "half"), (tf.float32, 4, "float"), (tf.float64, 8, "double"), (tf.int16, 2, "int16"),
])
def test_decode_raw(kind, size, name):
    said = f"Input to DecodeRaw has length 3 that is not a multiple of {size}, the size of {name}"
    assert refused(lambda: tf.decode_raw(["abc"], kind)) == said


def test_shapes_that_are_not_known_enough():
    rows = {"a": ROWS([None, 2], tf.int64, allow_missing=True)}
    for parse in (lambda: tf.io.parse_example([EXAMPLE], rows), lambda: tf.io.parse_single_example(EXAMPLE, rows)):
        with pytest.raises(ValueError, match=r"dense_shapes\[0\] has unknown rank or .* inner dimensions: \[\?,\?"):
            parse()
    steps = {"l": ROWS([None, 2], tf.int64, allow_missing=True)}
    for parse in (
        lambda: tf.io.parse_single_sequence_example(SEQUENCE, None, steps),
        lambda: tf.io.parse_sequence_example([SEQUENCE], None, steps),
    ):
        with pytest.raises(ValueError, match=r"Shape \[\?,2\] is not fully defined"):
            parse()


def test_feature_lists_have_no_defaults():
    with pytest.raises(ValueError, match=r"Value feature_list_dense_defaults\[l\] must be None"):
        tf.io.parse_single_sequence_example(SEQUENCE, None, {"l": ROWS([2], tf.int64, True, 3)})


def test_features_without_values_of_any_kind():
    empty = tf.train.Feature()
    lists = tf.train.FeatureLists(feature_list={"l": tf.train.FeatureList(feature=[empty])})
    record = tf.train.SequenceExample(
        context=tf.train.Features(feature={"a": empty}), feature_lists=lists
    ).SerializeToString()
    for context, steps, where in (
        ({"a": FIXED([], tf.int64, 3)}, None, "Context feature: a"),
        (None, {"l": ROWS([0], tf.int64)}, "Feature list: l"),
    ):
        with tf.Graph().as_default(), tf.Session() as session:
            parsed = tf.io.parse_single_sequence_example(record, context, steps)
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"{where}.*Data types don't match"):
                session.run(parsed)
