"""Losses scaled up for gradients of half precision."""
