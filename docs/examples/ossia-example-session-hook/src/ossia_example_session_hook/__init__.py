"""A session hook for Ossia from a third party."""
