"""What programs take from `tensorflow.python.ops.parallel_for`."""
