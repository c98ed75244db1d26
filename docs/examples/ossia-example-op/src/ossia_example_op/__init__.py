"""An op for Ossia from a third party."""
