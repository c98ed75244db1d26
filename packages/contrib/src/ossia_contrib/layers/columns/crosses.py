"""Crosses of sparse features as ops, hashed as linear models of old expect."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.layers.names import of_both
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public_value
from ossia_ops.sparse.cross import crossed, hashes, texts

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 0xDECAFCAFFE
public_value(*of_both("SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY"), name="SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY")
_SIGNATURE = (
    "(indices: N * int64, values: sparse_types, shapes: N * int64, dense: dense_types) -> "
    "output_indices: int64, output_values: out_type, output_shape: int64"
)
_ATTRS: dict[str, Any] = {
    "N": "int >= 0", "hashed_output": "bool", "num_buckets": "int >= 0",
    "sparse_types": "list({int64, string}) >= 0", "dense_types": "list({int64, string}) >= 0",
    "out_type": "{int64, string}", "internal_type": "{int64, string}",
}
sparse_feature_cross_op = op("SparseFeatureCross" + _SIGNATURE, **_ATTRS)
sparse_feature_cross_v2_op = op("SparseFeatureCrossV2" + _SIGNATURE, hash_key="int", **_ATTRS)


def _shape(indices: Any, values: Any, shapes: Any, dense: Any) -> Any:
    return TensorShape((None, 2)), vector(None), vector(2)


sparse_feature_cross_op.shape(_shape)
sparse_feature_cross_v2_op.shape(_shape)


def _combined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """One hash of two, as TensorFlow's Hash64Combine."""
    # The original shifts to the right with the sign.
    shifted = (first << np.uint64(10)) + (first.view(np.int64) >> 4).view(np.uint64)
    return first ^ (second + np.uint64(0x9E3779B97F4A7800) + shifted)


@sparse_feature_cross_op.kernel
def _(indices, values, shapes, dense, *, hashed_output, num_buckets):
    join = functools.partial(
        hashes, num_buckets=num_buckets, hash_key=SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, combine=_combined
    )
    return crossed(indices, values, shapes, dense, join if hashed_output else texts)


@sparse_feature_cross_v2_op.kernel
def _(indices, values, shapes, dense, *, hashed_output, num_buckets, hash_key):
    join = functools.partial(hashes, num_buckets=num_buckets, hash_key=hash_key)
    return crossed(indices, values, shapes, dense, join if hashed_output else texts)


_SPARSE = ([[[0, 0], [0, 1], [1, 0]]], [["a", "b", "c"]], [[2, 2]])
for _op, _key in ((sparse_feature_cross_op, {}), (sparse_feature_cross_v2_op, {"hash_key": 7})):
    _op.samples(hash=sample(
        *_SPARSE, [np.array([[1, 2], [3, 4]])], hashed_output=True, num_buckets=100, out_type="int64",
        internal_type="int64", **_key,
    ))


def sparse_feature_cross(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0, name: str | None = None,
    hash_key: int | None = None,
) -> tf.SparseTensor:
    """Every combination of one value of each input, row by row.

    Args:
      inputs: a list of sparse tensors and tensors, matrices of strings or integers.
      hashed_output: whether combinations are numbers, not text.
      num_buckets: numbers are below it; below 2**63 - 1 if it is 0.
      name: name of the op.
      hash_key: start of the hash by fingerprints; None for the older hash.

    Raises:
      TypeError: `inputs` is no list of tensors.
    """
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(each, (tf.SparseTensor, tf.Tensor)) for each in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [each for each in inputs if isinstance(each, tf.SparseTensor)]
    dense = [each for each in inputs if not isinstance(each, tf.SparseTensor)]
    is_text = all(each.dtype == tf.string for each in inputs)
    values = [each.values if each.dtype == tf.string else tf.cast(each.values, tf.int64) for each in sparse]
    dense = [each if each.dtype == tf.string else tf.cast(each, tf.int64) for each in dense]
    kind, key = sparse_feature_cross_op, {}
    if hash_key:
        kind, key = sparse_feature_cross_v2_op, {"hash_key": hash_key}
    return tf.SparseTensor(*kind(
        [each.indices for each in sparse], values, [each.dense_shape for each in sparse], dense,
        hashed_output=hashed_output, num_buckets=num_buckets, out_type=tf.int64 if hashed_output else tf.string,
        internal_type=tf.string if is_text else tf.int64, name=name, **key,
    ))
