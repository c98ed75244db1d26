"""Losses as functions that count the examples with weight, and losses of distances."""
