"""Data sets and modes."""
