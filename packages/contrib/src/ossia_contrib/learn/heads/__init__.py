"""Heads of `tf.contrib.learn`: from the logits of a model to predictions, loss and metrics."""
