"""Metrics that accumulate over batches, and sets."""
