"""Public names and ops of ossia_contrib. Written by `python -m ossia_core.plugins.api_table packages/contrib`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
