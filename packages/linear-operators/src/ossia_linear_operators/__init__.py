"""Matrices that are applied rather than stored: `tf.linalg.LinearOperator` and its kinds."""
