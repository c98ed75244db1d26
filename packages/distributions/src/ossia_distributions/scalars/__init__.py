"""Distributions of single continuous numbers."""
