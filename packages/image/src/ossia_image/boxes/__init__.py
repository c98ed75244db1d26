"""Boxes in images: cut out, drawn, sampled, and chosen among many."""
