"""What programs take from private modules of `tensorflow.python.estimator.canned`."""
