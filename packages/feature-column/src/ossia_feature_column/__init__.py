"""Feature columns: from named raw features to the inputs of a model."""
