"""Philox and the distributions that are drawn from it, in NumPy."""
