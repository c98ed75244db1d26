"""Derivatives that go beyond `tf.gradients`: tapes, Hessians, gradients of a program's own."""
