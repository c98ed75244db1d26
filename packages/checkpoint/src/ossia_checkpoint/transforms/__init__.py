"""Graphs changed for use: pruned, folded, made smaller."""
