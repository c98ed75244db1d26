"""A gradient for Ossia from a third party."""
