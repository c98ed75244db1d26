"""Recurrent layers whose weights are those of cuDNN."""
