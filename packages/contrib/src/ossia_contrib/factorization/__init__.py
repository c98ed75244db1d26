"""Clusters of points, and factors of matrices."""
