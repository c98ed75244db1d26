"""Boosted trees: `tf.estimator.BoostedTreesClassifier` and its kin."""
