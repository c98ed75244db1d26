"""What programs take from `tensorflow.python.summary`."""
