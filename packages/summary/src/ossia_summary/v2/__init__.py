"""Summaries that the graph writes itself: `tf.compat.v2.summary`, `tf.contrib.summary`."""
