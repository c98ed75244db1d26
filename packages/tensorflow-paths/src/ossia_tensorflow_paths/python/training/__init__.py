"""What programs take from `tensorflow.python.training`."""
