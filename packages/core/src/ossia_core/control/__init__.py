"""Control flow: conditionals and loops as Switch/Merge/Enter/Exit graphs, and their gradients."""
