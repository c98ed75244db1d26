"""Layers: objects that own variables and build the same ops wherever they are called."""
