"""What programs take from `tensorflow.python.kernel_tests`."""
