"""Quantization after training: of constants alone, or of the whole model."""
