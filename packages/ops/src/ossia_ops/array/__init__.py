"""Tensors made, cut, joined, gathered and rearranged."""
