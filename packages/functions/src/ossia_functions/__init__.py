"""Functions: graphs with a signature, in a graph's library, called and chosen by functional ops."""
