"""File systems for Ossia from a third party."""
