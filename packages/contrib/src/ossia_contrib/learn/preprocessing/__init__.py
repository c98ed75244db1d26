"""Words and categories to numbers."""
