"""Mixtures of distributions."""
