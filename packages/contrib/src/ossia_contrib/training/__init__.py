"""Hyperparameters and training loops."""
