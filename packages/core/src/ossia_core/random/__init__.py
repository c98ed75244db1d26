"""Random numbers with the original's generator, seeds and layout: pure NumPy, no graph."""
