"""Public names and ops of ossia_lookup. Written by `python -m ossia_core.plugins.api_table packages/lookup`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
