"""What programs take from `tensorflow.core`."""
