"""What is simplified in a model after its operators are there, one pass a module."""
