"""Reads and writes TensorFlow checkpoints, meta graphs and SavedModels without TensorFlow."""
