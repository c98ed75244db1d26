"""Object-based checkpoints: values are found by the way that leads to them from a root object, not by node names."""
