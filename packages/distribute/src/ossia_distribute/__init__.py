"""Training with several replicas, as in TensorFlow 1, for Ossia."""
