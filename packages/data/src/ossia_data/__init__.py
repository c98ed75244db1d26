"""`tf.data`: datasets, what is made of them, and iterators over them."""
