"""Inputs of other ranks than parsers of one example take."""
import numpy as np
from golden_case import outcomes


def _fed(tf, value):
    return tf.placeholder_with_default(np.array(value, object), None)


def _example(tf, serialized):
    found = tf.raw_ops.ParseSingleExample(
        serialized=_fed(tf, serialized), dense_defaults=[], num_sparse=1, sparse_keys=["k"], dense_keys=[], sparse_types=[tf.int64],
        dense_shapes=[])
    return found.sparse_shapes[0]


def _sequence(tf, serialized=b"", name=b"", missing=(b"k",), key=b"s"):
    found = tf.raw_ops.ParseSingleSequenceExample(
        serialized=_fed(tf, serialized), feature_list_dense_missing_assumed_empty=_fed(tf, missing), context_sparse_keys=[],
        context_dense_keys=[], feature_list_sparse_keys=[_fed(tf, key)], feature_list_dense_keys=["k"], context_dense_defaults=[],
        debug_name=_fed(tf, name), feature_list_dense_types=[tf.float32], feature_list_sparse_types=[tf.int64],
        feature_list_dense_shapes=[[2]])
    return found.feature_list_sparse_shapes[0]


def case_examples(tf):
    return outcomes(tf, [lambda tf, item=item: _example(tf, item) for item in (b"", [b""], [[b""]], np.zeros(0, object))])


def case_sequences(tf):
    options = ({}, {"serialized": [b""]}, {"name": [b""]}, {"name": [[b""]]}, {"missing": b"k"}, {"missing": [[b"k"]]}, {"key": [b"s"]})
    return outcomes(tf, [lambda tf, item=item: _sequence(tf, **item) for item in options])
