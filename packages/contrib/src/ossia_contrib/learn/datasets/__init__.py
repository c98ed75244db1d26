"""Small data sets by name, and readers of larger ones."""
