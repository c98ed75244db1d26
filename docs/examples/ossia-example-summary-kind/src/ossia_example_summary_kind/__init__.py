"""A summary kind for Ossia from a third party."""
