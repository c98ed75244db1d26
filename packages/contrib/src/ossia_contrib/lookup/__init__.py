"""Tables of words."""
