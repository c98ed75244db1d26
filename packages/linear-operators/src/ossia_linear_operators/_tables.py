"""Public names and ops of ossia_linear_operators. Written by `python -m ossia_core.plugins.api_table packages/linear-operators`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
