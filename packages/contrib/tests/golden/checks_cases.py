"""Checks, sums and names of `tf.contrib.framework`."""
import numpy as np


def case_shapes(tf):
    framework = tf.contrib.framework
    x = tf.placeholder_with_default(np.ones(2, np.float32), None, name="x")
    return [framework.with_shape([2], x), framework.with_same_shape(tf.ones([2]), x), framework.with_shape(tf.constant([2]) + 0, x), framework.with_shape([2, 3], tf.ones([2, 3]))]


def case_wrong_shape(tf):
    return tf.contrib.framework.with_shape([3], tf.ones([2]))


def case_sums(tf):
    framework = tf.contrib.framework
    return [framework.reduce_sum_n([tf.ones([2]), tf.ones([2, 3])]), framework.reduce_sum_n([tf.constant(1.0)]), framework.py_func(lambda a, b=1: a + b, [tf.constant(1.0)], {"b": tf.constant(2.0)}, tf.float32, []),
            framework.sort(tf.constant([3, 1, 2])), framework.argsort(tf.constant([3, 1, 2])), framework.assert_scalar_int(tf.constant(1)), framework.is_tensor(1)]


def case_scalar_of_wrong_type(tf):
    return tf.contrib.framework.assert_scalar_int(tf.constant(1.0))


def case_no_scalar(tf):
    return tf.contrib.framework.assert_scalar(tf.constant([1.0, 2.0]))


def case_devices(tf):
    framework = tf.contrib.framework
    chooser = framework.VariableDeviceChooser(2)
    with tf.device(chooser):
        names = [tf.get_variable("v%d" % number, [1], initializer=tf.zeros_initializer()).device for number in range(3)]
    return names + [framework.VariableDeviceChooser()(None), framework.VariableDeviceChooser(1, "x", "GPU", 1, 3)(None), framework.nest.flatten({"b": 1, "a": (2, 3)})]


def case_branches(tf):
    framework = tf.contrib.framework
    return [framework.smart_cond(True, lambda: tf.constant(1), lambda: tf.constant(2)), framework.smart_cond(tf.constant(1) > 2, lambda: tf.constant(3), lambda: tf.constant(4)),
            framework.smart_case([(tf.constant(False), lambda: tf.constant(5))], default=lambda: tf.constant(6)), framework.smart_constant_value(tf.constant(True))]
