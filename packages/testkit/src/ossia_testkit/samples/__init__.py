"""Samples of Ossia's own ops that are programs of several steps: a module per family, which its ops name with
`samples_in`. Samples that are mere inputs stand with their ops."""
