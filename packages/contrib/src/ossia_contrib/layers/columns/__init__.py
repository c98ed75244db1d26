"""Feature columns of old: what makes the inputs of models of raw features."""
