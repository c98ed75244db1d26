"""Rows and slices of variables."""
