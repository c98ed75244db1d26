"""What programs take from `tensorflow.python.layers`."""
