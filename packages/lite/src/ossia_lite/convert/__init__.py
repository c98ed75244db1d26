"""From graphs to `.tflite` models."""
