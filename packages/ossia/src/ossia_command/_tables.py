"""Public names and ops of ossia_command. Written by `python -m ossia_core.plugins.api_table packages/command`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
