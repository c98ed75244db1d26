"""Ragged tensors, as the original makes them."""

import ossia as tf
from ossia_testkit.golden import golden_tests

test_ragged = golden_tests(__file__, "ragged_cases.py")
test_items = golden_tests(__file__, "ragged_items_cases.py")
test_elementwise = golden_tests(__file__, "ragged_elementwise_cases.py")
test_arrays = golden_tests(__file__, "ragged_arrays_cases.py")
test_specs = golden_tests(__file__, "ragged_specs_cases.py")


def test_ragged_tensors_travel_as_variants():
    spec = tf.RaggedTensorSpec([2, None], tf.int32)
    with tf.Graph().as_default(), tf.Session() as session:
        ragged = tf.ragged.constant([[1], [2, 3]])
        (travelling,) = spec._to_tensor_list(ragged)
        assert travelling.dtype == tf.variant and travelling.shape.as_list() == []
        arrived = spec._from_tensor_list([travelling])
        assert arrived.row_splits.shape.as_list() == [3] and session.run(arrived).to_list() == [[1], [2, 3]]
        (rows,) = spec._to_batched_tensor_list(ragged)
        assert rows.shape.as_list() == [2]
        assert spec._to_legacy_output_classes() is spec and spec._to_legacy_output_shapes().as_list() == [2, None]
        assert spec._flat_tensor_specs == [tf.TensorSpec(None, tf.variant)]
