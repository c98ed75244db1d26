"""Graphs rewritten for quantized training."""
