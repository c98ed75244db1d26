"""Assertions and checks of TensorFlow 1, for Ossia."""
