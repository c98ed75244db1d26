"""A checkpoint format for Ossia from a third party."""
