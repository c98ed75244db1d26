"""Decoders and attention."""
