"""Specs of values: batches, and the tensors in which values travel; texts and shapes are TensorFlow 1.15's."""
import pytest

import ossia as tf
from ossia_core.graph.type_spec import BatchableTypeSpec


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


DENSE, SPARSE = tf.TensorSpec([2], tf.float32), tf.SparseTensorSpec([None, 3], tf.float32)
SLICES = tf.IndexedSlicesSpec([3, 2])


def test_batches():
    assert DENSE._batch(5) == tf.TensorSpec([5, 2], tf.float32) and DENSE._unbatch() == tf.TensorSpec([], tf.float32)
    assert SPARSE._batch(None) == tf.SparseTensorSpec([None, None, 3]) and SPARSE._unbatch() == tf.SparseTensorSpec([3])
    assert tf.TensorSpec(None)._batch(3).shape.ndims is None and tf.SparseTensorSpec()._unbatch().shape.ndims is None
    assert not isinstance(SLICES, BatchableTypeSpec) and isinstance(SPARSE, BatchableTypeSpec)
    for spec in (tf.TensorSpec([]), tf.SparseTensorSpec([])):
        with pytest.raises(ValueError, match="Unbatching a tensor is only supported for rank >= 1"):
            spec._unbatch()
    with pytest.raises(ValueError, match="has insufficient rank for batching"):
        tf.TensorSpec([], tf.int32)._to_batched_tensor_list(tf.constant(1))


def test_values_travel_as_tensors():
    assert SPARSE._flat_tensor_specs == [tf.TensorSpec(None, tf.variant)]
    x = tf.constant([1.0, 2.0])
    assert DENSE._to_tensor_list(x) == [x] and DENSE._from_tensor_list([x]) is x
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0], tf.int64))
    assert SLICES._from_tensor_list(SLICES._to_tensor_list(slices)).values is slices.values


def test_refused_tensors():
    for tensors in ([], [tf.constant(1)] * 2):
        with pytest.raises(ValueError, match="Incompatible input: wrong number of tensors"):
            SPARSE._from_tensor_list(tensors)
    words = r"0 \(Tensor.*\) is incompatible with TensorSpec\(shape=<unknown>, dtype=tf.variant, name=None\)"
    with pytest.raises(ValueError, match=words):
        SPARSE._from_tensor_list([tf.constant(1)])
    with pytest.raises(ValueError, match=r"Types are not compatible: tf.float32 vs tf.int32"):
        SLICES.most_specific_compatible_type(tf.IndexedSlicesSpec([3, 2], tf.int32))


def test_legacy_structures():
    assert SPARSE._to_legacy_output_types() == tf.float32 and SPARSE._to_legacy_output_shapes().as_list() == [None, 3]
    assert SPARSE._to_legacy_output_classes() is tf.SparseTensor
    with pytest.raises(NotImplementedError, match=r"IndexedSlicesSpec._to_legacy_output_types\(\)"):
        SLICES._to_legacy_output_types()
