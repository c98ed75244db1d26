"""Quantized tensors, the ops of quantized networks, and simulated quantization: `tf.quantization`."""
