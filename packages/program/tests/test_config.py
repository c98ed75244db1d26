"""`tf.config` and `tf.experimental`: what is remembered, and what is refused."""

import pytest

import ossia as tf


def test_policies_of_eager_execution_are_remembered():
    config = tf.config.experimental
    assert (config.get_device_policy(), config.get_synchronous_execution()) == ("silent", True)
    try:
        for policy in ("explicit", "warn", "silent_for_int32"):
            config.set_device_policy(policy)
            assert config.get_device_policy() == policy
        with pytest.raises(ValueError, match="Not a valid device policy: 'other'"):
            config.set_device_policy("other")
        config.set_synchronous_execution(False)
        assert config.get_synchronous_execution() is False
    finally:
        config.set_device_policy(None)
        config.set_synchronous_execution(None)
    assert (config.get_device_policy(), config.get_synchronous_execution()) == ("silent", True)


def test_executors_and_intermediates_change_nothing():
    with tf.experimental.function_executor_type("SINGLE_THREADED_EXECUTOR"):
        assert tf.experimental.output_all_intermediates(True) is None
