"""`tf.test`: what programs use to test themselves."""
