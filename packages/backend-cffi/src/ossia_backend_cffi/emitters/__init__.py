"""What each op becomes: instructions for nodes of known shapes, by family."""
