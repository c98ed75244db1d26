"""Public names and ops of ossia_program. Written by `python -m ossia_core.plugins.api_table packages/program`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
