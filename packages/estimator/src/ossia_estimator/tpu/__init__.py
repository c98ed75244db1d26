"""Estimators written for TPUs, run on a CPU."""
