"""Parsers on bytes that nobody meant for them: a documented error or a value, and never more."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ossia as tf
from ossia_core.names import dtypes, errors
from ossia_core.proto import BytesList, Example, Feature, Features, FloatList, Int64List, SequenceExample
from ossia_parsing.example_wire import Malformed, example_features, feature_values, sequence_features

FEATURES = st.one_of(
    st.lists(st.binary(max_size=9), max_size=5).map(lambda v: Feature(bytes_list=BytesList(value=v))),
    st.lists(st.floats(width=32), max_size=40).map(lambda v: Feature(float_list=FloatList(value=v))),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40).map(lambda v: Feature(int64_list=Int64List(value=v))),
    st.just(Feature()),
)


def _kind(feature):
    return {"bytes_list": dtypes.string, "float_list": dtypes.float32, "int64_list": dtypes.int64}.get(
        feature.WhichOneof("kind")
    )


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(max_size=4), FEATURES, max_size=4))
def test_examples_are_read_as_protobuf_reads_them(features):
    example = Example(features=Features(feature=features))
    found = example_features(example.SerializeToString())
    assert set(found) == {key.encode() for key in features}
    for key, feature in features.items():
        kind, values = feature_values(found[key.encode()])
        assert kind is _kind(feature)
        if kind is not None:
            wanted = list(getattr(feature, feature.WhichOneof("kind")).value)
            np.testing.assert_array_equal(list(values), wanted)


def _example():
    features = {"f": [1.5, 2.5], "g": [float(i) for i in range(30)]}
    parts = {key: Feature(float_list=FloatList(value=value)) for key, value in features.items()}
    parts["i"] = Feature(int64_list=Int64List(value=[-1, 2**62, *range(100)]))
    parts["s"] = Feature(bytes_list=BytesList(value=[b"", b"text"]))
    return Example(features=Features(feature=parts)).SerializeToString()


def _read(data):
    for feature in example_features(data).values():
        feature_values(feature)
    context, lists = sequence_features(data)
    for feature in [*context.values(), *(item for items in lists.values() for item in items)]:
        feature_values(feature)


def test_every_truncation_and_every_changed_byte():
    data = _example()
    for at in range(len(data)):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
            try:
                _read(damaged)
            except Malformed:
                continue


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data):
    try:
        _read(data)
    except Malformed:
        pass


def test_deeply_nested_messages_take_no_stack():
    data = b""
    for _ in range(5000):
        data = b"\x0a" + bytes([len(data) & 127 | 128, len(data) >> 7 & 127 | 128, len(data) >> 14]) + data
    _read(data)


def test_damaged_features_are_named():
    damaged = b"\n\x0a\n\x08\n\x01k\x12\x03\x3a\x01x"  # the feature "k" is a list of an unknown kind
    wanted = {"k": tf.VarLenFeature(tf.float32)}
    with tf.Graph().as_default(), tf.Session() as session:
        for fetch in (tf.parse_example([damaged] * 2, wanted)["k"], tf.parse_single_example(damaged, wanted)["k"]):
            with pytest.raises(errors.InvalidArgumentError, match=r"Key: k.*  Can't parse serialized Example\."):
                session.run(fetch)


def test_sequences_are_read_as_protobuf_reads_them():
    example = SequenceExample()
    example.context.feature["id"].int64_list.value.append(5)
    for texts in ([b"a"], [b"b", b"c"], []):
        example.feature_lists.feature_list["w"].feature.add().bytes_list.value.extend(texts)
    context, lists = sequence_features(example.SerializeToString())
    assert feature_values(context[b"id"])[1].tolist() == [5]
    assert [feature_values(feature)[1] for feature in lists[b"w"]] == [[b"a"], [b"b", b"c"], []]
