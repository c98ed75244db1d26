"""An engine for Ossia, in a distribution of its own."""
