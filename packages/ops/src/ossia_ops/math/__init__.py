"""Arithmetic, comparison, reductions and special functions."""
