"""Learning-rate decays of TensorFlow 1, for Ossia."""
