"""What programs take from `tensorflow.python.client`."""
