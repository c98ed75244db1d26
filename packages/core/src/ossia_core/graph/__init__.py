"""The graph: what programs build and sessions run."""
