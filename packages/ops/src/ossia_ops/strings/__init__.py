"""Strings: joined, split, hashed, read as numbers."""
