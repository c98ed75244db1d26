"""Ragged tensors, as the original makes them."""

import pytest

import ossia as tf
from ossia_ragged import rows
from ossia_testkit.golden import golden_tests

test_ragged = golden_tests(__file__, "ragged_cases.py")
test_items = golden_tests(__file__, "ragged_items_cases.py")
test_elementwise = golden_tests(__file__, "ragged_elementwise_cases.py")
test_arrays = golden_tests(__file__, "ragged_arrays_cases.py")
test_specs = golden_tests(__file__, "ragged_specs_cases.py")


def test_innermost_values_have_to_fill_their_shape():
    with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(1, 3\), got \(1, 2\)"):
        tf.ragged.constant([[[1, 2]]], inner_shape=(3,))


def test_a_preferred_dtype_for_a_value():
    value = tf.ragged.constant_value([[1], [2, 3]])
    assert rows.tensor_or_ragged(value, preferred_dtype=tf.float32).dtype == tf.float32


def test_ragged_tensors_travel_as_variants():
    spec = tf.RaggedTensorSpec([2, None], tf.int32)
    with tf.Graph().as_default(), tf.Session() as session:
        ragged = tf.ragged.constant([[1], [2, 3]])
        (travelling,) = spec._to_tensor_list(ragged)
        assert travelling.dtype == tf.variant and travelling.shape.as_list() == []
        arrived = spec._from_tensor_list([travelling])
        assert arrived.row_splits.shape.as_list() == [3] and session.run(arrived).to_list() == [[1], [2, 3]]
        (batch,) = spec._to_batched_tensor_list(ragged)
        assert batch.shape.as_list() == [2]
        assert spec._to_legacy_output_classes() is spec and spec._to_legacy_output_shapes().as_list() == [2, None]
        assert spec._flat_tensor_specs == [tf.TensorSpec(None, tf.variant)]
