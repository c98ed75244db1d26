"""Summaries that the graph itself writes to event files."""
