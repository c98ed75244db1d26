"""`tf.image`: images decoded, resized, recoloured, cut and compared."""
