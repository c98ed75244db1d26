"""The private paths of TensorFlow 1.15 that programs import from."""
