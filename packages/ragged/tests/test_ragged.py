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
