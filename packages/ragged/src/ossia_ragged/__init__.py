"""Ragged tensors: rows of different lengths, as their values one after the other and the places where rows start."""
