"""What TensorFlow 1 programs take from its private modules, and no public name of Ossia gives.

Each module here serves one or more private modules; `ossia_command.alias_table` says which.
"""
