"""Graphs looked into, rewired and copied."""
