"""Public names and ops of ossia_data. Written by `python -m ossia_core.plugins.api_table packages/data`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
