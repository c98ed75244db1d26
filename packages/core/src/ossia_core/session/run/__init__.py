"""What happens in a run: steps, their context, fetches, failures."""
