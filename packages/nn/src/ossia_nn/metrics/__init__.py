"""Metrics over many batches: local variables that update ops accumulate in, and tensors computed from them."""
