"""Estimators of `tf.contrib.learn` whose models are there: linear models, networks, both together, margins."""
