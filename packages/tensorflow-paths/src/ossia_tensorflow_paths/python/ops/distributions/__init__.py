"""What programs take from `tensorflow.python.ops.distributions`."""
