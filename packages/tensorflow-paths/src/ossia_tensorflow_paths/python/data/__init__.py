"""What programs take from `tensorflow.python.data`."""
