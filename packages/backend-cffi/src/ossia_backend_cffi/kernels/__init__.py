"""Kernels of single ops in C, for arrays of any shape, by family."""
