"""Training and networks on the layers."""
