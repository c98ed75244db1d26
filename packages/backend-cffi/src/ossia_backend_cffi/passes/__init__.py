"""Passes over the instructions of a program: each joins, groups or hands over some of them."""
