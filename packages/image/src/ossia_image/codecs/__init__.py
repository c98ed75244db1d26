"""Images in files: JPEG, PNG, GIF, BMP, and what plugins add."""
