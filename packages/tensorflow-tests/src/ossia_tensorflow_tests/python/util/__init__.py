"""What programs take from `tensorflow.python.util`."""
