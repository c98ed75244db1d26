"""Heads: what turns logits into predictions, losses, metrics and outputs of exported models."""
