"""Statistics of tensors, and what follows from them."""
