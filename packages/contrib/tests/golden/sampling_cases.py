"""`tf.contrib.resampler`, `periodic_resample`, `input_pipeline`, `mixed_precision`."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(0)
DATA, WARP = RANDOM.rand(2, 4, 5, 3).astype(np.float32), (RANDOM.rand(2, 6, 2) * 7 - 1.5).astype(np.float32)


def case_resampler(tf):
    data, warp = tf.constant(DATA), tf.constant(WARP)
    result = tf.contrib.resampler.resampler(data, warp, name="sampled")
    return [result] + tf.gradients(result * result, [data, warp])


def case_resampler_unknown(tf):
    data = tf.placeholder_with_default(np.ones([1, 2, 2, 1], np.float32), [None, None, None, 1])
    return tf.contrib.resampler.resampler(data, tf.placeholder_with_default(np.zeros([1, 3, 4, 2], np.float32), [None, 3, None, 2]))


def case_resampler_without_batch(tf):
    return tf.contrib.resampler.resampler(np.ones([2, 2, 1], np.float32), np.zeros([1, 3, 2], np.float32))


def case_resampler_other_batch(tf):
    return tf.contrib.resampler.resampler(np.ones([2, 2, 2, 1], np.float32), np.zeros([1, 3, 2], np.float32))


def _periodic(size, shape, new):
    return lambda tf: tf.contrib.periodic_resample.periodic_resample(np.arange(size).reshape(shape), new)


case_periodic = _periodic(12, (4, 3), [6, None])
case_periodic_planes = _periodic(64, (2, 2, 16), [4, 4, None])
case_periodic_uneven = _periodic(72, (2, 3, 12), [6, 4, None])
case_periodic_first = _periodic(72, (2, 3, 12), [None, 4, 12])
case_periodic_less = _periodic(12, (2, 6), [1, None])


def case_periodic_gradient(tf):
    x = tf.constant(np.arange(12).reshape(2, 6).astype(np.float32))
    result = tf.contrib.periodic_resample.periodic_resample(x, [4, None])
    return tf.gradients(result * result, x)


def case_next(tf):
    counter = tf.get_variable("counter", initializer=tf.constant(-1, tf.int64))
    return Case(tf.contrib.input_pipeline.obtain_next(tf.constant(["a", "b"]), counter), steps=3)


def _scaled(tf, manager):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    optimizer = tf.contrib.mixed_precision.LossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), manager)
    gradients = optimizer.compute_gradients(tf.reduce_sum(v * v))
    return Case({"train": optimizer.apply_gradients(gradients), "v": v, "gradient": gradients[0][0]}, steps=2)


def case_fixed_scale(tf):
    return _scaled(tf, tf.contrib.mixed_precision.FixedLossScaleManager(8))


def case_scale_below_one(tf):
    return tf.contrib.mixed_precision.FixedLossScaleManager(0.5)


def case_growing_scale(tf):
    return _scaled(tf, tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager(8, 2))


def case_scale_of_steps(tf):
    manager = tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager(8.0, 2, 1, 3, 0.5)
    finite = tf.placeholder(tf.bool, [])
    update = manager.update_loss_scale(finite)
    return Case(runs=[(fetch, {finite: good}) for good in (True, True, True, True, False, False, True, True) for fetch in (update, manager.get_loss_scale())])
