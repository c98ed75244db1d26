"""Argument scopes and variables."""
