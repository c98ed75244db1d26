"""Public names and ops of ossia_tensorflow_paths. Written by `python -m ossia_core.plugins.api_table packages/tensorflow-paths`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
