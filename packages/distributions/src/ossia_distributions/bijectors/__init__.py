"""Bijectors: maps that go both ways, and by what they stretch."""
