"""Layers, losses, metrics, rnn cells and initializers of Ossia."""
