"""The compilation of a region for given shapes."""
