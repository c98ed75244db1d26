"""Values of all tensors of a run, kept in files and looked at: what `tensorflow.python.debug` does."""
