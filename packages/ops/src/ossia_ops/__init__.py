"""The op library of Ossia."""
