"""Recurrent networks: cells, wrappers around them, and the functions that run them over sequences."""
