"""What programs take from `tensorflow.examples.tutorials`."""
