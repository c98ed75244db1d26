"""Compiled regions, and their runs."""
