"""Distributions made of another one."""
