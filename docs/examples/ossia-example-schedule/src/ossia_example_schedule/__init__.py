"""A learning-rate schedule for Ossia from a third party."""
