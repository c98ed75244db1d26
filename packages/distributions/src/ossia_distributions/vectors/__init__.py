"""Distributions of vectors and matrices."""
