"""A backend for Ossia from a third party."""
