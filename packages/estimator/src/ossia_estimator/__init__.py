"""Models as functions, trained, evaluated and exported: `tf.estimator`."""
