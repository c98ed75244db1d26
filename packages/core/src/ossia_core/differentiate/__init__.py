"""Differentiation of graphs."""
