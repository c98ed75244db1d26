"""An optimizer for Ossia from a third party."""
