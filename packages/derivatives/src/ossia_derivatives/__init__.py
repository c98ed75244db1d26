"""Derivatives that go beyond `tf.gradients`: tapes and Hessians."""
