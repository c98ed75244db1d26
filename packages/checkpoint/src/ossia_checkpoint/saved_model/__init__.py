"""SavedModels: a graph with its variables, its files and its signatures, in one directory."""
