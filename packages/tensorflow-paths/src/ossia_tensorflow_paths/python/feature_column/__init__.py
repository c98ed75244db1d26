"""What programs take from `tensorflow.python.feature_column`."""
