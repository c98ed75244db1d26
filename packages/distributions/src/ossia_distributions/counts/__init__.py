"""Distributions of counts."""
