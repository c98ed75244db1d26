"""What programs take from `tensorflow.python.lib.io`."""
