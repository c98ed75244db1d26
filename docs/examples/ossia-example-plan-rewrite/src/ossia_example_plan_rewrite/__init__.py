"""A plan rewrite for Ossia from a third party."""
