"""Layers as functions, with their regularizers and initializers."""
