"""Input functions over values in memory: `tf.estimator.inputs`."""
