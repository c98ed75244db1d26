"""Probability distributions, their samples, densities and divergences: `tf.distributions`."""
