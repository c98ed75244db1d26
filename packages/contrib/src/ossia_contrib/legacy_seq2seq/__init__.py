"""Sequence models of lists of tensors."""
