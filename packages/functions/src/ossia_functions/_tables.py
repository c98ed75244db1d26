"""The plugin of ossia_functions: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/functions`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
