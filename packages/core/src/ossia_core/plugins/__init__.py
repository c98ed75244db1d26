"""The plugin manager, and the tables of public names that plugins declare."""
