"""The C backend of Ossia."""
