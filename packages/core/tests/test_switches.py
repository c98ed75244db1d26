"""Switches of the second version that programs of the first one call."""

import pytest

import ossia as tf


def test_what_is_off_stays_off():
    assert tf.executing_eagerly() is False and tf.control_flow_v2_enabled() is False
    for switch in (
        tf.disable_eager_execution,
        tf.disable_v2_behavior,
        tf.disable_control_flow_v2,
        tf.disable_tensor_equality,
    ):
        assert switch() is None


@pytest.mark.parametrize("name", ["enable_eager_execution", "enable_v2_behavior", "enable_tensor_equality"])
def test_what_is_not_there_is_refused(name):
    with pytest.raises(NotImplementedError, match="Ossia builds graphs"):
        getattr(tf, name)()
