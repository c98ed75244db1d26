"""What neural networks consist of: convolutions, pools, normalization, activations, losses."""
