"""What programs take from `tensorflow.python.ops.signal`."""
