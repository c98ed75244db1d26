"""What programs take from `tensorflow.python.tools`."""
