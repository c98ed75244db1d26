"""How an op says what it is: declarations, shape rules, and the functions that build it."""
