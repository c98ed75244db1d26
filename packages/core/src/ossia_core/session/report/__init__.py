"""What can be said of a run: traces, placed graphs, devices."""
