"""Python functions and loops over them, printing, and the clock."""
