"""Distributions of one-hot vectors, and their relaxed forms."""
